// Drawing. Everything that can be many is drawn on a canvas; a canvas is never the only place where something is said.

/** Colours are those of the style sheet, so that themes and forced colours are one place. */
const COLORS = [
  'ink', 'muted', 'line', 'paper', 'surface', 'accent', 'error', 'warning', 'note', 'connect', 'tls', 'send', 'wait',
  'receive', 'idle', 'loss', 'shut', 'flight', 'hold', 'unsure', 'piece', 'quiet', 'binary', 'ping', 'close', 'focus',
];
const theme = new Map();
const patterns = new Map();

function readTheme() {
  const style = getComputedStyle(document.documentElement);
  for (const name of COLORS) theme.set(name, style.getPropertyValue(`--${name}`).trim() || 'CanvasText');
  patterns.clear();
}

const color = (name) => theme.get(name) ?? theme.get('ink');

const TEXT_FONT = '11px system-ui, "Segoe UI", "Noto Sans", sans-serif';
const MARK_FONT = '600 10px system-ui, "Segoe UI", "Noto Sans", sans-serif';

/**
 * Fits the canvas to its place and answers a context in CSS pixels; undefined while it has no place. Who draws many asks
 * for all widths before: to ask between two drawings makes the browser lay the page out again.
 */
function prepare(canvas, height, width = canvas.clientWidth) {
  if (width < 8) return undefined;
  const ratio = Math.min(3, window.devicePixelRatio || 1);
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.height = `${height}px`;
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = TEXT_FONT;
  context.textBaseline = 'middle';
  return Object.assign(context, { shownWidth: width, shownHeight: height });
}

/** Hatching in a colour: rise ⟋, fall ⟍, cross, dots. */
function pattern(context, kind, name) {
  const key = `${kind} ${name}`;
  if (patterns.has(key)) return patterns.get(key);
  const tile = document.createElement('canvas');
  tile.width = tile.height = 6;
  const pen = tile.getContext('2d');
  pen.strokeStyle = pen.fillStyle = color(name);
  pen.lineWidth = 1.3;
  const stroke = (...points) => {
    pen.beginPath();
    for (const [x1, y1, x2, y2] of points) {
      pen.moveTo(x1, y1);
      pen.lineTo(x2, y2);
    }
    pen.stroke();
  };
  const rise = [[-1, 7, 7, -1], [-4, 4, 4, -4], [2, 10, 10, 2]];
  const fall = [[-1, -1, 7, 7], [-4, 2, 2, 8], [4, -4, 10, 2]];
  if (kind === 'rise' || kind === 'cross') stroke(...rise);
  if (kind === 'fall' || kind === 'cross') stroke(...fall);
  if (kind === 'dots') pen.fillRect(2, 2, 1.6, 1.6);
  const made = context.createPattern(tile, 'repeat');
  patterns.set(key, made);
  return made;
}

/** A box with a pale ground, hatching and an outline; at least a pixel wide. */
function hatched(context, x, y, width, height, name, kind) {
  const wide = Math.max(1.5, width);
  context.save();
  context.globalAlpha = 0.16;
  context.fillStyle = color(name);
  context.fillRect(x, y, wide, height);
  context.globalAlpha = 0.75;
  if (kind !== 'none') {
    context.fillStyle = pattern(context, kind, name);
    context.fillRect(x, y, wide, height);
  }
  context.globalAlpha = 1;
  context.strokeStyle = color(name);
  context.lineWidth = 1;
  if (wide > 3) context.strokeRect(x + 0.5, y + 0.5, wide - 1, height - 1);
  context.restore();
}

/** Text on a ground of its own, so that it is read over anything. */
function label(context, text, x, y, name, align) {
  const width = context.measureText(text).width + 6;
  const left = align === 'right' ? x - width : align === 'center' ? x - width / 2 : x;
  context.save();
  context.fillStyle = color('surface');
  context.globalAlpha = 0.9;
  context.fillRect(left, y - 7, width, 14);
  context.globalAlpha = 1;
  context.fillStyle = color(name);
  context.fillText(text, left + 3, y + 0.5);
  context.restore();
  return width;
}

/** Times on a line of pixels. */
class Scale {
  constructor(from, to, width, inset) {
    this.from = from;
    this.to = Math.max(to, from + 1);
    this.inset = inset ?? 6;
    this.width = width - 2 * this.inset;
  }

