// Charts of one stream: why it was silent, how long from piece to piece, and how its bytes added up.

/** Silence by cause as one strip, with the same in words. */
function silencePart(row) {
  const sums = row.exchange ? row.exchange.stream.silence : undefined;
  const { connection } = row;
  const causes = row.exchange
    ? silenceOf(sums)
    : ['toServer', 'toClient'].flatMap((side) => silenceOf(asObject(connection.raw[side]).silence).map((each) => ({ ...each, direction: side })));
  const total = causes.reduce((sum, each) => sum + each.ns, 0);
  if (total === 0) return undefined;
  const stalled = row.exchange?.stalls ?? [];
  const directionOf = (cause) => cause.direction ?? stalled.find((stall) => stall.cause === cause.name)?.direction ?? 'toClient';
  const canvas = make('canvas', { class: 'wide', 'aria-hidden': 'true' });
  const part = make('section', { class: 'card wide' },
    make('h3', null, 'Why it was silent ', span('quiet', `${durationText(total)} in all`)),
    canvas,
    make('ul', { class: 'causes' }, causes.map((cause) => make('li', null,
      span('letter', causeOf(cause.name).letter), ` ${causeWords(cause.name, directionOf(cause))} `,
      span('figure', durationText(cause.ns)), span('quiet', shareText(cause.ns, total))))),
    stalled.length > 0 && fold(`${count(stalled.length, 'silence')} in a table`, () => pagedTable({
      caption: 'Silences', name: 'figures', columns: [{ title: 'From', isNumber: true }, { title: 'Length', isNumber: true }, { title: 'Cause' }, { title: 'Packets' }, { title: 'Confidence' }],
      length: stalled.length,
      row: (index) => {
        const stall = stalled[index];
        return [`${timeText(stall.ns)} s`, durationText(stall.durationNs), causeWords(stall.cause, stall.direction), packetsText(asNumber(stall.firstPacket), asNumber(stall.lastPacket)), asText(stall.confidence)];
      },
    })));
  part.paint = () => {
    const context = prepare(canvas, 26);
    if (!context) return;
    let x = 0;
    for (const { name, ns } of causes) {
      const width = ns / total * context.shownWidth;
      hatched(context, x, 0, width, 26, causeOf(name).color, causeOf(name).pattern);
      if (width > 16) label(context, causeOf(name).letter, x + width / 2, 13, 'ink', 'center');
      x += width;
    }
  };
  return part;
}

// MARK: Gaps

/** Bounds of the histogram: 0.1 ms, then three to a power of ten. */
const GAP_BOUNDS = [1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7, 2e7, 5e7, 1e8, 2e8, 5e8, 1e9, 2e9, 5e9, 1e10, 2e10, 5e10, 1e11];

function boundText(ns) {
  return ns < 1e9 ? `${ns / 1e6} ms` : `${ns / 1e9} s`;
}

function gapsPart(row) {
  const items = row.connection.items;
  const side = row.selection(1).length > 1 || row.selection(0).length < 2 ? 1 : 0;
  const selection = row.selection(side);
  if (!items || selection.length < 3) return undefined;
  const gaps = gapsOf(items, selection).sort();
  const counts = new Array(GAP_BOUNDS.length + 1).fill(0);
  let bucket = 0;
  for (const gap of gaps) {
    while (bucket < GAP_BOUNDS.length && gap >= GAP_BOUNDS[bucket]) bucket++;
    counts[bucket]++;
  }
  const used = counts.map((number, index) => [number, index]).filter(([number]) => number > 0).map(([, index]) => index);
  const low = Math.max(0, used[0] - 1);
  const high = Math.min(counts.length - 1, used.at(-1) + 1);
  const name = (index) => (index === 0 ? `< ${boundText(GAP_BOUNDS[0])}` : index === GAP_BOUNDS.length ? `≥ ${boundText(GAP_BOUNDS.at(-1))}` : `${boundText(GAP_BOUNDS[index - 1])} – ${boundText(GAP_BOUNDS[index])}`);
  const quantile = (part) => gaps[Math.max(0, Math.ceil(part * gaps.length) - 1)];
  const canvas = make('canvas', { class: 'wide', 'aria-hidden': 'true' });
  const words = `p50 ${durationText(quantile(0.5))} · p95 ${durationText(quantile(0.95))} · max ${durationText(gaps.at(-1))}`;
  const part = make('section', { class: 'card' },
    make('h3', null, `Gaps between the ${senderName(side ? 'toClient' : 'toServer')}’s pieces `, span('quiet', words)), canvas,
    items.isMerged && make('p', { class: 'quiet' }, 'Some pieces share one line of the timeline; the gaps within it are not known here.'),
    fold('Table of the gaps', () => pagedTable({
      caption: 'Gaps by length', name: 'figures', columns: [{ title: 'Gap' }, { title: 'Times', isNumber: true }, { title: 'This or less', isNumber: true }],
      length: high - low + 1,
      row: (index) => {
        const upTo = counts.slice(0, low + index + 1).reduce((sum, each) => sum + each, 0);
        return [name(low + index), grouped(counts[low + index]), shareText(upTo, gaps.length)];
      },
    })));
  part.paint = () => drawGaps(canvas, counts, low, high, gaps.length);
  return part;
}

