// The page as a whole: which document is shown, what is chosen, and the keyboard.

const KEYS = [
  ['/', 'filter the timeline’s rows'], ['↑ ↓', 'the row before or after'], ['Enter', 'details of the row, fitted to the axis'],
  ['n  p', 'the next or the previous finding'], ['+  −', 'zoom in or out'], ['←  →', 'earlier or later'],
  ['f', 'fit the selected row'], ['0', 'the whole capture'], ['Esc', 'leave the filter or this help'], ['?', 'this help'],
];

class Page {
  constructor(report) {
    this.report = report;
    this.highlight = report.roots[0];
    this.selected = report.firstRow;
    this.waterfall = new Waterfall(this);
    this.detail = detailPart(this);
    this.element = make('main', null, headingPart(report), findingsPart(this), this.waterfall.element, this.detail, endpointsPart(report), aboutPart(report));
    this.addPicture();
  }

  /** The worst finding's row beside its words. */
  addPicture() {
    const [finding] = this.report.roots;
    const row = finding && this.report.row(finding);
    const place = this.element.querySelector('article.lead .where');
    if (!row || !place) return;
    const hops = finding.cost.kind === 'delay' ? hopsPicture(row) : undefined;
    if (hops) {
      place.after(make('div', { class: 'picture' }, hops.element));
      this.paintPicture = hops.paint;
      return;
    }
    const length = Math.max(row.end - row.start, 1000);
    const views = [{ from: row.start - length * 0.02, to: row.end + length * 0.07, words: 'all of it' }];
    const { span } = finding;
    // What was over in an instant is shown again, close up.
    if (span && span.to > span.from && span.to - span.from < length * 0.04) {
      const room = span.to - span.from;
      views.push({ from: span.from - room * 0.5, to: span.to + room * 1.2, words: `close up: ${durationText(room)}` });
    }
    for (const view of views) {
      view.canvas = make('canvas', { 'aria-hidden': 'true' });
      view.axis = make('canvas', { class: 'axis', 'aria-hidden': 'true' });
    }
    place.after(div(`picture${views.length > 1 ? ' two' : ''}`, views.map((view) => make('figure', null, view.canvas, view.axis, views.length > 1 && make('figcaption', null, view.words)))));
    this.paintPicture = () => {
      for (const { canvas, axis, from, to } of views) {
        drawRow(canvas, row, from, to, finding);
        drawAxis(axis, from, to);
      }
    };
  }

  select(row) {
    if (this.selected === row) return;
    this.selected = row;
    this.waterfall.mark();
    const next = detailPart(this);
    this.detail.replaceWith(next);
    this.detail = next;
    next.paint?.();
  }

  showFinding(finding) {
    const row = this.report.row(finding);
    if (!row) return;
    this.highlight = finding;
    this.select(row);
    this.waterfall.reveal(row);
    const span = finding.span ?? row;
    // What went wrong, with some of what was before and after it.
    const room = Math.max((span.to ?? row.end) - (span.from ?? row.start), (row.end - row.start) / 200);
    this.waterfall.fit((span.from ?? row.start) - room * 0.4, (span.to ?? row.end) + room * 0.4);
    this.waterfall.focusRow(row);
    this.waterfall.element.scrollIntoView({ block: 'start', behavior: prefersCalm() ? 'auto' : 'smooth' });
    announce(`${finding.rule} in the timeline, ${rowWords(row)}`);
  }

  /** To a finding's words, from wherever the reader is. */
  step(steps) {
    const causes = [...this.report.causes.values()].map((siblings) => siblings[0]);
    if (causes.length === 0) return;
    const at = causes.findIndex((finding) => finding.rule === this.stepped?.rule);
    const finding = causes[(at + steps + causes.length) % causes.length];
    this.stepped = finding;
    this.revealFinding(finding);
    const element = document.getElementById(finding.anchor);
    element?.scrollIntoView({ block: 'start' });
    element?.querySelector('h3 a')?.focus({ preventScroll: true });
  }

  paint() {
    this.waterfall.draw();
    this.waterfall.drawLegend();
    this.detail.paint?.();
    this.paintPicture?.();
  }
}

const prefersCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

function readDocuments() {
  const reports = [];
  for (const element of document.querySelectorAll('script.document')) {
    let raw;
    try {
      raw = JSON.parse(element.textContent);
    } catch {
      raw = {};
    }
    // Its text is as long as the document; nobody reads it twice.
    element.textContent = '';
    reports.push(raw);
  }
  return reports;
}

