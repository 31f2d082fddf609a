// Chunks, events, messages and records of a connection: columns, because there may be half a million of them.

class Items {
  constructor(length) {
    this.length = length;
    this.ns = new Float64Array(length);
    this.span = new Float64Array(length);
    this.packet = new Float64Array(length);
    this.bytes = new Float64Array(length);
    this.weight = new Float64Array(length).fill(1);
    this.toClient = new Uint8Array(length);
    this.kind = new Uint8Array(length);
    this.exchange = new Float64Array(length);
    this.label = new Float64Array(length);
    this.kinds = [];
    this.labels = [''];
    this.previews = [];
    this.cut = 0;
    /** Of the timeline, where several pieces may be one line. */
    this.isMerged = false;
    this.selections = new Map();
  }

  /** Of a connection's document; nothing where it holds neither items nor a timeline with any. */
  static of(connection) {
    const columns = asObject(connection.items);
    return asArray(columns.ns).length > 0 ? Items.ofColumns(columns, connection) : Items.ofTimeline(connection);
  }

  static ofColumns(columns, connection) {
    const times = asArray(columns.ns);
    const items = new Items(times.length);
    const copy = (name, target) => {
      const source = asArray(columns[name]);
      for (let index = 0; index < target.length; index++) target[index] = asNumber(source[index]) ?? 0;
    };
    copy('ns', items.ns);
    copy('spanNs', items.span);
    copy('packet', items.packet);
    copy('bytes', items.bytes);
    copy('direction', items.toClient);
    copy('kind', items.kind);
    copy('exchange', items.exchange);
    copy('label', items.label);
    items.kinds = asArray(columns.kinds).map(asText);
    items.labels = asArray(columns.labels).map(asText);
    items.previews = asArray(columns.preview);
    items.cut = asCount(connection.itemsCut);
    items.sort();
    return items;
  }

  static ofTimeline(connection) {
    const names = new Map([['chunks', 'chunk'], ['body', 'body'], ['records', 'record'], ['data', 'data']]);
    const words = (entry) => names.get(entry.kind) ?? asText(entry.label).toLowerCase().split(/[ :,]/)[0];
    const entries = asArray(connection.timeline).map(asObject).filter((entry) => {
      return asNumber(entry.ns) !== undefined && (entry.kind === 'message' || names.has(entry.kind));
    });
    if (entries.length === 0) return undefined;
    const items = new Items(entries.length);
    entries.forEach((entry, index) => {
      const word = words(entry);
      let kind = items.kinds.indexOf(word);
      if (kind < 0) kind = items.kinds.push(word) - 1;
      items.ns[index] = asNumber(entry.lastNs) ?? entry.ns;
      items.span[index] = items.ns[index] - entry.ns;
      items.packet[index] = asNumber(entry.lastPacket) ?? asCount(entry.packet);
      items.bytes[index] = asCount(entry.bytes);
      items.weight[index] = Math.max(1, asCount(entry.value));
      items.toClient[index] = entry.direction === 'toClient' ? 1 : 0;
      items.kind[index] = kind;
      items.exchange[index] = asCount(entry.exchange);
    });
    items.isMerged = items.weight.some((weight) => weight > 1);
    items.cut = asCount(connection.timelineCut);
    items.sort();
    return items;
  }

  /** The columns come in order of time; where a document's do not, use `order`. */
  sort() {
    this.order = undefined;
    for (let index = 1; index < this.length; index++) {
      if (this.ns[index] < this.ns[index - 1]) {
        this.order = Uint32Array.from({ length: this.length }, (_, at) => at).sort((a, b) => this.ns[a] - this.ns[b]);
        return;
      }
    }
  }

  word(index) { return this.kinds[this.kind[index]] ?? 'item'; }
  color(index) { return kindOf(this.word(index)).color; }
  text(index) { return this.labels[this.label[index]] ?? ''; }
  start(index) { return this.ns[index] - this.span[index]; }

  /** One body: of an exchange in a direction. */
  stream(index) { return this.exchange[index] * 2 + (this.toClient[index] & 1); }

  /** Bodies that hold events, lines or messages of gRPC. Their chunks are the same bytes once more, and are not counted beside them. */
  get messageStreams() {
    if (this.readStreams) return this.readStreams;
    this.readStreams = new Set();
    const messages = new Set(['event', 'comment', 'line', 'grpc'].map((name) => this.kinds.indexOf(name)).filter((kind) => kind >= 0));
    if (messages.size === 0) return this.readStreams;
    for (let index = 0; index < this.length; index++) {
      if (messages.has(this.kind[index])) this.readStreams.add(this.stream(index));
    }
    return this.readStreams;
  }

  /** Those of an exchange (all without one), and of a direction if one is given, in order of time. */
  selection(exchange, toClient) {
    const key = `${exchange ?? ''} ${toClient ?? ''}`;
    if (this.selections.has(key)) return this.selections.get(key);
    const list = new Uint32Array(this.length);
    let size = 0;
    const chunk = this.kinds.indexOf('chunk');
    for (let at = 0; at < this.length; at++) {
      const index = this.order ? this.order[at] : at;
      if (this.kind[index] === chunk && this.messageStreams.has(this.stream(index))) continue;
      if (exchange !== undefined && this.exchange[index] !== exchange) continue;
      if (toClient !== undefined && this.toClient[index] !== toClient) continue;
      list[size++] = index;
    }
    const selection = list.subarray(0, size);
    this.selections.set(key, selection);
    return selection;
  }

  /** The first place of a selection whose time is not before `time`. */
  place(selection, time) {
    let low = 0;
    let high = selection.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.ns[selection[middle]] < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Nanoseconds between one item of a selection and the next. */
function gapsOf(items, selection) {
  const gaps = new Float64Array(Math.max(0, selection.length - 1));
  for (let index = 1; index < selection.length; index++) {
    gaps[index - 1] = items.ns[selection[index]] - items.ns[selection[index - 1]];
  }
  return gaps;
}