function drawGaps(canvas, counts, low, high, total) {
  const context = prepare(canvas, 150);
  if (!context) return;
  const wide = context.shownWidth / (high - low + 1);
  const most = Math.max(...counts);
  const floor = 128;
  let upTo = 0;
  const curve = [];
  let free = -Infinity;
  for (let index = low; index <= high; index++) {
    const x = (index - low) * wide;
    const tall = counts[index] === 0 ? 0 : Math.max(2, counts[index] / most * (floor - 22));
    context.save();
    context.globalAlpha = 0.55;
    context.fillStyle = color('piece');
    context.fillRect(x + 1, floor - tall, Math.max(1, wide - 2), tall);
    context.restore();
    upTo += counts[index];
    curve.push([x + wide, floor - upTo / total * (floor - 22)]);
    context.fillStyle = color('ink');
    if (counts[index] > 0) {
      const text = grouped(counts[index]);
      context.fillText(text, x + wide / 2 - context.measureText(text).width / 2, floor - tall - 8);
    }
    if (index === low) continue;
    const text = boundText(GAP_BOUNDS[index - 1]);
    const width = context.measureText(text).width;
    if (x - width / 2 < free || x + width / 2 > context.shownWidth) continue;
    context.fillStyle = color('muted');
    context.fillRect(x, floor, 1, 4);
    context.fillText(text, x - width / 2, floor + 12);
    free = x + width / 2 + 6;
  }
  context.fillStyle = color('line');
  context.fillRect(0, floor, context.shownWidth, 1);
  context.strokeStyle = color('accent');
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(0, floor);
  for (const [x, y] of curve) context.lineTo(x, y);
  context.stroke();
}

// MARK: Bytes

function bytesPart(row) {
  const hops = otherHop(row);
  const lines = [];
  const add = (each, toClient, words, name, dash) => {
    const steps = each && bytesSteps(each, toClient);
    if (steps && steps.total > 0) lines.push({ steps, words, name, dash });
  };
  if (hops?.inner && hops.outer) {
    add(hops.inner, 1, `${hops.inner.connection.number} into the proxy`, 'send', [5, 3]);
    add(hops.outer, 1, `${hops.outer.connection.number} out to the client`, 'receive', []);
  } else {
    add(row, 1, 'from the server', 'receive', []);
    add(row, 0, 'from the client', 'send', [5, 3]);
  }
  if (lines.length === 0 || lines.every((line) => line.steps.times.length < 2)) return undefined;
  const from = Math.min(row.start, ...lines.map((line) => line.steps.times[0]));
  const to = Math.max(...lines.map((line) => line.steps.times.at(-1)), row.end);
  const canvas = make('canvas', { class: 'wide', 'aria-hidden': 'true' });
  const axis = make('canvas', { class: 'axis', 'aria-hidden': 'true' });
  const part = make('section', { class: 'card' },
    make('h3', null, 'Bytes so far ', span('quiet', lines.map((line) => `${line.words} ${sizeText(line.steps.total)}`).join(' · '))),
    canvas, axis,
    fold('Table of the bytes', () => pagedTable({
      caption: 'Bytes so far, in twenty steps', name: 'figures', columns: [{ title: 'Time', isNumber: true }, ...lines.map((line) => ({ title: line.words, isNumber: true }))],
      length: 21,
      row: (index) => {
        const time = from + (to - from) * index / 20;
        return [`${timeText(time)} s`, ...lines.map((line) => bytesText(bytesAt(line.steps, time)))];
      },
    })));
  part.paint = () => {
    drawBytes(canvas, lines, row, from, to);
    drawAxis(axis, from, to);
  };
  return part;
}

function bytesAt({ times, sums }, time) {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? 0 : sums[low - 1];
}

function drawBytes(canvas, lines, row, from, to) {
  const height = 128;
  const context = prepare(canvas, height);
  if (!context) return;
  const scale = new Scale(from, to, context.shownWidth);
  drawGrid(context, scale, height);
  for (const stall of row.exchange?.stalls ?? []) {
    const x = scale.near(stall.ns);
    const cause = causeOf(stall.cause);
    hatched(context, x, 0, scale.near(stall.ns + asCount(stall.durationNs)) - x, height, cause.color, cause.pattern);
  }
  const most = Math.max(...lines.map((line) => line.steps.total));
  const y = (sum) => height - 3 - sum / most * (height - 22);
  for (const { steps, words, name, dash } of lines) {
    context.strokeStyle = context.fillStyle = color(name);
    context.lineWidth = 2;
    context.setLineDash(dash);
    context.beginPath();
    context.moveTo(scale.x(from), y(0));
    let last = y(0);
    // A step a pixel is all that can be seen.
    for (let x = Math.floor(scale.x(from)); x <= scale.x(to) + 1; x++) {
      const next = y(bytesAt(steps, scale.time(x)));
      context.lineTo(x, last);
      context.lineTo(x, next);
      last = next;
    }
    context.stroke();
    context.setLineDash([]);
    const middle = scale.time(context.shownWidth * 0.5);
    if (lines.length > 1) label(context, words, context.shownWidth * 0.5, Math.max(8, y(bytesAt(steps, middle)) - 9), name, 'center');
  }
  context.fillStyle = color('muted');
  context.fillText(sizeText(most), 4, 8);
}