  x(time) { return this.inset + (time - this.from) / (this.to - this.from) * this.width; }
  time(x) { return this.from + (x - this.inset) / this.width * (this.to - this.from); }
  /** Kept near the edges, so that nothing is drawn a million pixels away. */
  near(time) { return Math.min(this.width + this.inset + 40, Math.max(-40, this.x(time))); }

  /** Round times about `space` pixels apart. */
  ticks(space) {
    const least = (this.to - this.from) / Math.max(1, this.width / space);
    const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= least) ?? 10 * power;
    const ticks = [];
    for (let time = Math.ceil(this.from / step) * step; time <= this.to && ticks.length < 200; time += step) ticks.push(time);
    return { step, ticks };
  }
}

function drawGrid(context, scale, height) {
  context.fillStyle = color('line');
  for (const time of scale.ticks(90).ticks) context.fillRect(Math.round(scale.x(time)), 0, 1, height);
}

const AXIS_HEIGHT = 22;

function drawAxis(canvas, from, to, width) {
  const context = prepare(canvas, AXIS_HEIGHT, width);
  if (!context) return;
  const scale = new Scale(from, to, context.shownWidth);
  const { step, ticks } = scale.ticks(90);
  context.strokeStyle = color('line');
  for (const time of ticks) {
    const x = Math.round(scale.x(time));
    context.fillStyle = color('line');
    context.fillRect(x, 15, 1, 7);
    context.fillStyle = color('muted');
    const text = `${timeText(time, step)} s`;
    const half = context.measureText(text).width / 2;
    context.fillText(text, Math.min(context.shownWidth - 2 * half, Math.max(0, x - half)), 8);
  }
}

// MARK: Ticks

const RARITY = ['quiet', 'piece', 'binary', 'ping', 'close'];

/**
 * Items of a selection as ticks from `base` upwards (`rise` < 0) or down, taller for more bytes. Those that fall on the
 * same pixel are one bin, of their sum and of the rarest kind among them: a ping must not vanish among texts. Where
 * there are more items than pixels, the heights compare the bins with each other.
 */
function drawTicks(context, scale, items, selection, base, rise) {
  const first = items.place(selection, scale.time(-4));
  const last = items.place(selection, scale.time(context.shownWidth + 4));
  const bins = [];
  let most = 1;
  for (let at = first; at < last; at++) {
    const index = selection[at];
    const x = Math.round(scale.x(items.ns[index]));
    let bin = bins.at(-1);
    if (bin?.x !== x) bins.push(bin = { x, bytes: 0, rank: 0, number: 0 });
    bin.bytes += items.bytes[index];
    bin.number += items.weight[index];
    bin.rank = Math.max(bin.rank, RARITY.indexOf(items.color(index)));
    most = Math.max(most, bin.bytes);
  }
  const room = Math.abs(rise);
  const isDense = last - first > 2 * bins.length;
  for (const { x, bytes, rank, number } of bins) {
    const share = isDense ? 0.15 + 0.85 * bytes / most : 0.3 + 0.14 * Math.log10(1 + bytes);
    const tall = Math.min(room, Math.max(4, room * share));
    context.fillStyle = color(RARITY[rank]);
    context.fillRect(x - 1, rise < 0 ? base - tall : base, isDense ? 1 : number > 1 ? 2.5 : 2, tall);
  }
}

/** How long a message, or a line of several, took to arrive: a thin line before its tick. */
function drawSpans(context, scale, items, selection, y) {
  const first = items.place(selection, scale.time(0));
  const last = Math.min(selection.length, items.place(selection, scale.time(context.shownWidth)) + 1, first + 2000);
  context.fillStyle = color('piece');
  for (let at = first; at < last; at++) {
    const index = selection[at];
    if (items.span[index] <= 0) continue;
    const from = scale.near(items.start(index));
    const to = scale.near(items.ns[index]);
    if (to - from > 2) context.fillRect(from, y, to - from, 1);
  }
}

// MARK: Rows

const ROW_HEIGHTS = new Map([['connection', 26], ['exchange', 42], ['socket', 84]]);
const WINDOW_LANE = 20;
const FINDING_LANE = 17;
const LANE_LIMIT = 3;

/** Without its findings. */
function bodyHeight(row) {
  return (ROW_HEIGHTS.get(row.kind) ?? 42) + row.windows.length * WINDOW_LANE;
}

function rowHeight(row) {
  return bodyHeight(row) + Math.min(LANE_LIMIT, row.findings.length) * FINDING_LANE;
}

