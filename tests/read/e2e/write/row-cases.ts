import { PIXEL } from './pixel.ts';

/** Cells of a grid; those after `¢` are in an element without a box. */
const grid = (columns: string, ...cells: readonly string[]): string =>
  `<div style="display:grid;grid-template-columns:${columns}">${cells.map((cell) => (cell.startsWith('¢') ? `<div style="display:contents">${cell.slice(1)}</div>` : `<div>${cell}</div>`)).join('')}</div>`;
const flex = (...cells: readonly string[]): string =>
  `<div style="display:flex;justify-content:space-between">${cells.map((cell) => `<div>${cell}</div>`).join('')}</div>`;
const PROSE = 'It ground the corn of three villages for more than two hundred years.';

/** Rows that only style makes, and what looks like them. */
export const ROW_CASES = `
# rows by style
a grid's rows are lines, its cells with blocks too ¦ ${grid('2fr 1fr', 'Tea', '<p>3 €</p>', '<div><b>Hot</b> milk</div>', '1 €')} ¦ Tea 3 €↵↵**Hot** milk 1 €
rows without boxes ¦ ${grid('1fr 1fr', ...['a b', 'c d'].map((row) => `¢${row.replace(/\w/g, '<span>$&</span>')}`))} ¦ a b↵↵c d
rows of a subgrid, below a title over all columns ¦ <div style="display:grid;grid-template-columns:1fr 1fr"><div style="grid-column:1/-1">t</div>${'<div style="display:grid;grid-template-columns:subgrid;grid-column:1/-1"><div>a</div><div>b</div></div>'.repeat(2)}</div> ¦ t↵↵a b↵↵a b
flex boxes with common edges ¦ <h3>t</h3>${flex('a', '1')}${flex('b', '22')} ¦ ### t↵↵a 1↵↵b 22
a row in parts, and one with two lines in a cell ¦ ${grid('1fr 1fr 1fr', '<div>a</div><div>b</div>', '<i>c</i>', '', 'd', '', 'e')} ¦ a b *c*↵↵d e
tiles are blocks ¦ ${grid('1fr 1fr', ...['a', 'b', 'c', 'd'].map((title) => `<div>${title}</div><div>${title}</div>`))} ¦ a↵↵a↵↵b↵↵b↵↵c↵↵c↵↵d↵↵d
so are pictures with captions ¦ ${grid('1fr 1fr', `<img src="${PIXEL}" alt="" width="90" height="90"><div>a</div>`, 'b')} ¦ a↵↵b
flex boxes with other edges ¦ ${flex('a', '1')}<div style="display:flex;padding:9px"><div>b</div><div>2</div></div> ¦ a↵↵1↵↵b↵↵2
one flex box ¦ ${flex('a', 'b')} ¦ a↵↵b
controls, fields and prose ¦ ${grid('1fr 1fr', '<a href="/x">a</a>', '<a href="/x">b</a>')}${grid('1fr 1fr', 'c', '<input value="d">')}${grid('1fr 1fr', PROSE, PROSE)} ¦ [a](http://page.test/x)↵↵[b](http://page.test/x)↵↵c↵↵[d]↵↵${PROSE}↵↵${PROSE}
`;

export const ROWS_IN_TEXT_CASES = `
# rows by style
of a grid ¦ ${grid('1fr 1fr', '1', '2', '3', '4')}5 ¦ 1 2↵3 4↵5
`;

export const ROWS_IN_SNAPSHOT_CASES = `
# rows by style
of a grid ¦ ${grid('1fr 1fr', 'a', '<a href="/x">b</a>', 'c', 'd')} ¦ a [e1 b]↵c d
`;
