// A document as the page needs it: connections with their exchanges, rows for the waterfall, findings in order.

class Report {
  constructor(raw) {
    this.raw = asObject(raw);
    this.capture = asObject(this.raw.capture);
    this.summary = asObject(this.raw.summary);
    this.connections = asArray(this.raw.connections).map((connection) => new Connection(asObject(connection)));
    this.byId = new Map(this.connections.map((connection) => [connection.id, connection]));
    this.end = Math.max(1, asCount(this.capture.durationNs));
    for (const connection of this.connections) this.end = Math.max(this.end, connection.end);
    this.readFindings();
    this.readHops();
    this.makeRows();
  }

  get file() {
    const path = asText(this.capture.file);
    return path.split('/').filter(Boolean).pop() ?? 'capture';
  }

  get isRedacted() { return asObject(this.raw.redaction).mode !== 'none'; }

  readFindings() {
    const all = asArray(this.raw.findings).map((finding) => new Finding(asObject(finding), this));
    this.roots = all.filter((finding) => finding.isDiagnosis && !finding.causedBy).sort(Finding.order);
    this.lint = all.filter((finding) => !finding.isDiagnosis).sort(Finding.order);
    const causes = new Map(this.roots.map((finding) => [`${finding.rule} ${finding.connectionId}`, finding]));
    for (const finding of all) {
      if (!finding.isDiagnosis || !finding.causedBy) continue;
      const cause = causes.get(`${finding.causedBy} ${finding.connectionId}`);
      // The cause may be what the document has no room for.
      if (cause) cause.consequences.push(finding);
      else this.roots.push(finding);
    }
    this.causes = new Map();
    for (const finding of this.roots) {
      if (!this.causes.has(finding.rule)) this.causes.set(finding.rule, []);
      const siblings = this.causes.get(finding.rule);
      siblings.push(finding);
      finding.anchor = `f-${finding.rule.replace(/[^a-z0-9]+/gi, '-')}-${siblings.length}`;
      this.byId.get(finding.connectionId)?.findings.push(finding);
    }
  }

  /** Behind a proxy comes what stands in front of it. */
  readHops() {
    for (const inner of this.connections) {
      const outer = this.byId.get(inner.raw.hopOf);
      if (!outer || outer === inner || outer.raw.hopOf !== undefined) continue;
      inner.outer = outer;
      outer.inners.push(inner);
    }
  }

  makeRows() {
    this.rows = [];
    for (const connection of this.connections) {
      if (connection.outer) continue;
      this.addRows(connection);
      for (const inner of connection.inners) this.addRows(inner);
    }
  }

  addRows(connection) {
    connection.rows = [new Row(connection)];
    const openers = connection.sockets.length > 0 ? new Map(connection.sockets.map((socket) => [socket.exchange, socket])) : undefined;
    for (const exchange of connection.exchanges) {
      // The request that opened a WebSocket is on the WebSocket's own row.
      const opened = openers?.get(exchange);
      if (!opened) connection.rows.push(new Row(connection, exchange));
      else if (connection.isShared) connection.rows.push(new Row(connection, undefined, opened));
    }
    const left = connection.sockets.filter((socket) => !connection.isShared || !socket.exchange);
    for (const socket of left) connection.rows.push(new Row(connection, undefined, socket));
    this.rows.push(...connection.rows);
  }

  /** What a finding is about, as a row. */
  row(finding) {
    const connection = this.byId.get(finding.connectionId);
    if (!connection) return undefined;
    const sockets = connection.rows.filter((row) => row.socket);
    const opened = sockets.find((row) => row.socket.exchange && row.socket.exchange.id === finding.exchangeId);
    if (opened) return opened;
    if (sockets.length === 1 && finding.rule.startsWith('ws/')) return sockets[0];
    const named = connection.rows.find((row) => row.exchange && row.exchange.id === finding.exchangeId);
    if (named) return named;
    // What befell a connection befell its only exchange, if it did so while that went on.
    const only = connection.rows.length === 2 ? connection.rows[1] : undefined;
    const { span } = finding;
    return only && span && span.from >= only.start && span.to <= only.end ? only : connection.rows[0];
  }

  /** Whose silence is looked at where nothing else is chosen. */
  get firstRow() {
    for (const finding of this.roots) if (this.row(finding)) return this.row(finding);
    return this.rows.find((row) => row.socket) ?? this.rows.find((row) => row.exchange) ?? this.rows[0];
  }
}