function drawRow(canvas, row, from, to, highlight, width) {
  const height = rowHeight(row);
  const context = prepare(canvas, height, width);
  if (!context) return;
  const scale = new Scale(from, to, context.shownWidth);
  drawGrid(context, scale, height);
  if (row.kind === 'connection') drawConnection(context, scale, row);
  else if (row.kind === 'exchange') drawExchange(context, scale, row);
  else drawSocket(context, scale, row);
  row.windows.forEach((each, lane) => drawWindow(context, scale, each, bodyHeight(row) - (row.windows.length - lane) * WINDOW_LANE));
  drawFindings(context, scale, row, bodyHeight(row), highlight);
}

/** What was left of a window, as a line; hatched where that was nothing. */
function drawWindow(context, scale, course, top) {
  const tall = WINDOW_LANE - 6;
  const bottom = top + tall;
  const y = (bytes) => bottom - tall * Math.min(1, Math.max(0, bytes / course.most));
  const name = course.toClient ? 'receive' : 'send';
  const { pattern: hatching, color: empty } = causeOf(course.subject.exchanges ? 'connectionWindow' : 'streamWindow');
  let before = y(course.high[0]);
  for (let at = 0; at < course.length; at++) {
    const from = scale.near(course.ns[at]);
    const to = scale.near(course.until(at));
    const [high, low] = [y(course.high[at]), y(course.low[at])];
    if (to >= 0 && from <= context.shownWidth) {
      if (course.high[at] <= 0 && to - from > 2) hatched(context, from, top, to - from, tall, empty, hatching);
      context.fillStyle = color(name);
      context.fillRect(from, Math.min(before, high), 1, Math.max(1, Math.abs(before - high)));
      context.fillRect(from, high, Math.max(1, to - from), Math.max(1.2, low - high));
    }
    before = low;
  }
  const left = scale.near(course.ns[0]);
  context.fillStyle = color('muted');
  context.fillRect(left, bottom, Math.max(1, scale.near(course.until(course.length - 1)) - left), 1);
  const words = `window ${bytesText(course.most)}`;
  // Before its line, where there is room: it ends at nothing as often as it begins there.
  const fits = context.measureText(words).width + 12 < left;
  label(context, words, fits ? left - 4 : Math.max(2, left + 3), top + tall / 2, name, fits ? 'right' : 'left');
}

function drawConnection(context, scale, row) {
  const { connection } = row;
  const middle = 13;
  const bar = (phase, name, y, tall) => {
    if (!phase) return;
    context.fillStyle = color(name);
    const x = scale.near(phase.from);
    context.fillRect(x, y, Math.max(2, scale.near(phase.to) - x), tall);
  };
  context.fillStyle = color('muted');
  const x = scale.near(connection.start);
  context.fillRect(x, middle, Math.max(1, scale.near(connection.end) - x), 1);
  bar(connection.connect, 'connect', middle - 4, 9);
  const { handshake } = connection;
  if (handshake) {
    const left = scale.near(handshake.from);
    hatched(context, left, middle - 5, Math.max(2, scale.near(handshake.to) - left), 11, 'tls', 'fall');
  }
  const items = connection.items;
  if (items && (connection.sockets.length === 0 || connection.isShared)) {
    drawTicks(context, scale, items, row.selection(0), middle, -11);
    drawTicks(context, scale, items, row.selection(1), middle + 1, 11);
  }
  drawTrouble(context, scale, connection, middle);
}

/** Letters on the connection's line where TCP itself had something to say. */
function drawTrouble(context, scale, connection, middle) {
  let free = -Infinity;
  context.font = MARK_FONT;
  for (const entry of connection.timeline) {
    const mark = TROUBLE.get(entry.kind);
    const time = asNumber(entry.ns);
    if (!mark || time === undefined || time < scale.from || time > scale.to) continue;
    const x = scale.x(time);
    const isEnd = entry.kind === 'fin';
    context.fillStyle = color(isEnd ? 'muted' : 'error');
    context.fillRect(x - 0.5, middle - 8, 1.5, 17);
    if (isEnd || x < free) continue;
    free = x + label(context, mark, x + 2, middle, 'error');
  }
  context.font = TEXT_FONT;
}

