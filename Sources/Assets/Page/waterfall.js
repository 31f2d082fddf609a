// The waterfall: a row a connection, an exchange and a WebSocket, on one axis.

const ROWS_SHOWN = 30;
const HINT = 'Point at a row to read it, drag to zoom, Ctrl and wheel to zoom, ? for keys.';
const AXIS_NOTE = 'Times are arrivals at the capture point, in seconds since its first packet.';

const ORDERS = [['capture', 'as captured'], ['slow', 'slowest first'], ['gap', 'longest gap first']];
const WEIGHTS = new Map([['slow', (row) => row.end - row.start], ['gap', (row) => row.longestGap]]);

class Waterfall {
  constructor(page) {
    this.page = page;
    this.report = page.report;
    this.showAll();
    this.first = 0;
    this.query = '';
    this.order = 'capture';
    this.hurtOnly = this.report.rows.length > ROWS_SHOWN && this.report.roots.length > 0;
    this.body = make('div', { class: 'rows', role: 'listbox', 'aria-label': 'Timeline: connections and exchanges', tabindex: -1 });
    this.axis = make('canvas', { class: 'axis', 'aria-hidden': 'true' });
    this.readout = make('p', { class: 'readout', 'aria-hidden': 'true' }, HINT);
    this.none = make('p', { class: 'empty' });
    this.element = this.build();
    this.filter();
  }

  build() {
    const search = make('input', {
      type: 'search', id: 'search', placeholder: 'Filter rows  ( / )', 'aria-label': 'Filter rows by address, path, status or rule',
      autocomplete: 'off', spellcheck: 'false', on: {
        input: () => { this.query = this.search.value.trim().toLowerCase(); this.first = 0; this.filter(); },
        keydown: (event) => { if (event.key === 'Enter') this.focusRow(this.visible[0]); },
      },
    });
    this.search = search;
    this.hurtBox = make('input', { type: 'checkbox', id: 'hurt', on: { change: () => { this.hurtOnly = this.hurtBox.checked; this.first = 0; this.filter(); } } });
    this.hurtBox.checked = this.hurtOnly;
    this.orderBox = make('select', { id: 'order', 'aria-label': 'Order of the rows', on: { change: () => { this.order = this.orderBox.value; this.first = 0; this.filter(); } } },
      ORDERS.map(([value, words]) => make('option', { value }, words)));
    const zoom = (label, words, action) => button(label, action, { class: 'small', 'aria-label': words, title: words });
    this.pager = make('div', { class: 'pager', role: 'group', 'aria-label': 'rows shown' });
    return make('section', { class: 'timeline', 'aria-labelledby': 'timeline-title' },
      div('title-row', make('h2', { id: 'timeline-title' }, 'Timeline'),
        div('tools', search, this.report.rows.length > ROWS_SHOWN && this.orderBox,
          this.report.roots.length > 0 && make('label', { class: 'check', for: 'hurt' }, this.hurtBox, ' only hurt'),
          make('div', { class: 'zoom', role: 'group', 'aria-label': 'zoom' },
            zoom('−', 'Zoom out (-)', () => this.zoom(2)), zoom('+', 'Zoom in (+)', () => this.zoom(0.5)),
            zoom('◀', 'Earlier', () => this.pan(-0.3)), zoom('▶', 'Later', () => this.pan(0.3)),
            zoom('Fit', 'Fit the selected row (f)', () => this.fitRow()), zoom('All', 'Whole capture (0)', () => this.showAll())))),
      div('chart',
        div('axis-row', make('p', { class: 'axis-note' }, AXIS_NOTE), this.axis),
        this.body, this.none, this.pager, this.readout),
      this.legend(),
      fold('Table of this timeline', () => this.table()));
  }

  // MARK: Rows