class Connection {
  constructor(raw) {
    this.raw = raw;
    this.id = asNumber(raw.id);
    this.client = asObject(raw.client);
    this.server = asObject(raw.server);
    this.start = asCount(raw.startNs);
    this.end = Math.max(this.start, asCount(raw.endNs));
    this.exchanges = asArray(raw.exchanges).map((exchange) => new Exchange(asObject(exchange), this));
    /** Over HTTP/2 there may be several, beside other exchanges. */
    this.isShared = asArray(raw.websockets).length > 0;
    const sockets = this.isShared ? asArray(raw.websockets) : raw.websocket ? [raw.websocket] : [];
    this.sockets = sockets.map((socket) => new Socket(asObject(socket), this));
    this.findings = [];
    this.inners = [];
    this.rows = [];
  }

  get number() { return `#${this.id ?? '?'}`; }
  get address() { return (host) => `${asText(host.ip).includes(':') ? `[${asText(host.ip)}]` : asText(host.ip)}:${asNumber(host.port) ?? ''}`; }
  get clientText() { return this.address(this.client); }
  get serverText() { return asText(this.server.name) || this.address(this.server); }
  get serverAddress() { return this.serverText === this.address(this.server) ? '' : this.address(this.server); }
  get title() { return `${this.clientText} → ${this.serverText}`; }
  get protocols() { return asArray(this.raw.protocols).map(asText).join(', '); }
  get agent() { return asText(this.client.library) || asText(this.client.agent); }

  // Read when first looked at: a large document has connections that nobody opens.

  get exchangesById() { return this.readById ??= new Map(this.exchanges.map((exchange) => [exchange.id, exchange])); }
  get timeline() { return this.readTimeline ??= asArray(this.raw.timeline).map(asObject); }

  get windows() { return this.readWindows ??= WindowCourse.all(asObject(this.raw.http2).window, this); }

  get items() {
    if (this.readItems === undefined) this.readItems = Items.of(this.raw) ?? null;
    return this.readItems ?? undefined;
  }

  get endWords() {
    const { kind, by } = asObject(this.raw.end);
    const isForged = this.findings.some((finding) => finding.rule === 'stream/cut-by-middlebox');
    const who = by !== 'client' && by !== 'server' ? '' : isForged ? ` in the ${by}’s name` : ` by ${by}`;
    switch (kind) {
      case 'fin': return `closed${who}`;
      case 'reset': return `reset${who}`;
      case 'open': return 'still open when the capture ends';
      case 'evicted': return 'evicted';
      default: return '';
    }
  }

  /** SYN to the end of the TCP handshake, as far as the capture point tells. */
  get connect() {
    const { clientNs, serverNs } = asObject(this.raw.rtt);
    const length = asCount(clientNs) + asCount(serverNs);
    return this.raw.midstream || length === 0 ? undefined : { from: this.start, to: this.start + length };
  }

  get handshake() {
    const phases = asObject(asObject(this.raw.tls).phases);
    const from = asNumber(phases.clientHelloNs);
    const length = asNumber(phases.finishedNs) ?? asNumber(phases.serverFlightNs) ?? asNumber(phases.serverHelloNs);
    return from === undefined || length === undefined ? undefined : { from, to: from + length };
  }
}

/** What was left of a window of HTTP/2 that was used up: from each time on, the least and the most until the next one. */
class WindowCourse {
  static all(raw, subject) {
    const sides = asObject(raw);
    return [0, 1].map((toClient) => new WindowCourse(asObject(sides[toClient ? 'toClient' : 'toServer']), toClient, subject))
      .filter((each) => each.length > 0);
  }

  constructor(raw, toClient, subject) {
    const columns = [raw.ns, raw.low, raw.high].map((column) => asArray(column).map((value) => asNumber(value) ?? 0));
    [this.ns, this.low, this.high] = columns;
    this.length = Math.min(...columns.map((column) => column.length));
    this.toClient = toClient;
    this.subject = subject;
    this.most = this.high.reduce((most, each) => Math.max(most, each), 1);
  }

  get sender() { return this.toClient ? 'server' : 'client'; }
  until(at) { return at + 1 < this.length ? this.ns[at + 1] : Math.max(this.ns[at], this.subject.end); }

  /** Nanoseconds in which nothing was left. */
  get empty() {
    let sum = 0;
    for (let at = 0; at < this.length; at++) if (this.high[at] <= 0) sum += this.until(at) - this.ns[at];
    return sum;
  }

  get words() { return `what the ${this.sender} may send: ${bytesText(this.most)} at most, nothing for ${durationText(this.empty)}`; }
}

/** Of a list, those parts that have a time. */
const timed = (list) => asArray(list).map(asObject).filter((each) => asNumber(each.ns) !== undefined);

