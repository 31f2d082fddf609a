// What was read, how complete it is, and the verdict in one sentence.

function verdictText(report) {
  const [worst] = report.roots;
  if (worst) return asText(worst.raw.message) || worst.rule;
  if (report.capture.packets === 0) return 'The capture holds no packets.';
  if (report.summary.connections === 0 || report.connections.length === 0) {
    const opaque = asCount(report.capture.opaque);
    return opaque === 0 ? 'No TCP connection in this capture.'
      : `No TCP connection in what could be decoded; ${count(opaque, 'packet')} could not be.`;
  }
  return 'No problem found in what could be read.';
}

function tally(report) {
  const parts = [];
  for (const [name, { letter, word }] of SEVERITIES) {
    const number = report.roots.filter((finding) => finding.severityName === name).length;
    if (number > 0) parts.push({ name, letter, words: count(number, word) });
  }
  return parts;
}

/** What the capture lacks, each with why it matters; nothing where it is whole. */
function doubts(report) {
  const { capture, connections } = report;
  const doubts = [];
  const sum = (read) => connections.reduce((total, connection) => total + read(connection), 0);
  const number = (read) => connections.filter(read).length;
  const side = (connection, key) => asCount(asObject(connection.raw.toServer)[key]) + asCount(asObject(connection.raw.toClient)[key]);
  if (capture.complete === false) doubts.push('The capture is cut short or was not read to the end.');
  if (asCount(capture.dropped) > 0) doubts.push(`${count(capture.dropped, 'packet')} dropped while capturing.`);
  const missing = sum((connection) => side(connection, 'missingBytes'));
  if (missing > 0) doubts.push(`${bytesText(missing)} of streams are missing, on ${count(number((each) => side(each, 'missingBytes') > 0), 'connection')}.`);
  if (asCount(capture.snaplenCut) > 0) doubts.push(`${count(capture.snaplenCut, 'packet')} cut by the snapshot length.`);
  const midstream = number((connection) => connection.raw.midstream === true);
  if (midstream > 0) doubts.push(`${count(midstream, 'connection')} joined mid-stream: what came before is unknown.`);
  const oneSided = number((connection) => connection.raw.oneSided === true);
  if (oneSided > 0) doubts.push(`${count(oneSided, 'connection')} captured in one direction only.`);
  const shut = number((connection) => connection.raw.tls && asObject(connection.raw.tls).decrypted === false);
  if (shut > 0) doubts.push(`${count(shut, 'TLS connection')} not decrypted: only sizes and times are known.`);
  if (asCount(capture.timeReversals) > 0) doubts.push(`${count(capture.timeReversals, 'packet')} with a time earlier than the packet before.`);
  for (const problem of asArray(capture.problems)) doubts.push(asText(problem));
  for (const limit of asArray(capture.limits)) doubts.push(asText(limit));
  return doubts.filter(Boolean);
}

function completeness(report) {
  const { connections, capture } = report;
  const side = (connection, key) => asCount(asObject(connection.raw.toServer)[key]) + asCount(asObject(connection.raw.toClient)[key]);
  const again = connections.reduce((total, connection) => total + side(connection, 'retransmittedBytes'), 0);
  const missing = connections.some((connection) => side(connection, 'missingBytes') > 0);
  const good = (words) => make('li', { class: 'good' }, span('tick', '✓'), words);
  const bad = (words) => make('li', { class: 'bad' }, span('tick', '!'), words);
  const marks = [];
  if (connections.length > 0) {
    marks.push(again > 0 ? bad(`${bytesText(again)} resent`) : missing || asCount(capture.dropped) > 0 ? good('nothing resent') : good('no loss'));
    marks.push(missing ? bad('holes') : good('no holes'));
  }
  marks.push(capture.complete === false ? bad('cut short') : good('not cut short'));
  return make('ul', { class: 'marks', 'aria-label': 'completeness of the capture' }, marks);
}

const VANTAGES = new Map([['client', 'captured at the client'], ['server', 'captured at the server'], ['middle', 'captured mid-path']]);

function vantageText(report) {
  const named = VANTAGES.get(report.capture.vantage);
  if (named) return named;
  const all = new Set(report.connections.map((connection) => connection.raw.vantage).filter(Boolean));
  return all.size === 1 ? VANTAGES.get([...all][0]) : undefined;
}

function headingPart(report) {
  const { capture, summary } = report;
  const numbers = [
    [summary.connections, 'connection'], [summary.exchanges, 'exchange'], [summary.websockets, 'WebSocket'],
    [summary.eventStreams, 'event stream'],
  ].filter(([number]) => asCount(number) > 0).map(([number, word]) => count(number, word));
  const parts = [
    asNumber(capture.packets) === undefined ? '' : count(capture.packets, 'packet'),
    asNumber(capture.bytes) === undefined ? '' : sizeText(capture.bytes),
    asNumber(capture.durationNs) === undefined ? '' : durationText(capture.durationNs),
    clockText(capture.firstTime), ...numbers, vantageText(report),
  ].filter(Boolean);
  const lacks = doubts(report);
  return make('header', { class: 'heading' },
    make('p', { class: 'facts-line' }, make('strong', { class: 'file' }, report.file), parts.map((part) => span('fact', part))),
    completeness(report),
    lacks.length > 0 && make('div', { class: 'doubts', role: 'note' },
      make('strong', null, 'Limits of this capture: '), make('ul', null, lacks.slice(0, 12).map((doubt) => make('li', null, doubt)),
        lacks.length > 12 && make('li', null, `${lacks.length - 12} more`))),
    !report.isRedacted && make('p', { class: 'unredacted' }, span('badge error', '!'), 'Not redacted: this page shows payload and secrets from the capture.'),
  );
}

function verdictPart(report) {
  const marks = tally(report);
  const consequences = report.roots.reduce((total, finding) => total + finding.consequences.length, 0);
  const worst = report.roots[0];
  const hurt = asCount(report.summary.hurt);
  const of = asCount(report.summary.connections);
  return make('div', { class: `verdict ${worst?.severityName ?? 'well'}` },
    make('p', { class: 'tally' },
      marks.length === 0 ? span('badge well', '✓') : marks.map((mark) => [span(`badge ${mark.name}`, mark.letter), span('words', mark.words)]),
      consequences > 0 && span('words quiet', `+ ${count(consequences, 'consequence')}`),
      report.causes.size > 1 && span('words quiet', `${report.causes.size} causes`),
      hurt > 0 && of > 1 && span('words quiet', `${grouped(hurt)} of ${count(of, 'connection')} hurt`)),
    make('h1', { id: 'verdict' }, verdictText(report)));
}