  filter() {
    const words = this.query.split(/\s+/).filter(Boolean);
    const rows = this.report.rows;
    if (!words.length && !this.hurtOnly) {
      this.visible = rows;
    } else {
      const isWanted = (connection) => (!this.hurtOnly || connection.findings.length > 0)
        && words.every((word) => connection.rows.some((row) => row.searchText.includes(word)));
      const wanted = new Map();
      this.visible = rows.filter((row) => {
        const { connection } = row;
        if (!wanted.has(connection)) wanted.set(connection, isWanted(connection) || connection.inners.some(isWanted) || (connection.outer && isWanted(connection.outer)));
        if (!wanted.get(connection)) return false;
        return row.kind === 'connection' || connection.rows.length < 8 || !words.length || words.every((word) => row.searchText.includes(word));
      });
    }
    const weight = WEIGHTS.get(this.order);
    // Each row for itself: what is slow is an exchange, and not all that its connection carried.
    if (weight) this.visible = this.visible.filter((row) => row.kind !== 'connection').sort((a, b) => weight(b) - weight(a));
    this.render();
  }

  render() {
    const total = this.visible.length;
    this.first = Math.max(0, Math.min(this.first, total - 1));
    const last = Math.min(total, this.first + ROWS_SHOWN);
    this.drawn = this.visible.slice(this.first, last).map((row) => ({ row, ...this.line(row) }));
    this.body.replaceChildren(...this.drawn.map((each) => each.element));
    this.body.hidden = total === 0;
    replace(this.none, total === 0 && (this.report.rows.length ? 'No row matches.' : 'No TCP connection to show.'));
    const all = this.report.rows.length;
    const cut = asCount(this.report.raw.connectionsCut);
    replace(this.pager,
      total > ROWS_SHOWN && button('←', () => this.turn(-1), { 'aria-label': 'rows before', disabled: this.first === 0 }),
      total > 0 && span('shown', `showing ${grouped(this.first + 1)}–${grouped(last)} of ${grouped(total)} rows${total < all ? `, ${grouped(all)} in all` : ''}${cut ? `; ${count(cut, 'connection')} not in the document` : ''}`),
      total > ROWS_SHOWN && button('→', () => this.turn(1), { 'aria-label': 'next rows', disabled: last >= total }));
    this.mark();
    this.draw();
  }

  turn(pages) {
    this.first = Math.max(0, this.first + pages * ROWS_SHOWN);
    this.render();
    this.body.scrollIntoView({ block: 'nearest' });
  }

  line(row) {
    const { connection, exchange, socket } = row;
    const canvas = make('canvas', { 'aria-hidden': 'true' });
    const badges = row.findings.slice(0, LANE_LIMIT).map((finding) => span(`badge small ${finding.severityName}`, finding.severity.letter));
    const name = row.kind === 'connection'
      ? [make('strong', null, connection.outer ? `└ ${connection.number}` : connection.number), ' ', connection.serverText, ' ',
        span('quiet', [connection.protocols, connection.agent].filter(Boolean).join(' · '))]
      : exchange
        ? [span('path', exchange.requestText), ' ', span(`status ${exchange.isBad ? 'bad' : ''}`, exchange.statusText), ' ',
          span('quiet', durationText(exchange.end - exchange.start))]
        : [span('path', socket.exchange?.requestText ?? ''), ' ', span('status', 'WebSocket'), ' ', span('quiet', durationText(socket.end - socket.start)),
          div('sides', span('up', '▲ client'), span('down', '▼ server'))];
    const element = make('div', {
      class: `row ${row.kind}${connection.outer ? ' inner' : ''}`, role: 'option', tabindex: -1, 'aria-label': rowWords(row), 'aria-selected': 'false',
      on: {
        click: () => this.page.select(row),
        focus: () => { this.focused = row; },
        dblclick: () => this.fitRow(row),
      },
    }, div('name', badges, name), div('plot', canvas));
    this.listen(canvas, row);
    return { element, canvas };
  }

