// All about the chosen row: its figures, its charts, its story packet by packet, and its messages.

const SILENCE_SHOWN = 200e6;

function detailPart(page) {
  const row = page.selected;
  if (!row) return make('section', { class: 'detail' });
  const { connection } = row;
  const charts = [hopsPart(row), silencePart(row), gapsPart(row), bytesPart(row)].filter(Boolean);
  const narrow = charts.filter((chart) => !chart.classList.contains('wide'));
  if (narrow.length === 1) narrow[0].classList.add('wide');
  const part = make('section', { class: 'detail', 'aria-labelledby': 'detail-title' },
    make('h2', { id: 'detail-title' }, `${connection.number} `, row.kind === 'connection' ? '' : row.title, ' ', span('quiet', connection.title)),
    factsPart(row),
    charts.length > 0 && div('cards', charts),
    connection.timeline.length === 0 && asCount(connection.raw.timelineCut) > 0
      && make('p', { class: 'quiet' }, `This page has the figures of this connection, and not its packets, to stay small. --connection ${connection.id} makes a page of it alone.`),
    storyPart(row, page),
    messagesPart(row),
    headersPart(row.exchange ?? row.socket?.exchange));
  part.paint = () => { for (const chart of charts) chart.paint?.(); };
  return part;
}

function factsPart(row) {
  const { connection, exchange, socket } = row;
  const { raw } = connection;
  const side = (name) => {
    const { packets, bytes, retransmittedBytes, missingBytes } = asObject(raw[name]);
    return [`${bytesText(asCount(bytes))} in ${count(asCount(packets), 'packet')}`, asCount(retransmittedBytes) > 0 && `, ${bytesText(retransmittedBytes)} resent`, asCount(missingBytes) > 0 && `, ${bytesText(missingBytes)} missing`].filter(Boolean).join('');
  };
  const rtt = asObject(raw.rtt);
  const tls = asObject(raw.tls);
  const pairs = [
    ['client', [connection.clientText, connection.agent].filter(Boolean).join('  ')],
    ['server', [connection.serverText, connection.serverAddress, asText(connection.server.agent)].filter(Boolean).join('  ')],
    ['protocols', connection.protocols],
    ['round trip', asCount(rtt.clientNs) + asCount(rtt.serverNs) > 0 && `${durationText(asCount(rtt.clientNs) + asCount(rtt.serverNs))}`],
    ['TLS', raw.tls && [asText(tls.version), asText(tls.cipher), asText(tls.sni), tls.decrypted ? 'decrypted' : 'not decrypted'].filter(Boolean).join(', ')],
    ['up', side('toServer')], ['down', side('toClient')],
    ['end', connection.endWords],
    ['Community ID', asText(raw.communityId)],
  ];
  if (row.windows.length > 0) pairs.unshift(['window', row.windows.map((each) => each.words).join('; ')]);
  if (exchange) {
    const timing = asObject(exchange.raw.timing);
    const { response } = exchange;
    const stream = exchange.stream;
    pairs.unshift(
      ['waited', asNumber(timing.waitNs) !== undefined && durationText(timing.waitNs)],
      ['first body byte', asNumber(timing.firstBodyNs) !== undefined && durationText(timing.firstBodyNs)],
      ['total', asNumber(timing.totalNs) !== undefined && durationText(timing.totalNs)],
      ['response', exchange.raw.response && [asText(response.framing), bytesText(asCount(response.bodyBytes)), asText(response.incomplete)].filter(Boolean).join(', ')],
      ['stream', asText(stream.kind) && `${asText(stream.kind)}, ${count(asCount(stream.pieces), 'piece')}`],
      ['an app receives it', exchange.releases.map((release) => `${asText(release.client)} after ${durationText(release.ns - asCount(response.startNs))}, at ${bytesText(asCount(release.bytes))}`).join('; ')],
      ['notes', asArray(exchange.raw.notes).map(asText).join('; ')]);
  }
  if (socket) {
    const frames = (name) => Object.entries(asObject(asObject(socket.raw.frames)[name])).filter(([, number]) => asCount(number) > 0).map(([kind, number]) => `${grouped(number)} ${kind}`).join(', ') || 'nothing';
    pairs.unshift(['up frames', frames('toServer')], ['down frames', frames('toClient')], ['subprotocol', asText(socket.raw.subprotocol)], ['application', asText(socket.raw.application)],
      ['closes', socket.closes.map((close) => `${senderName(close.side)}: ${close.words}`).join(', ') || 'no Close frame']);
  }
  return facts(pairs);
}