class Exchange {
  constructor(raw, connection) {
    this.raw = raw;
    this.connection = connection;
    this.id = asNumber(raw.id);
    this.request = asObject(raw.request);
    this.response = asObject(raw.response);
    this.stream = asObject(raw.stream);
    this.start = Infinity;
    this.end = -Infinity;
    for (const { startNs, headNs, endNs } of [this.request, this.response]) {
      this.spread(startNs);
      this.spread(headNs);
      this.spread(endNs);
    }
    if (this.start > this.end) [this.start, this.end] = [connection.start, connection.end];
    // A message without an end went on to the connection's.
    if (asNumber((raw.response ? this.response : {}).endNs) === undefined) this.end = Math.max(this.end, connection.end);
  }

  spread(time) {
    if (asNumber(time) === undefined) return;
    this.start = Math.min(this.start, time);
    this.end = Math.max(this.end, time);
  }

  get stalls() { return this.readStalls ??= timed(this.stream.stalls); }
  get releases() { return this.readReleases ??= timed(this.raw.releases); }
  get windows() { return this.readWindows ??= WindowCourse.all(this.raw.window, this); }

  get status() { return asNumber(this.response.status); }
  /** It was going on when the capture began: neither its request nor the head of its response is known. */
  get isAlreadyOpen() { return this.raw.alreadyOpen === true; }
  get requestText() { return this.isAlreadyOpen ? '(stream already open)' : `${asText(this.request.method) || '?'} ${asText(this.request.target) || '?'}`; }
  /** Of a call of gRPC with what it ended with. */
  get statusText() {
    if (this.isAlreadyOpen) return '';
    return this.raw.response ? [this.status ?? '?', asText(asObject(this.raw.grpc).statusName)].filter((each) => each !== '').join(' ') : 'no response';
  }

  get isBad() { return this.status === undefined || this.status >= 400 || asNumber(asObject(this.raw.grpc).status) > 0; }
  get title() { return this.isAlreadyOpen ? this.requestText : `${this.requestText} → ${this.statusText}`; }

  /** Bars, each from and to; what is missing is left out. */
  get phases() {
    const phases = [];
    const add = (kind, from, to) => {
      if (from !== undefined && to !== undefined && to >= from) phases.push({ kind, from, to });
    };
    const sent = asNumber(this.request.endNs);
    const asked = asNumber(this.request.headNs) ?? sent;
    const answered = asNumber(this.response.startNs);
    add('send', asNumber(this.request.startNs), sent ?? (this.raw.request ? this.connection.end : undefined));
    if (asked !== undefined) add('wait', asked, answered ?? (this.raw.response ? undefined : this.connection.end));
    if (this.status !== 101) add('receive', answered, asNumber(this.response.endNs) ?? (this.raw.response ? this.connection.end : undefined));
    return phases;
  }
}

class Socket {
  constructor(raw, connection) {
    this.raw = raw;
    this.connection = connection;
    this.exchange = connection.exchangesById.get(asNumber(raw.exchange));
    this.start = this.exchange ? this.exchange.start : connection.start;
    this.end = connection.isShared && this.exchange ? this.exchange.end : connection.end;
  }

  /** Its messages and control frames. They belong to no exchange, or to the one that opened it. */
  selection(toClient) {
    const items = this.connection.items;
    if (!items) return new Uint32Array(0);
    return items.selection(this.connection.isShared ? this.exchange?.id : undefined, toClient);
  }

  get windows() { return this.exchange?.windows ?? []; }

  /** Of those sides that said goodbye: when, and with what code. */
  get closes() {
    if (this.readCloses) return this.readCloses;
    const close = asObject(this.raw.close);
    this.readCloses = ['toServer', 'toClient'].filter((side) => close[side]).map((side) => {
      const code = asNumber(asObject(close[side]).code);
      const packet = asNumber(asObject(close[side]).packet);
      const words = code === undefined ? 'without a code' : `${code} ${CLOSE_CODES.get(code) ?? ''}`.trim();
      return { side, code, packet, words, time: this.time(packet) ?? this.end };
    });
    return this.readCloses;
  }

  /** When a packet was there, if anything of it is told. */
  time(packet) {
    const entry = this.connection.timeline.find((each) => each.packet === packet && asNumber(each.ns) !== undefined);
    if (entry) return entry.ns;
    const items = this.connection.items;
    const index = items ? items.packet.indexOf(packet) : -1;
    return index < 0 ? undefined : items.ns[index];
  }

  /** Pings, each with its pong: as the timeline says, or else the next one that the other side sent. */
  get pings() {
    if (this.pairs) return this.pairs;
    this.pairs = [];
    const items = this.connection.items;
    if (!items) return this.pairs;
    const answered = new Map();
    for (const entry of this.connection.timeline) {
      if (entry.kind === 'message' && entry.refersTo !== undefined) answered.set(entry.packet, entry.refersTo);
    }
    const waiting = [[], []];
    for (const index of this.selection(undefined)) {
      const word = items.word(index);
      const side = items.toClient[index] & 1;
      if (word === 'ping') {
        const pair = { ping: index, pong: undefined };
        this.pairs.push(pair);
        waiting[side].push(pair);
      } else if (word === 'pong') {
        const open = waiting[1 - side];
        const packet = answered.get(items.packet[index]);
        const named = packet === undefined ? -1 : open.findIndex((pair) => items.packet[pair.ping] === packet);
        const [pair] = open.splice(Math.max(0, named), 1);
        if (pair) pair.pong = index;
      }
    }
    return this.pairs;
  }
}

