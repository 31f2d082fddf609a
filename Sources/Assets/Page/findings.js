// Findings: by cause, worst first; what follows from one is folded under it.

const CAUSES_SHOWN = 8;

const explained = (() => {
  const element = document.getElementById('rules');
  try {
    return new Map(Object.entries(asObject(JSON.parse(element.textContent))));
  } catch {
    return new Map();
  }
})();

function copyButton(text) {
  const element = button('Copy', async () => {
    let isCopied = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      isCopied = copySelected(text);
    }
    replace(element, isCopied ? 'Copied' : 'Press Ctrl+C');
    announce(isCopied ? 'Copied' : 'Could not copy');
    setTimeout(() => replace(element, 'Copy'), 2000);
  }, { class: 'small', 'aria-label': 'Copy the Wireshark filter' });
  return element;
}

/** Where the clipboard may not be written to, as in files opened by some browsers. */
function copySelected(text) {
  const field = make('textarea', { class: 'unseen', 'aria-hidden': 'true' });
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  return isCopied;
}

function evidenceList(finding) {
  if (finding.evidence.length === 0) return undefined;
  const shown = finding.evidence.slice(0, 20);
  return make('ol', { class: 'evidence', 'aria-label': 'evidence' },
    shown.map((each) => {
      const packet = asNumber(each.packet);
      const member = asNumber(each.seriesPacket) && asText(each.file) ? `${each.file.split('/').pop()} ` : '';
      const arrow = each.direction === 'toServer' ? '→' : each.direction === 'toClient' ? '←' : '';
      return make('li', null,
        span('packet', packet ? `${member}#${grouped(packet)}` : asNumber(each.offset) === undefined ? '' : `byte ${grouped(each.offset)}`),
        span('time', asNumber(each.ns) === undefined ? '' : `${timeText(each.ns)} s`),
        make('span', { class: 'arrow', title: arrow === '→' ? 'to the server' : arrow ? 'to the client' : undefined }, arrow),
        span('what', asText(each.excerpt) && code(each.excerpt), asText(each.excerpt) && ' ', asText(each.note)));
    }),
    finding.evidence.length > shown.length && make('li', null, `${finding.evidence.length - shown.length} more`));
}

function fixPart(finding) {
  const fix = asText(finding.raw.fix);
  if (!fix) return undefined;
  const { owner, text } = fixParts(fix);
  return make('p', { class: 'fix' }, make('strong', null, owner ? `Fix, ${owner}` : 'Fix'), ' ', text);
}

function filterPart(finding) {
  const filter = asText(finding.raw.filter);
  if (!filter) return undefined;
  return make('p', { class: 'filter' }, span('quiet', 'Wireshark '), code(filter), ' ', copyButton(filter));
}

function wherePart(finding, report) {
  const connection = report.byId.get(finding.connectionId);
  const exchange = connection?.exchanges.find((each) => each.id === finding.exchangeId);
  if (!connection) return undefined;
  return [connection.number, ' ', exchange ? exchange.title : connection.protocols, ' ', span('quiet', connection.title)];
}

function showButton(finding, page) {
  if (!page.report.row(finding)) return undefined;
  return button('Show in timeline', () => page.showFinding(finding), {
    class: 'small accent', 'aria-label': `Show ${finding.rule} in the timeline`,
  });
}

function consequencesPart(finding) {
  const { consequences } = finding;
  if (consequences.length === 0) return undefined;
  const shown = consequences.slice(0, 20);
  return fold(`and so: ${count(consequences.length, 'consequence')}`, () => make('ul', { class: 'consequences' },
    shown.map((each) => make('li', null, span(`badge small ${each.severityName}`, each.severity.letter), code(each.rule), ' ', asText(each.raw.message))),
    consequences.length > shown.length && make('li', null, `${consequences.length - shown.length} more`)), { open: consequences.length <= 3 });
}

function explainPart(finding) {
  const rule = asObject(explained.get(finding.rule));
  if (!asText(rule.explanation)) return undefined;
  return fold('What it means, and what looks similar', () => div('why',
    make('p', null, asText(rule.explanation)),
    asText(rule.evidence) && make('p', null, asText(rule.evidence)),
    make('p', { class: 'quiet' }, asArray(rule.specifications).map((each, index) => [index > 0 && ' · ', asText(asObject(each).name)]),
      ' · ', code(`streamscope explain ${finding.rule}`))));
}

/** A finding in full. The first of the page says its sentence as the verdict above it. */
function findingArticle(finding, page, isLead) {
  const { report } = page;
  const siblings = report.causes.get(finding.rule) ?? [finding];
  const cost = costWords(finding.cost);
  const times = asCount(finding.raw.count);
  const thresholds = Object.entries(asObject(finding.raw.thresholds)).slice(0, 4);
  return make('article', { class: `finding ${finding.severityName}${isLead ? ' lead' : ''}`, id: finding.anchor, 'aria-label': `${finding.severity.word} ${finding.rule}` },
    make('div', { class: 'finding-head' },
      span(`badge ${finding.severityName}`, finding.severity.letter),
      make('h3', null, make('a', { href: `#${finding.anchor}` }, finding.rule)),
      cost && span('cost', make('small', null, siblings.length > 1 ? 'worst ' : 'cost '), cost),
      siblings.length > 1 && span('cases', count(siblings.length, 'case')),
      times > 1 && span('quiet', `${grouped(times)} times`),
      span('quiet', `confidence ${asText(finding.raw.confidence) || 'unknown'}`),
      make('span', { class: 'push' }, showButton(finding, page))),
    !isLead && make('p', { class: 'message' }, asText(finding.raw.message)),
    make('p', { class: 'where' }, wherePart(finding, report)),
    div('columns',
      div('proof', evidenceList(finding)),
      div('cure', fixPart(finding), filterPart(finding))),
    consequencesPart(finding),
    siblings.length > 1 && siblingsPart(siblings, page),
    explainPart(finding),
    thresholds.length > 0 && make('p', { class: 'quiet thresholds' }, 'compared with ', thresholds.map(([name, value], index) => [index > 0 && ', ', code(name), ' ', thresholdText(name, value)])));
}