  mark() {
    for (const { row, element } of this.drawn) {
      const isChosen = row === this.page.selected;
      element.setAttribute('aria-selected', String(isChosen));
      element.tabIndex = isChosen ? 0 : -1;
    }
    if (this.drawn.length && !this.drawn.some(({ row }) => row === this.page.selected)) this.drawn[0].element.tabIndex = 0;
  }

  reveal(row) {
    let index = this.visible.indexOf(row);
    if (index < 0) {
      this.query = this.search.value = '';
      this.hurtOnly = this.hurtBox.checked = false;
      this.filter();
      index = this.visible.indexOf(row);
    }
    if (index < this.first || index >= this.first + ROWS_SHOWN) {
      this.first = Math.max(0, index - 4);
      this.render();
    }
  }

  focusRow(row) {
    if (!row) return;
    this.reveal(row);
    const line = this.drawn.find((each) => each.row === row);
    line?.element.focus();
    line?.element.scrollIntoView({ block: 'nearest' });
  }

  /** To the row `steps` further on. */
  move(steps) {
    const at = this.visible.indexOf(this.focused ?? this.page.selected);
    const row = this.visible[Math.max(0, Math.min(this.visible.length - 1, at + steps))];
    this.focusRow(row);
    if (row) this.page.select(row);
  }

  // MARK: Time

  setWindow(from, to) {
    const whole = this.report.end;
    const length = Math.max(1000, Math.min(to - from, whole * 1.08));
    this.from = Math.max(-0.02 * whole, Math.min(from, whole * 1.06 - length));
    this.to = this.from + length;
    this.draw();
  }

  /** With room for what is written behind the last packet. */
  showAll() {
    const { end } = this.report;
    this.from = -0.012 * end;
    this.to = 1.06 * end;
    if (this.drawn) this.draw();
  }

  zoom(factor, at) {
    const center = at ?? (this.from + this.to) / 2;
    this.setWindow(center - (center - this.from) * factor, center + (this.to - center) * factor);
  }

  pan(part) {
    const by = (this.to - this.from) * part;
    this.setWindow(this.from + by, this.to + by);
  }

  fitRow(row) {
    const { start, end } = row ?? this.page.selected ?? { start: 0, end: this.report.end };
    this.fit(start, end);
  }

  fit(from, to) {
    const pad = Math.max((to - from) * 0.12, 20_000);
    this.setWindow(from - pad, to + pad);
  }