/** A line of the waterfall: of a connection, one of its exchanges, or its WebSocket. */
class Row {
  constructor(connection, exchange, socket) {
    this.connection = connection;
    this.exchange = exchange;
    this.socket = socket;
    this.subject = exchange ?? socket ?? connection;
    this.start = this.subject.start;
    this.end = this.subject.end;
  }

  get windows() { return this.subject.windows; }

  get kind() { return this.exchange ? 'exchange' : this.socket ? 'socket' : 'connection'; }

  get title() {
    if (this.exchange) return this.exchange.title;
    if (this.socket) return this.socket.exchange ? `${this.socket.exchange.title} WebSocket` : 'WebSocket';
    return this.connection.title;
  }

  /** What belongs to the row, as indices of the connection's items. */
  selection(toClient) {
    const items = this.connection.items;
    if (!items) return new Uint32Array(0);
    if (this.exchange) return items.selection(this.exchange.id, toClient);
    if (this.socket) return this.socket.selection(toClient);
    return this.connection.exchanges.length > 0 ? items.selection(0, toClient) : items.selection(undefined, toClient);
  }

  get findings() {
    return this.connection.findings.filter((finding) => finding.report.row(finding) === this);
  }

  /** Between two of its pieces, as the figures have it: the pieces themselves may be left out. */
  get longestGap() {
    const longest = (gaps) => asCount(asObject(gaps).max);
    if (this.socket) return Math.max(...Object.values(asObject(this.socket.raw.gaps)).map(longest), 0);
    const stream = this.exchange ? this.exchange.stream : {};
    return Math.max(longest(stream.gaps), longest(asObject(stream.events).gaps), longest(asObject(stream.lines).gaps));
  }

  get searchText() {
    return [
      this.connection.number, this.connection.title, this.connection.serverAddress, this.connection.protocols,
      this.connection.agent, this.title, ...this.findings.map((finding) => finding.rule),
    ].join(' ').toLowerCase();
  }
}

class Finding {
  constructor(raw, report) {
    this.raw = raw;
    this.report = report;
    this.rule = asText(raw.rule) || 'unnamed';
    this.severity = severityOf(raw.severity);
    this.severityName = SEVERITIES.has(raw.severity) ? raw.severity : 'note';
    this.isDiagnosis = raw.class === 'diagnosis';
    this.causedBy = asText(raw.causedBy);
    this.connectionId = asNumber(raw.connection);
    this.exchangeId = asNumber(raw.exchange);
    this.evidence = asArray(raw.evidence).map(asObject);
    this.consequences = [];
  }

  get cost() { return asObject(this.raw.cost); }
  get packets() { return new Set(this.evidence.map((each) => asNumber(each.seriesPacket) || asNumber(each.packet)).filter(Boolean)); }

  /**
   * From and to in time. Of a delay it is the pair of quoted packets that lie as far apart as it cost; of anything
   * else, all that is quoted.
   */
  get span() {
    const times = this.evidence.map((each) => asNumber(each.ns)).filter((time) => time !== undefined).sort((a, b) => a - b);
    if (times.length === 0) return undefined;
    const cost = this.cost.kind === 'delay' ? asNumber(this.cost.ns) : undefined;
    if (cost !== undefined) {
      for (const from of times) {
        const to = times.find((time) => Math.abs(time - from - cost) <= cost * 0.005);
        if (to !== undefined && to > from) return { from, to };
      }
    }
    return { from: times[0], to: times[times.length - 1] };
  }

  get weight() {
    const { kind, what, ns, bytes } = this.cost;
    const rank = kind === 'failed' ? (what === 'connection' ? 0 : 1) : kind === 'lost' ? 2 : kind === 'delay' ? 3 : 4;
    const doubt = this.isDiagnosis && this.raw.confidence !== 'high' ? 1 : 0;
    return [this.severity.rank, doubt, rank, -(asNumber(ns) ?? asNumber(bytes) ?? 0), asNumber(this.raw.firstPacket) ?? Infinity];
  }

  /** As people want to read them: severity, then what is proven, then cost, then the order of the capture. */
  static order(left, right) {
    const a = left.weight;
    const b = right.weight;
    for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return a[index] - b[index];
    return left.rule < right.rule ? -1 : 1;
  }
}