function drawExchange(context, scale, row) {
  const { exchange, connection } = row;
  const top = 14;
  const tall = 13;
  for (const phase of exchange.phases) {
    const x = scale.near(phase.from);
    const width = Math.max(phase.to > phase.from ? 1.5 : 1, scale.near(phase.to) - x);
    if (phase.kind === 'wait') {
      hatched(context, x, top + 3, width, tall - 6, 'wait', 'dots');
    } else {
      context.save();
      context.globalAlpha = 0.32;
      context.fillStyle = color(phase.kind);
      // What is sent fills the upper half and what comes back the lower one, because both may go on at once.
      context.fillRect(x, phase.kind === 'send' ? top : top + tall / 2, width, tall / 2);
      context.globalAlpha = 1;
      context.fillRect(x, phase.kind === 'send' ? top : top + tall - 1, width, 1);
      context.restore();
    }
  }
  for (const stall of exchange.stalls) drawStall(context, scale, stall, top - 2, tall + 4);
  for (const release of exchange.releases) drawRelease(context, scale, exchange, release, top + tall + 3);
  const items = connection.items;
  if (items) {
    drawTicks(context, scale, items, row.selection(0), top, -13);
    drawTicks(context, scale, items, row.selection(1), top + tall, 14);
    drawSpans(context, scale, items, row.selection(1), top + tall);
  }
  drawStatus(context, scale, exchange, top + tall / 2);
}

function drawStall(context, scale, stall, y, tall) {
  const from = scale.near(stall.ns);
  const to = scale.near(stall.ns + asCount(stall.durationNs));
  if (to < 0 || from > context.shownWidth) return;
  const cause = causeOf(stall.cause);
  hatched(context, from, y, to - from, tall, cause.color, cause.pattern);
  const seen = [Math.max(0, from), Math.min(context.shownWidth, to)];
  const room = seen[1] - seen[0];
  const words = `${cause.letter} ${causeWords(stall.cause, stall.direction)} ${durationText(stall.durationNs)}`;
  const text = context.measureText(words).width + 12 < room ? words : room > 16 ? cause.letter : '';
  if (text) label(context, text, (seen[0] + seen[1]) / 2, y + tall / 2, 'ink', 'center');
}

/** From the first byte on the wire until an app receives it: only the client's library knows. */
function drawRelease(context, scale, exchange, release, y) {
  const begin = asNumber(exchange.response.startNs);
  if (begin === undefined || release.ns - begin < 1e6) return;
  const from = scale.near(begin);
  const to = scale.near(release.ns);
  if (to < 0 || from > context.shownWidth || to - from < 3) return;
  hatched(context, from, y, to - from, 10, 'hold', 'rise');
  const words = `${asText(release.client) || 'an app'} receives nothing for ${durationText(release.ns - begin)}`;
  const seen = [Math.max(0, from), Math.min(context.shownWidth, to)];
  if (context.measureText(words).width + 12 < seen[1] - seen[0]) label(context, words, (seen[0] + seen[1]) / 2, y + 6, 'hold', 'center');
}

function drawStatus(context, scale, exchange, y) {
  const { status } = exchange;
  const isIncomplete = exchange.response.complete === false || (exchange.raw.request && !exchange.raw.response);
  const text = status === undefined ? 'no response' : status >= 400 || status === 101 ? String(status) : '';
  const words = [text, isIncomplete && status !== undefined && status !== 101 ? '✕ cut' : ''].filter(Boolean).join(' ');
  if (!words) return;
  const x = scale.near(exchange.end) + 4;
  const name = status === 101 ? 'muted' : status !== undefined && status < 400 && !isIncomplete ? 'muted' : 'error';
  const width = context.measureText(words).width;
  label(context, words, Math.min(x, context.shownWidth - width - 8), y, name);
}

function drawSocket(context, scale, row) {
  const { socket, connection } = row;
  const middle = 42;
  const from = scale.near(socket.start);
  const to = scale.near(socket.end);
  context.save();
  context.globalAlpha = 0.08;
  context.fillStyle = color('send');
  context.fillRect(from, 6, Math.max(1, to - from), middle - 6);
  context.fillStyle = color('receive');
  context.fillRect(from, middle, Math.max(1, to - from), middle - 6);
  context.restore();
  context.fillStyle = color('muted');
  context.fillRect(from, middle, Math.max(1, to - from), 1);
  for (const phase of socket.exchange?.phases ?? []) {
    if (phase.kind !== 'wait') continue;
    const left = scale.near(phase.from);
    hatched(context, left, middle - 5, Math.max(2, scale.near(phase.to) - left), 10, 'wait', 'dots');
  }
  const items = connection.items;
  if (items) {
    drawTicks(context, scale, items, row.selection(0), middle, -22);
    drawTicks(context, scale, items, row.selection(1), middle + 1, 22);
    drawPings(context, scale, socket, items, middle);
  }
  drawEnds(context, scale, socket, middle);
}

