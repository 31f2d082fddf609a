// Tables: the twin of every chart, for readers who hear the page, search it or copy from it. Long ones are paged, so
// that the page stays small whatever the document holds.

const PAGE_SIZE = 25;

/** `columns`: [{ title, isNumber }]; `row(index)` answers { cells, class } or a list of cells; `at` is to be seen. */
function pagedTable({ caption, columns, length, row, size, name, at }) {
  const pageSize = size ?? PAGE_SIZE;
  const body = make('tbody');
  const heads = columns.map(({ title, isNumber }) => make('th', { scope: 'col', class: isNumber ? 'number' : undefined }, title));
  const element = make('table', { class: name }, make('caption', null, caption), make('thead', null, make('tr', null, heads)), body);
  const scroller = make('div', { class: 'scroller', role: 'region', 'aria-label': asText(caption) || 'table', tabindex: 0 }, element);
  const shown = span('shown');
  let first = 0;
  const show = (from) => {
    first = Math.min(Math.max(0, from), Math.max(0, Math.ceil(length / pageSize) - 1) * pageSize);
    const last = Math.min(length, first + pageSize);
    const rows = [];
    for (let index = first; index < last; index++) {
      const made = row(index);
      const cells = asArray(made.cells ?? made);
      rows.push(make('tr', { class: made.class }, cells.map((cell, at) => {
        const settings = { class: columns[at]?.isNumber ? 'number' : undefined, colspan: made.spans?.[at] };
        return make('td', settings, cell);
      })));
    }
    body.replaceChildren(...rows);
    replace(shown, `showing ${grouped(first + 1)}–${grouped(last)} of ${grouped(length)}`);
    for (const [button, isOff] of [[back, first === 0], [start, first === 0], [next, last >= length], [end, last >= length]]) {
      button.disabled = isOff;
    }
  };
  const start = button('⇤', () => show(0), { 'aria-label': 'first rows' });
  const back = button('←', () => show(first - pageSize), { 'aria-label': 'rows before' });
  const next = button('→', () => show(first + pageSize), { 'aria-label': 'next rows' });
  const end = button('⇥', () => show(length), { 'aria-label': 'last rows' });
  show(Math.floor(Math.max(0, at ?? 0) / pageSize) * pageSize);
  if (length <= pageSize) return scroller;
  return div('paged', scroller, make('div', { class: 'pager', role: 'group', 'aria-label': 'rows shown' }, start, back, shown, next, end));
}
