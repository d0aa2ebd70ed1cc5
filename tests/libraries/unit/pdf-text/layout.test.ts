import { expect, it } from 'vitest';
import { layOut, type TextPiece } from '../../../../server/libraries/pdf-text/layout.ts';

const UNIT = 6;
/** A piece in a font of 12 points whose letters are all as wide. */
const piece = (text: string, x: number, y: number, size = 12): TextPiece => ({
  text,
  x,
  y,
  size,
  width: text.length * (size / 2),
});
const column = (lines: readonly string[], x: number, top: number): TextPiece[] =>
  lines.map((line, index) => piece(line, x, top - index * 14));

it('words are joined by their distance', () => {
  const word = 'sail'.length * UNIT;
  expect(layOut([piece('sail', 0, 0), piece('s', word, 0)])).toBe('sails');
  expect(layOut([piece('sail', 0, 0), piece('cloth', word + 4, 0)])).toBe('sail cloth');
});

it.each([
  ['The wind turns the enor-', 'mous sails of the mill.', 'The wind turns the enormous sails of the mill.'],
  ['A well-known mill, a well-', 'known miller.', 'A well-known mill, a well-known miller.'],
  ['This is a state-of-the-', 'art mill of the north.', 'This is a state-of-the-art mill of the north.'],
  ['The years from 1910-', '1914 were good for it.', 'The years from 1910- 1914 were good for it.'],
])('a divided word becomes whole, a compound keeps its hyphen: %s', (first, second, whole) => {
  expect(layOut(column([first, second], 0, 100))).toBe(whole);
});

it('a line from right to left is read from its right, whichever end it was written from', () => {
  const line = [piece('שלום', 96, 0), piece('JavaScript', 15, 0), piece('22', 79, 0), piece('עולם', -13, 0)];
  const next = piece('הטחנה עומדת על גבעה', 6, -40);
  for (const written of [line, line.toReversed()])
    expect(layOut([...written, next])).toBe(`שלום JavaScript 22 עולם\n\n${next.text}`);
});

it('lines that were wrapped are one paragraph; a short line ends it', () => {
  const lines = ['The mill is high on a hill and', 'turns in the wind.', 'At night it is silent.'];
  expect(layOut(column(lines, 0, 100)).split('\n')).toEqual([lines.slice(0, 2).join(' '), lines[2]]);
  const back = ['הטחנה עומדת על גבעה גבוהה', 'וסובבת ברוח.', 'בלילה היא שקטה.'];
  const placed = column(back, 0, 100).map((line) => ({ ...line, x: -line.width }));
  expect(layOut(placed).split('\n')).toEqual([back.slice(0, 2).join(' '), back[2]]);
});

const LEFT = ['Left, first line', 'left, second line', 'left, third line', 'left, last line.'];
const RIGHT = ['Right, line one', 'right, line two', 'right, line three', 'right, line four.'];

it('columns follow one another below a title that spans them', () => {
  const title = piece('A title that spans both of the columns of this page', 0, 140);
  expect(layOut([title, ...column(LEFT, 0, 100), ...column(RIGHT, 200, 100)])).toBe(
    `${title.text}\n\n${LEFT.join(' ')}\n\n${RIGHT.join(' ')}`,
  );
});

const PROSE = {
  left: [
    'The wind turns the sails',
    'of the mill on the hill,',
    'and the mill grinds the',
    'corn of three villages.',
  ],
  right: [
    'Its stones were cut from',
    'the rocks by the river,',
    'where people still find',
    'traces of the quarry.',
  ],
};
/** As many producers write lines: across the page. */
const across = (left: readonly string[], right: readonly string[]): TextPiece[] =>
  left.flatMap((line, at) => [piece(line, 0, 100 - at * 14), piece(right[at] ?? '', 200, 100 - at * 14)]);

it('columns of sentences follow one another, whatever the order they were written in', () => {
  const { left, right } = PROSE;
  expect(layOut(across(left, right))).toBe(`${left.join(' ')}\n\n${right.join(' ')}`);
});

it('cells that wrap stay in their rows', () => {
  const cells = [...PROSE.left.slice(0, 2), ...PROSE.left.slice(0, 2), ...PROSE.left.slice(0, 2)];
  expect(layOut(across(cells, cells)).split('\n')[0]).toBe(`${cells[0]}\t${cells[0]}`);
});

it('radicals are the characters that they look like', () => {
  expect(layOut([piece('⼈⼭⽔ ⻅⻔⻢ 人 ⺼⻏⻊⺚', 0, 0)])).toBe('人山水 见门马 人 肉邑𧾷⺚');
});

/** A row of a table from its top: each cell at `x`, with its lines around a common middle, written cell by cell. */
const centredRow = (top: number, cells: readonly (readonly string[])[]): TextPiece[] => {
  const lines = Math.max(...cells.map(({ length }) => length));
  return cells.flatMap((cell, at) => column(cell, at * 200, top - (lines - cell.length) * 7));
};
const LONG = [...PROSE.left, 'and they baked its bread'];

it.each([
  [LONG.slice(0, 2), ['42 kg']],
  [LONG.slice(0, 3), ['42 kg']],
  [LONG.slice(0, 5), PROSE.right.slice(0, 3), ['42 kg']],
  [['North'], LONG.slice(0, 4), PROSE.right.slice(0, 2)],
  [['风车在山上转动，磨坊', '碾磨三个村庄的谷物，', '直到冬天河水结冰。'], ['四十二公斤']],
])('cells of %j and others around a common middle are in one row', (...cells) => {
  const row = cells.map((lines) => lines.join(lines[0]?.startsWith('风') ? '' : ' ')).join('\t');
  const pieces = [400, 300].flatMap((top) => centredRow(top, cells));
  expect(layOut(pieces).split(/\n+/)).toEqual([row, row]);
});

it('a centred cell is in its row in a file that writes from the top, too', () => {
  const pieces = centredRow(100, [LONG.slice(0, 2), ['42 kg']]).toSorted((a, b) => b.y - a.y);
  expect(layOut(pieces)).toBe(`${LONG.slice(0, 2).join(' ')}\t42 kg`);
});

it.each([2, 3])('a cell that spans %i rows leaves them apart', (span) => {
  const rows = ['one', 'two', 'three'].slice(0, span).map((text, at) => [text, String(at + 1)] as const);
  const cells = rows.flatMap((row, at) =>
    row.map((text, cell) => piece(text, 200 + cell * 100, 100 - at * 14)),
  );
  const text = layOut([piece('Group', 0, 100 - (span - 1) * 7), ...cells]);
  for (const row of rows) expect(text).toContain(row.join('\t'));
});

it('lines of two columns halfway between each other are not cells', () => {
  const { left, right } = PROSE;
  const shifted = column(right, 200, 93);
  expect(layOut([...column(left, 0, 100), ...shifted])).toBe(`${left.join(' ')}\n\n${right.join(' ')}`);
});