/** A ping is joined with its pong by a bow; one without stands alone with a cross. */
function drawPings(context, scale, socket, items, middle) {
  let free = -Infinity;
  let drawn = 0;
  context.lineWidth = socket.pings.length > 60 ? 0.4 : 1.3;
  for (const { ping, pong } of socket.pings) {
    const from = scale.x(items.ns[ping]);
    const to = pong === undefined ? from : scale.x(items.ns[pong]);
    if (to < -20 || from > context.shownWidth + 20 || drawn > 1500) continue;
    drawn++;
    const up = items.toClient[ping] ? 1 : -1;
    const high = middle + up * 30;
    context.strokeStyle = color(pong === undefined ? 'error' : 'ping');
    context.beginPath();
    if (pong !== undefined) {
      context.moveTo(from, middle);
      context.quadraticCurveTo((from + to) / 2, middle + up * 56, to, middle);
    } else {
      context.moveTo(from, middle);
      context.lineTo(from, high);
    }
    context.stroke();
    if (from < free) continue;
    const rtt = pong === undefined ? 0 : items.ns[pong] - items.ns[ping];
    const words = pong === undefined ? '✕ ping, no pong' : `ping ${durationText(rtt)}`;
    const width = context.measureText(words).width + 8;
    const x = Math.max(2, Math.min((from + to) / 2 - (pong === undefined ? width + 2 : width / 2), context.shownWidth - width));
    label(context, words, x, high, pong === undefined ? 'error' : 'ping');
    free = Math.max(from, x + width);
  }
}

function drawEnds(context, scale, socket, middle) {
  for (const close of socket.closes) {
    const { time } = close;
    const x = Math.min(scale.near(time), context.shownWidth - 2);
    const up = close.side === 'toServer' ? -1 : 1;
    context.fillStyle = color('close');
    context.fillRect(x - 1, up < 0 ? middle - 30 : middle, 2.5, 30);
    const words = `Close ${close.words}`;
    const isTight = context.measureText(words).width + 12 > x;
    label(context, words, isTight ? x + 3 : x - 4, middle + up * 26, 'close', isTight ? 'left' : 'right');
  }
  for (const entry of socket.connection.timeline) {
    if (!['fin', 'reset'].includes(entry.kind) || asNumber(entry.ns) === undefined) continue;
    const x = scale.x(entry.ns);
    if (x < 0 || x > context.shownWidth) continue;
    const up = entry.direction === 'toServer' ? -1 : 1;
    const words = entry.kind === 'reset' ? '✕ RST' : 'FIN';
    context.fillStyle = color(entry.kind === 'reset' ? 'error' : 'muted');
    context.fillRect(x - 0.5, up < 0 ? middle - 20 : middle, 1.5, 20);
    const width = context.measureText(words).width + 8;
    label(context, words, Math.min(x + 2, context.shownWidth - width), middle + up * 13, entry.kind === 'reset' ? 'error' : 'muted');
  }
}

// MARK: Findings on rows

function drawFindings(context, scale, row, top, highlight) {
  row.findings.slice(0, LANE_LIMIT).forEach((finding, lane) => {
    const { span } = finding;
    if (!span) return;
    const y = top + lane * FINDING_LANE;
    const from = scale.near(span.from);
    const to = scale.near(span.to);
    if (to < 0 || from > context.shownWidth) return;
    const isLit = finding === highlight;
    const name = finding.severityName;
    if (isLit) {
      context.save();
      context.globalAlpha = 0.13;
      context.fillStyle = color(name);
      context.fillRect(from - 2, 0, Math.max(5, to - from + 4), y + 6);
      context.restore();
    }
    context.fillStyle = color(name);
    const wide = Math.max(3, to - from);
    context.fillRect(from, y + 2, wide, isLit ? 3 : 2);
    context.fillRect(from, y - 3, 1.5, 8);
    context.fillRect(from + wide - 1.5, y - 3, 1.5, 8);
    const cost = costWords(finding.cost);
    const words = `${finding.severity.letter} ${finding.rule}${cost ? `, ${cost}` : ''}`;
    context.font = isLit ? `600 ${TEXT_FONT}` : TEXT_FONT;
    const width = context.measureText(words).width + 6;
    const left = Math.max(0, from);
    const x = left + width < context.shownWidth ? left : context.shownWidth - width;
    label(context, words, Math.max(0, x), y + 11, name);
    context.font = TEXT_FONT;
  });
}
