// Endpoints, and where the report comes from.

function endpointsPart(report) {
  const endpoints = asArray(report.raw.endpoints).map(asObject);
  // A single exchange is shown in full above.
  if (endpoints.length === 0 || (endpoints.length === 1 && asCount(endpoints[0].n) < 2)) return undefined;
  const cut = asCount(report.raw.endpointsCut);
  const shares = (silence) => Object.entries(asObject(silence)).slice(0, 3).map(([name, share]) => `${causeOf(name).plain} ${Math.round(asCount(share) * 100)} %`).join(', ');
  return make('section', { class: 'endpoints' },
    make('h2', null, 'Endpoints ', span('quiet', cut > 0 ? `showing ${grouped(endpoints.length)} of ${grouped(endpoints.length + cut)}` : '')),
    pagedTable({
      caption: 'Endpoints, those hurt first', name: 'figures', size: 15,
      columns: [{ title: 'Endpoint' }, { title: 'n', isNumber: true }, { title: 'hurt', isNumber: true }, { title: 'wait p50', isNumber: true }, { title: 'p95', isNumber: true }, { title: 'gap p95', isNumber: true }, { title: 'max', isNumber: true }, { title: 'silence was' }],
      length: endpoints.length,
      row: (index) => {
        const { method, host, path, n, hurt, wait, gap, silence } = endpoints[index];
        return {
          class: asCount(hurt) > 0 ? 'hurt' : undefined,
          cells: [[span('path', `${asText(method)} ${asText(path)}`), ' ', span('quiet', asText(host))], grouped(asCount(n)), asCount(hurt) > 0 ? grouped(hurt) : '', durationText(asObject(wait).p50), durationText(asObject(wait).p95), durationText(asObject(gap).p95), durationText(asObject(gap).max), shares(silence)],
        };
      },
    }));
}

/** What the document had no room for. */
function cuts(report) {
  const { raw, connections } = report;
  const parts = [];
  const add = (number, what, plural) => { if (asCount(number) > 0) parts.push(count(number, what, plural)); };
  add(raw.connectionsCut, 'connection');
  add(raw.exchangesCut, 'exchange');
  add(raw.endpointsCut, 'endpoint');
  add(connections.reduce((sum, connection) => sum + asCount(connection.raw.timelineCut), 0), 'timeline entry', 'timeline entries');
  add(connections.reduce((sum, connection) => sum + asCount(connection.raw.itemsCut), 0), 'message');
  return parts.length > 0 ? `left out of the document: ${parts.join(', ')}` : 'nothing';
}

function aboutPart(report) {
  const tool = asObject(report.raw.tool);
  const { capture } = report;
  const redaction = asObject(report.raw.redaction);
  const undecoded = Object.entries(asObject(capture.undecoded)).map(([name, number]) => `${grouped(number)} ${name}`).join(', ');
  return make('footer', { class: 'about' },
    make('h2', null, 'Where this comes from'),
    facts([
      ['made by', `${asText(tool.name) || 'streamscope'} ${asText(tool.version)} (${asArray(tool.features).map(asText).join(', ')})`],
      ['document', asText(report.raw.schema)],
      ['capture', asText(capture.file)],
      ['format', [asText(capture.format), asArray(capture.linkTypes).map(asText).join(', ')].filter(Boolean).join(', ')],
      ['from', asText(capture.firstTime)], ['to', asText(capture.lastTime)],
      ['redaction', report.isRedacted ? `${asText(redaction.mode) || 'default'}: payload and secrets are lengths and hashes` : 'none: payload and secrets are shown'],
      ['not analysed', undecoded],
      ['limits', asArray(capture.limits).map(asText).join('; ')],
      ['cut', cuts(report)],
      ['clock', AXIS_NOTE + ' Segments coalesced by the network card count as one arrival.'],
    ]),
    make('p', { class: 'quiet' }, 'This page is one file. It loads nothing and sends nothing.'));
}