  listen(canvas, row) {
    let start;
    canvas.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return;
      event.preventDefault();
      if (event.shiftKey) this.pan((event.deltaY || event.deltaX) / 800);
      else this.zoom(2 ** (event.deltaY / 240), this.scale(canvas).time(event.offsetX));
    }, { passive: false });
    canvas.addEventListener('pointerdown', (event) => { if (event.pointerType === 'mouse') start = event.offsetX; });
    canvas.addEventListener('pointermove', (event) => this.read(canvas, row, event.offsetX, start));
    canvas.addEventListener('pointerleave', () => { start = undefined; replace(this.readout, HINT); this.redraw(canvas, row); });
    canvas.addEventListener('pointerup', (event) => {
      const from = start;
      start = undefined;
      if (from === undefined || Math.abs(event.offsetX - from) < 6) return;
      const scale = this.scale(canvas);
      this.setWindow(scale.time(Math.min(from, event.offsetX)), scale.time(Math.max(from, event.offsetX)));
    });
  }

  scale(canvas) { return new Scale(this.from, this.to, canvas.clientWidth); }

  redraw(canvas, row, width) { drawRow(canvas, row, this.from, this.to, this.page.highlight, width); }

  /** What is under the pointer. */
  read(canvas, row, x, start) {
    const scale = this.scale(canvas);
    const time = scale.time(x);
    const parts = [`${timeText(time, (this.to - this.from) / 1000)} s`];
    const items = row.connection.items;
    const all = row.selection();
    if (items && all.length) {
      const place = items.place(all, time);
      const near = [place - 1, place].filter((at) => at >= 0 && at < all.length)
        .sort((a, b) => Math.abs(items.ns[all[a]] - time) - Math.abs(items.ns[all[b]] - time))[0];
      const index = all[near];
      if (near !== undefined && Math.abs(scale.x(items.ns[index]) - x) < 6) parts.push(itemWords(items, index));
    }
    const stall = row.exchange?.stalls.find((each) => each.ns <= time && time <= each.ns + asCount(each.durationNs));
    if (stall) parts.push(`silent ${durationText(stall.durationNs)}: ${causeWords(stall.cause, stall.direction)} (${packetsText(stall.firstPacket, stall.lastPacket)})`);
    const phase = row.exchange?.phases.find((each) => each.from <= time && time <= each.to);
    if (phase && !stall) parts.push(`${phase.kind} ${durationText(phase.to - phase.from)}`);
    replace(this.readout, parts.join('  ·  '));
    this.redraw(canvas, row);
    const context = canvas.getContext('2d');
    context.fillStyle = color('focus');
    context.fillRect(x, 0, 1, canvas.clientHeight);
    if (start !== undefined && Math.abs(x - start) >= 6) {
      context.save();
      context.globalAlpha = 0.15;
      context.fillRect(Math.min(start, x), 0, Math.abs(x - start), canvas.clientHeight);
      context.restore();
    }
  }

  /** All heights, then all widths, then the drawing: the page is laid out once. */
  draw() {
    for (const { row, canvas } of this.drawn) canvas.style.height = `${rowHeight(row)}px`;
    this.axis.style.height = `${AXIS_HEIGHT}px`;
    const wide = this.axis.clientWidth;
    const widths = this.drawn.map(({ canvas }) => canvas.clientWidth);
    drawAxis(this.axis, this.from, this.to, wide);
    this.drawn.forEach(({ row, canvas }, at) => this.redraw(canvas, row, widths[at]));
  }

  // MARK: Words

  legend() {
    const entries = [
      ['TCP connect', (pen) => { pen.fillStyle = color('connect'); pen.fillRect(2, 4, 20, 9); }],
      ['TLS handshake', (pen) => hatched(pen, 2, 3, 20, 11, 'tls', 'fall')],
      ['request', (pen) => { pen.fillStyle = color('send'); pen.globalAlpha = 0.5; pen.fillRect(2, 4, 20, 6); pen.globalAlpha = 1; pen.fillRect(2, 4, 20, 1); }],
      ['wait', (pen) => hatched(pen, 2, 5, 20, 8, 'wait', 'dots')],
      ['response', (pen) => { pen.fillStyle = color('receive'); pen.globalAlpha = 0.5; pen.fillRect(2, 7, 20, 6); pen.globalAlpha = 1; pen.fillRect(2, 12, 20, 1); }],
      ['held: the app has received nothing yet', (pen) => hatched(pen, 0, 4, 24, 10, 'hold', 'rise')],
      ['piece ▲ up ▼ down, taller for more bytes', (pen) => { pen.fillStyle = color('piece'); pen.fillRect(7, 2, 1.5, 7); pen.fillRect(15, 9, 1.5, 6); }],
      ['credit left of a window of HTTP/2, where it was used up', (pen) => {
        pen.fillStyle = color('receive');
        for (const [x, y, wide, tall] of [[1, 3, 7, 1.2], [7, 3, 1, 5], [7, 8, 7, 1.2], [13, 8, 1, 6], [13, 13, 10, 1.2]]) pen.fillRect(x, y, wide, tall);
      }],
    ];
    const stalls = [...CAUSES.values()].map(({ letter, plain, color: name, pattern: kind }) => [`${letter}  ${plain}`, (pen) => {
      hatched(pen, 0, 1, 24, 15, name, kind);
    }]);
    this.swatches = [];
    const item = ([words, draw]) => {
      const canvas = make('canvas', { class: 'swatch', 'aria-hidden': 'true' });
      this.swatches.push([canvas, draw]);
      return make('li', null, canvas, words);
    };
    return fold('Legend', () => {
      const list = make('div', { class: 'legend' }, make('ul', null, entries.map(item)), make('p', { class: 'quiet' }, 'Silences, by cause:'), make('ul', null, stalls.map(item)),
        make('p', { class: 'quiet' }, 'On a connection’s line: R retransmission, Z receive window closed, F receive window full, L bytes missing, ✕ reset, ! other. Below a row: its findings.'));
      requestAnimationFrame(() => this.drawLegend());
      return list;
    }, { open: window.innerWidth > 700 });
  }

  drawLegend() {
    const widths = this.swatches.map(([canvas]) => canvas.clientWidth);
    this.swatches.forEach(([canvas, draw], at) => {
      const pen = prepare(canvas, 17, widths[at]);
      if (pen) draw(pen);
    });
  }

  table() {
    return pagedTable({
      caption: 'Timeline as a table; times in seconds since the first packet', name: 'figures',
      columns: [{ title: 'Row' }, { title: 'Start', isNumber: true }, { title: 'Connect', isNumber: true }, { title: 'TLS', isNumber: true }, { title: 'Wait', isNumber: true }, { title: 'Receive', isNumber: true }, { title: 'End', isNumber: true }, { title: 'Pieces', isNumber: true }, { title: 'Silence' }],
      length: this.report.rows.length,
      row: (index) => {
        const row = this.report.rows[index];
        const phase = (kind) => {
          const found = row.exchange?.phases.find((each) => each.kind === kind);
          return found ? durationText(found.to - found.from) : '';
        };
        const { connect, handshake } = row.connection;
        const isConnection = row.kind === 'connection';
        const silence = row.exchange ? silenceOf(row.exchange.stream.silence).map(({ name, ns }) => `${causeOf(name).plain} ${durationText(ns)}`).join(', ') : '';
        return [`${row.connection.number} ${row.title}`, timeText(row.start), isConnection && connect ? durationText(connect.to - connect.from) : '', isConnection && handshake ? durationText(handshake.to - handshake.from) : '', phase('wait'), phase('receive'), timeText(row.end), grouped(row.selection().length), silence];
      },
    });
  }
}