// MARK: The story

/** Lines of the connection's timeline: those of a packet are one, and long silences are lines of their own. */
function storyLines(row) {
  const { connection, exchange } = row;
  const entries = connection.timeline.filter((entry) => asNumber(entry.ns) !== undefined && entry.kind !== 'ackOfUnseen' && entry.kind !== 'snaplenCut')
    .map((entry, index) => ({ entry, index })).sort((a, b) => a.entry.ns - b.entry.ns || a.index - b.index).map(({ entry }) => entry);
  const lines = [];
  for (const entry of entries) {
    const last = lines.at(-1);
    const end = asNumber(entry.lastNs) ?? entry.ns;
    if (last && last.first === entry.packet && last.last === (entry.lastPacket ?? entry.packet) && last.direction === entry.direction) {
      last.words += `, ${entryWords(entry)}`;
      last.body += bodyBytes(entry);
      last.exchange ||= entry.exchange;
      continue;
    }
    if (last && entry.ns - last.end > Math.max(SILENCE_SHOWN, (connection.end - connection.start) * 0.04)) {
      lines.push({ silence: entry.ns - last.end, from: last.end, to: entry.ns });
    }
    lines.push({
      ns: entry.ns, end: Math.max(last?.end ?? 0, end), gap: last ? entry.ns - (last.end ?? last.to) : undefined, first: entry.packet,
      last: entry.lastPacket ?? entry.packet, direction: entry.direction, words: entryWords(entry), body: bodyBytes(entry),
      exchange: entry.exchange, isTrouble: TROUBLE.has(entry.kind) && entry.kind !== 'fin',
    });
  }
  const stalls = exchange ? exchange.stalls : connection.exchanges.flatMap((each) => each.stalls);
  for (const line of lines) {
    if (line.silence === undefined) continue;
    line.causes = stalls.filter((stall) => stall.ns < line.to && stall.ns + asCount(stall.durationNs) > line.from);
  }
  return lines;
}

const bodyBytes = (entry) => (entry.kind === 'chunks' || entry.kind === 'body' ? asCount(entry.bytes) : 0);

