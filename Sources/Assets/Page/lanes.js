// What a proxy held: the pieces that came in on its one side, and those that went out on the other.

/** Steps of body bytes in a direction: at which time how many had come. */
function bytesSteps(row, toClient) {
  const items = row.connection.items;
  if (!items) return undefined;
  const selection = row.selection(toClient);
  if (selection.length === 0) return undefined;
  const times = new Float64Array(selection.length);
  const sums = new Float64Array(selection.length);
  let sum = 0;
  for (let at = 0; at < selection.length; at++) {
    times[at] = items.ns[selection[at]];
    sum += items.bytes[selection[at]];
    sums[at] = sum;
  }
  return { times, sums, total: sum };
}

/** The exchange on a proxy's other side that is this one's. */
function otherHop(row) {
  if (!row.exchange) return undefined;
  const { connection, exchange } = row;
  const target = asText(exchange.request.target);
  const isSame = (each) => asText(each.request.target) === target || connection.exchanges.length === 1;
  const find = (other) => {
    const found = other.exchanges.filter(isSame).sort((a, b) => Math.abs(a.start - exchange.start) - Math.abs(b.start - exchange.start))[0];
    return found && other.rows.find((each) => each.exchange === found);
  };
  if (connection.outer) return { inner: row, outer: find(connection.outer) };
  const inner = connection.inners.map(find).find(Boolean);
  return inner && { inner, outer: row };
}

function drawHops(canvas, hops, from, to) {
  const context = prepare(canvas, 78);
  if (!context) return;
  const scale = new Scale(from, to, context.shownWidth);
  drawGrid(context, scale, 78);
  const incoming = bytesSteps(hops.inner, 1);
  const outgoing = bytesSteps(hops.outer, 1);
  if (incoming && outgoing) {
    const held = heldSpan(incoming, outgoing);
    if (held) {
      const x = scale.x(held.from);
      hatched(context, x, 40, scale.x(held.to) - x, 26, 'hold', 'rise');
      label(context, `held ${durationText(held.to - held.from)}`, (x + scale.x(held.to)) / 2, 53, 'ink', 'center');
    }
  }
  for (const [row, base] of [[hops.inner, 32], [hops.outer, 66]]) {
    if (!row.connection.items) continue;
    context.fillStyle = color('muted');
    context.fillRect(0, base, context.shownWidth, 1);
    drawTicks(context, scale, row.connection.items, row.selection(1), base, -24);
  }
}

/** From the first byte that came in while nothing had gone out, to the first that went out. */
function heldSpan(incoming, outgoing) {
  const from = incoming.times[0];
  const to = outgoing.times[0];
  return to > from ? { from, to } : undefined;
}

/** Both sides on one axis, with their names; undefined where there is only one. */
function hopsPicture(row) {
  const hops = otherHop(row);
  if (!hops?.outer || !hops.inner) return undefined;
  const incoming = bytesSteps(hops.inner, 1);
  const outgoing = bytesSteps(hops.outer, 1);
  if (!incoming || !outgoing) return undefined;
  const from = Math.min(hops.inner.exchange.start, hops.outer.exchange.start);
  const to = Math.max(incoming.times.at(-1), outgoing.times.at(-1));
  const pad = (to - from) * 0.02;
  const canvas = make('canvas', { 'aria-hidden': 'true' });
  const axis = make('canvas', { class: 'axis', 'aria-hidden': 'true' });
  const element = div('hops',
    div('hop-names', span('', `${hops.inner.connection.number} into the proxy`), span('', `${hops.outer.connection.number} out to the client`)),
    div('plot', canvas, axis));
  const paint = () => {
    drawHops(canvas, hops, from - pad, to + pad);
    drawAxis(axis, from - pad, to + pad);
  };
  return { element, paint, hops, incoming, outgoing };
}

function hopsPart(row) {
  const picture = hopsPicture(row);
  if (!picture) return undefined;
  const { hops, incoming, outgoing } = picture;
  const part = make('section', { class: 'card wide' },
    make('h3', null, 'Two sides of a proxy'), picture.element,
    pagedTable({
      caption: 'Pieces on both sides', name: 'figures',
      columns: [{ title: '' }, { title: `into the proxy, ${hops.inner.connection.number}`, isNumber: true }, { title: `out to the client, ${hops.outer.connection.number}`, isNumber: true }, { title: 'held', isNumber: true }],
      length: 2,
      row: (index) => {
        const at = index === 0 ? 0 : -1;
        const came = incoming.times.at(at);
        const went = outgoing.times.at(at);
        return [index === 0 ? 'first piece' : 'last piece', `${timeText(came)} s`, `${timeText(went)} s`, durationText(went - came)];
      },
    }));
  part.paint = picture.paint;
  return part;
}