function itemWords(items, index) {
  const arrow = items.toClient[index] ? '←' : '→';
  const number = items.weight[index] > 1 ? `${grouped(items.weight[index])} × ` : '';
  const text = items.text(index);
  return `#${grouped(items.packet[index])} ${arrow} ${number}${items.word(index)}${text ? ` ${text}` : ''} ${bytesText(items.bytes[index])}`;
}

/** Silence by cause, the longest first. */
function silenceOf(sums) {
  return Object.entries(asObject(sums)).map(([name, ns]) => ({ name, ns: asCount(ns) })).filter(({ ns }) => ns > 0)
    .sort((a, b) => b.ns - a.ns);
}

/** A row for those who hear it. */
function rowWords(row) {
  const { connection, exchange, socket } = row;
  const parts = [connection.number, row.title, `from ${timeText(row.start)} to ${timeText(row.end)} seconds`];
  if (exchange) {
    for (const phase of exchange.phases) parts.push(`${phase.kind} ${durationText(phase.to - phase.from)}`);
    for (const stall of exchange.stalls.slice(0, 3)) parts.push(`silent ${durationText(stall.durationNs)}, ${causeWords(stall.cause, stall.direction)}`);
  }
  for (const each of row.windows) parts.push(each.words);
  if (socket) for (const close of socket.closes) parts.push(`close ${close.words}`);
  if (row.kind === 'connection') parts.push(connection.endWords);
  for (const finding of row.findings.slice(0, 3)) parts.push(`${finding.severity.word} ${finding.rule}`);
  return parts.filter(Boolean).join(', ');
}