function storyPart(row, page) {
  const lines = storyLines(row);
  if (lines.length === 0) return undefined;
  const { connection, exchange } = row;
  const release = exchange?.releases[0];
  const marks = new Map();
  for (const finding of connection.findings) {
    for (const packet of finding.packets) {
      const before = marks.get(packet);
      if (!before || finding.severity.rank < before.severity.rank) marks.set(packet, finding);
    }
  }
  let body = 0;
  for (const line of lines) {
    body += line.direction === 'toClient' ? line.body ?? 0 : 0;
    line.sum = body;
  }
  const columns = [{ title: 'Time s', isNumber: true }, { title: 'Gap', isNumber: true }, { title: 'Packet', isNumber: true }, { title: 'Client' }, { title: '' }, { title: 'Server' }];
  if (release) columns.push({ title: `${asText(release.client) || 'App'} has` });
  const has = (line) => (!release ? [] : [line.ns < release.ns ? (line.ns < asCount(exchange.response.startNs) ? '' : span('held', 'nothing')) : line.sum > 0 ? bytesText(line.sum) : '']);
  const cut = asCount(connection.raw.timelineCut);
  const marked = lines.findIndex((line) => marks.has(line.first));
  return make('section', { class: 'story' },
    make('h3', null, 'Packet by packet ', span('quiet', cut > 0 ? `${grouped(lines.length)} lines, ${grouped(cut)} entries left out of the document` : '')),
    pagedTable({
      caption: `${connection.number}, in order of time; marked packets are quoted by findings`, name: `ladder${release ? ' held-column' : ''}`, columns, length: lines.length, size: 40, at: marked,
      row: (index) => {
        const line = lines[index];
        if (line.silence !== undefined) {
          const why = line.causes.map((stall) => `${causeOf(stall.cause).letter} ${causeWords(stall.cause, stall.direction)}`);
          return { class: 'silence', spans: [3, columns.length - 3], cells: ['', [make('strong', null, `silent ${durationText(line.silence)}`), why.length > 0 && `   ${[...new Set(why)].join(', ')}`]] };
        }
        const finding = [...marks].find(([packet]) => packet >= line.first && packet <= line.last)?.[1];
        const isUp = line.direction === 'toServer';
        const mark = finding && span(`badge small ${finding.severityName}`, finding.severity.letter);
        const words = span(line.isTrouble ? 'trouble' : '', line.words);
        return {
          class: finding ? `marked ${finding.severityName}` : undefined,
          cells: [timeText(line.ns), line.gap > 0 ? durationText(line.gap) : '', [mark, ' ', packetsText(line.first, line.last)], isUp ? words : '',
            make('span', { class: 'arrow', 'aria-label': isUp ? 'to the server' : 'to the client' , role: 'img' }, line.direction === undefined ? '·' : isUp ? '──▶' : '◀──'), isUp ? '' : words, ...has(line)],
        };
      },
    }));
}

// MARK: Messages

function messagesPart(row) {
  const items = row.connection.items;
  if (!items) return undefined;
  const selection = row.selection();
  if (selection.length === 0 || items.isMerged) return undefined;
  const hasPreview = items.previews.length > 0;
  const columns = [{ title: 'Time s', isNumber: true }, { title: 'Gap', isNumber: true }, { title: 'Took', isNumber: true }, { title: 'Packet', isNumber: true }, { title: '' }, { title: 'What' }, { title: 'Bytes', isNumber: true }];
  if (hasPreview) columns.push({ title: 'Preview' });
  const words = `${count(selection.length, 'message')}${items.cut > 0 ? `, ${grouped(items.cut)} more not in the document` : ''}`;
  return fold(`Table of ${words}`, () => pagedTable({
    caption: 'Chunks, events, messages and records in order of time', name: 'figures messages', columns, length: selection.length,
    row: (at) => {
      const index = selection[at];
      const gap = at > 0 ? items.ns[index] - items.ns[selection[at - 1]] : 0;
      const text = items.text(index);
      const cells = [timeText(items.ns[index]), gap > 0 ? durationText(gap) : '', items.span[index] > 0 ? durationText(items.span[index]) : '', `#${grouped(items.packet[index])}`, items.toClient[index] ? '←' : '→', `${items.word(index)}${text ? ` ${text}` : ''}`, grouped(items.bytes[index])];
      if (hasPreview) cells.push(code(asText(items.previews[index])));
      return cells;
    },
  }));
}

function headersPart(exchange) {
  if (!exchange) return undefined;
  const all = [['request', exchange.request], ...asArray(exchange.raw.interim).map((message) => ['interim', asObject(message)]), ['response', exchange.response]]
    .flatMap(([which, message]) => asArray(message.headers).map((field) => [which, asText(asArray(field)[0]), asText(asArray(field)[1])]));
  if (all.length === 0) return undefined;
  return fold(`Table of ${count(all.length, 'header field')}`, () => pagedTable({
    caption: 'Header fields as received', name: 'fields', columns: [{ title: 'Of' }, { title: 'Name' }, { title: 'Value' }], length: all.length, size: 60,
    row: (index) => [all[index][0], code(all[index][1]), code(all[index][2])],
  }));
}