function helpDialog() {
  const dialog = make('dialog', { class: 'help', 'aria-labelledby': 'help-title' },
    make('h2', { id: 'help-title' }, 'Keys'),
    make('dl', null, KEYS.map(([keys, words]) => make('div', null, make('dt', null, make('kbd', null, keys)), make('dd', null, words)))),
    make('p', { class: 'quiet' }, 'In the timeline: Ctrl and the wheel zoom, Shift and the wheel move, dragging selects a span, a double click fits a row.'),
    button('Close', () => dialog.close()));
  return dialog;
}

function start() {
  const place = document.getElementById('report');
  const raws = readDocuments();
  const help = helpDialog();
  let page;
  const stage = div('stage');
  const show = (index) => {
    page = raws.length > 0 ? new Page(raws[index] instanceof Report ? raws[index] : (raws[index] = new Report(raws[index]))) : undefined;
    replace(stage, page ? page.element : make('main', null, make('h1', null, 'No document'), make('p', null, 'This page holds no document.')));
    page?.paint();
  };
  readTheme();
  append(place, [
    make('a', { class: 'skip', href: '#verdict' }, 'To the verdict'),
    make('nav', { class: 'top', 'aria-label': 'streamscope' },
      make('span', { class: 'brand' }, 'streamscope'),
      raws.length > 1 && chooser(raws, show),
      button('Keys ?', () => help.showModal(), { class: 'small push', 'aria-haspopup': 'dialog' })),
    stage, help, announcer,
  ]);
  show(0);
  if (location.hash.length > 1) document.getElementById(decodeHash())?.scrollIntoView();
  listen(() => page, help);
}

function decodeHash() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return '';
  }
}

function chooser(raws, show) {
  const options = raws.map((raw, index) => {
    const file = asText(asObject(asObject(raw).capture).file).split('/').pop() || `capture ${index + 1}`;
    const { error, warning } = asObject(asObject(asObject(raw).summary).findings);
    const marks = [asCount(error) > 0 && `${error} E`, asCount(warning) > 0 && `${warning} W`].filter(Boolean).join(', ');
    return make('option', { value: index }, `${file}${marks ? `  (${marks})` : ''}`);
  });
  const select = make('select', { id: 'capture', 'aria-label': `One of ${raws.length} captures`, on: { change: () => show(Number(select.value)) } }, options);
  return select;
}

function listen(page, help) {
  let pending;
  const repaint = () => {
    cancelAnimationFrame(pending);
    pending = requestAnimationFrame(() => page()?.paint());
  };
  window.addEventListener('resize', repaint);
  for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)', 'print', '(prefers-contrast: more)']) {
    matchMedia(query).addEventListener('change', () => { readTheme(); page()?.paint(); });
  }
  window.addEventListener('beforeprint', () => {
    for (const details of document.querySelectorAll('article details, .legend')) details.open = true;
    readTheme();
    page()?.paint();
  });
  document.addEventListener('toggle', repaint, true);
  document.addEventListener('keydown', (event) => onKey(event, page(), help));
}

function onKey(event, page, help) {
  if (!page || event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  const { waterfall } = page;
  const { target } = event;
  const isTyping = target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
  if (event.key === 'Escape' && target === waterfall.search) {
    waterfall.search.value = waterfall.query = '';
    waterfall.filter();
    waterfall.search.blur();
    return;
  }
  if (isTyping) return;
  const isOnRow = target instanceof Element && target.closest('.rows') !== null;
  const actions = new Map([
    ['/', () => { waterfall.search.focus(); waterfall.search.scrollIntoView({ block: 'nearest' }); }],
    ['?', () => help.showModal()], ['n', () => page.step(1)], ['p', () => page.step(-1)], ['f', () => waterfall.fitRow()],
    ['0', () => waterfall.showAll()], ['+', () => waterfall.zoom(0.5)], ['=', () => waterfall.zoom(0.5)], ['-', () => waterfall.zoom(2)],
  ]);
  if (isOnRow) {
    for (const [key, action] of [
      ['ArrowDown', () => waterfall.move(1)], ['ArrowUp', () => waterfall.move(-1)], ['Home', () => waterfall.move(-Infinity)], ['End', () => waterfall.move(Infinity)],
      ['PageDown', () => waterfall.move(10)], ['PageUp', () => waterfall.move(-10)],
      ['ArrowLeft', () => waterfall.pan(-0.2)], ['ArrowRight', () => waterfall.pan(0.2)],
      ['Enter', () => { const row = waterfall.focused ?? page.selected; page.select(row); waterfall.fitRow(row); page.detail.scrollIntoView({ block: 'nearest' }); }],
    ]) actions.set(key, action);
  }
  const action = actions.get(event.key);
  if (!action) return;
  event.preventDefault();
  action();
}

start();