/** Thresholds in nanoseconds are large; the others are counts and bytes. */
const thresholdText = (name, value) => (asCount(value) >= 1e6 ? durationText(value) : grouped(asCount(value)));

function siblingsPart(siblings, page) {
  const rest = siblings.slice(1);
  return fold(`${count(rest.length, 'more case')} of this cause`, () => pagedTable({
    caption: `${siblings[0].rule}, other cases`, name: 'cases', size: 15,
    columns: [{ title: 'Where' }, { title: 'Cost', isNumber: true }, { title: 'What' }, { title: '' }],
    length: rest.length,
    row: (index) => {
      const finding = rest[index];
      const connection = page.report.byId.get(finding.connectionId);
      const exchange = connection?.exchanges.find((each) => each.id === finding.exchangeId);
      return [`${connection?.number ?? ''} ${exchange?.requestText ?? ''}`, costWords(finding.cost), asText(finding.raw.message), showButton(finding, page)];
    },
  }));
}

function lintPart(report) {
  const { lint } = report;
  const total = Math.max(lint.length, asCount(report.summary.lint));
  if (total === 0) return undefined;
  const names = [...new Set(lint.map((finding) => finding.rule))];
  const words = `Lint: ${count(total, 'remark')} of ${count(names.length, 'rule')}, no harm seen in this capture`;
  return fold(words, () => pagedTable({
    caption: lint.length < total ? `Lint, showing ${grouped(lint.length)} of ${grouped(total)}` : 'Lint', name: 'cases',
    columns: [{ title: 'Rule' }, { title: 'Where' }, { title: 'What' }, { title: 'Packets' }], length: lint.length,
    row: (index) => {
      const finding = lint[index];
      const packets = [...finding.packets].slice(0, 4).map((packet) => `#${grouped(packet)}`).join(' ');
      return [code(finding.rule), finding.connectionId === undefined ? '' : `#${finding.connectionId}`, asText(finding.raw.message), packets];
    },
  }), { class: 'lint' });
}

/** Many causes at a glance: each leads to its words. */
function causesPart(report, reveal) {
  const causes = [...report.causes.values()];
  if (causes.length < 3) return undefined;
  return pagedTable({
    caption: 'Causes, worst first', name: 'index', size: 12,
    columns: [{ title: 'Cause' }, { title: 'Cases', isNumber: true }, { title: 'Worst', isNumber: true }, { title: 'Where' }, { title: 'First seen' }], length: causes.length,
    row: (index) => {
      const [worst] = causes[index];
      const connection = report.byId.get(worst.connectionId);
      const exchange = connection?.exchanges.find((each) => each.id === worst.exchangeId);
      return [
        [span(`badge small ${worst.severityName}`, worst.severity.letter), make('a', { href: `#${worst.anchor}`, on: { click: () => reveal(worst) } }, worst.rule)],
        grouped(causes[index].length), costWords(worst.cost), span('path', exchange?.requestText ?? ''), `${connection?.number ?? ''} ${packetsText(asNumber(worst.raw.firstPacket))}`,
      ];
    },
  });
}

function findingsPart(page) {
  const { report } = page;
  const causes = [...report.causes.values()].map((siblings) => siblings[0]);
  const list = div('findings-list');
  const more = div('more');
  const show = (number) => {
    const shown = causes.slice(0, number);
    replace(list, shown.slice(1).map((finding) => findingArticle(finding, page, false)));
    replace(more, causes.length > shown.length && button(
      `Show ${count(Math.min(CAUSES_SHOWN, causes.length - shown.length), 'more cause')}, showing ${shown.length} of ${causes.length}`,
      () => show(number + CAUSES_SHOWN)));
  };
  page.revealFinding = (finding) => {
    const index = causes.findIndex((each) => each.rule === finding.rule);
    if (index >= list.children.length + 1) show(index + 1);
  };
  show(CAUSES_SHOWN);
  const cut = report.raw.findingsCut;
  const cutTotal = typeof cut === 'number' ? cut : Object.values(asObject(cut)).reduce((total, each) => total + asCount(each), 0);
  return make('section', { class: 'findings', 'aria-labelledby': 'verdict' },
    verdictPart(report),
    causesPart(report, (finding) => page.revealFinding(finding)),
    causes.length > 0 && findingArticle(causes[0], page, true),
    causes.length > 1 && make('h2', null, 'Other causes'),
    list, more,
    cutTotal > 0 && make('p', { class: 'quiet' }, `${count(cutTotal, 'more finding')} not in the document.`),
    lintPart(report));
}
