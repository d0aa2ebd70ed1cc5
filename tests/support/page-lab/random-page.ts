import fc from '../property.ts';

/** A page of random blocks and inline elements, and its visible text without white space. */
type RandomPage = { readonly html: string; readonly text: string };

/** Words that look like Markdown between the right neighbours; none contains a space. */
const WORDS = [
  ...'a b é 漢 x1 2 1. 12) - + # ## > = --- | : :- ! * ** _ __ a_b ~ ~~ ` `` \\ \\\\ [ ] [x] ( ) (a) &'.split(
    ' ',
  ),
  ...'&lt; <b> < “c” «d» . … 😀 $ ^ http://x.test/a_b https://x.test/_* www.x.test/_a_'.split(' '),
  ...'http://x.test/a|b a_b@x.test _a*_@x.test'.split(' '),
];
const MARKS = ['b', 'strong', 'i', 'em', 's', 'span', 'a', 'cite', 'mark'] as const;
const BLOCKS = ['p', 'div', 'h2', 'blockquote', 'ul', 'section', 'table', 'pre'] as const;

const escapeHtml = (text: string): string =>
  text.replace(/[&<>]/g, (sign) => (sign === '&' ? '&amp;' : sign === '<' ? '&lt;' : '&gt;'));

const joinPages = (parts: readonly RandomPage[]): RandomPage => ({
  html: parts.map(({ html }) => html).join(''),
  text: parts.map(({ text }) => text).join(''),
});

const wrap = (tag: string, { html, text }: RandomPage): RandomPage => ({
  html: tag === 'a' ? `<a href="http://x.test/y">${html}</a>` : `<${tag}>${html}</${tag}>`,
  text,
});

const word = fc
  .tuple(fc.constantFrom(...WORDS), fc.constantFrom('', '', ' '), fc.constantFrom('', ' '))
  .map(([text, before, after]) => ({ html: `${before}${escapeHtml(text)}${after}`, text }));
const code = fc
  .constantFrom('a', '`', '``b`', 'a*b', ' ')
  .map((text) => ({ html: `<code>${text}</code>`, text: text.trim() }));
/** Formulas as text: none is TeX, which a parser would read in its own way. */
const formula = fc
  .constantFrom(
    ['<mfrac><mn>1</mn><mrow><mn>2</mn><mi>a</mi></mrow></mfrac>', '1/(2a)'],
    ['<msup><mi>x</mi><mn>2</mn></msup>', 'x^2'],
    ['<msub><mi>x</mi><mi>i</mi></msub><mo>*</mo><mi>y</mi>', 'x_i*y'],
    ['<mo>|</mo><mi>a</mi><mo>|</mo><mo>&lt;</mo><mi>b</mi>', '|a|<b'],
    ['<mo>[</mo><mi>a</mi><mo>]</mo><mo>(</mo><mi>b</mi><mo>)</mo>', '[a](b)'],
  )
  .map(([content, text]) => ({ html: `<math>${content}</math>`, text: text ?? '' }));
const lineBreak = fc.constant({ html: '<br>', text: '' });

const { inline } = fc.letrec<{ inline: RandomPage; one: RandomPage }>((tie) => ({
  inline: fc.array(tie('one'), { maxLength: 4 }).map(joinPages),
  one: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { weight: 5, arbitrary: word },
    { weight: 1, arbitrary: code },
    { weight: 1, arbitrary: formula },
    { weight: 1, arbitrary: lineBreak },
    {
      weight: 4,
      arbitrary: fc.tuple(fc.constantFrom(...MARKS), tie('inline')).map(([tag, inner]) => wrap(tag, inner)),
    },
  ),
}));

/** A table inside a cell: a row is a line, with bars between its cells. */
const nestedTable = fc.array(fc.tuple(inline, inline), { minLength: 1, maxLength: 2 }).map((rows) =>
  wrap(
    'table',
    joinPages([
      { html: '<tr><th>k</th><th>v</th></tr>', text: 'k|v' },
      ...rows.map(([key, value]) => ({
        html: wrap('tr', joinPages([wrap('td', key), wrap('td', value)])).html,
        text: `${key.text}|${value.text}`,
      })),
    ]),
  ),
);
const cell = fc.oneof(
  { weight: 5, arbitrary: inline },
  { weight: 1, arbitrary: fc.tuple(inline, nestedTable, inline).map(joinPages) },
);

/** Rows of two cells below a head. Cells hold no blocks but tables: a table of Markdown cannot. */
const table = fc
  .array(fc.tuple(cell, cell), { minLength: 1, maxLength: 3 })
  .map((rows) =>
    wrap(
      'table',
      joinPages([
        { html: '<tr><th>k</th><th>v</th></tr>', text: 'kv' },
        ...rows.map((cells) => wrap('tr', joinPages(cells.map((cell) => wrap('td', cell))))),
      ]),
    ),
  );

/** Lines of code: as `<pre>`, or kept and monospaced by style. The first line of a block is never indented by chance. */
const listing = fc
  .tuple(
    fc.constantFrom('<pre>', '<pre><code>', '<div style="white-space:pre;font-family:monospace">'),
    fc.array(fc.tuple(fc.constantFrom('', '  ', '\t'), fc.constantFrom(...WORDS)), {
      minLength: 2,
      maxLength: 4,
    }),
  )
  .map(([open, rows]) => ({
    html: `${open}${rows.map(([indent, text]) => `${indent}${escapeHtml(text)}`).join('\n')}${open.includes('code') ? '</code></pre>' : open.startsWith('<pre') ? '</pre>' : '</div>'}`,
    text: rows.map(([, text]) => text).join(''),
  }));

const { flow } = fc.letrec<{ flow: RandomPage; block: RandomPage; list: RandomPage }>((tie) => ({
  flow: fc
    .array(fc.oneof({ maxDepth: 3, withCrossShrink: true }, inline, tie('block')), { maxLength: 4 })
    .map(joinPages),
  block: fc
    .tuple(
      fc.constantFrom(...BLOCKS),
      fc.array(tie('flow'), { maxLength: 3 }),
      inline,
      fc.oneof(table, listing, tie('list')),
    )
    .map(([tag, parts, line, whole]) => {
      if (tag === 'table' || tag === 'pre' || tag === 'ul') return whole;
      if (tag === 'p' || tag === 'h2') return wrap(tag, line);
      return wrap(tag, joinPages(parts));
    }),
  // Real pages also nest lists directly inside lists.
  list: fc
    .tuple(
      fc.constantFrom('ul', 'ol'),
      fc.array(
        fc.oneof(
          { maxDepth: 3, withCrossShrink: true },
          { weight: 4, arbitrary: tie('flow').map((part) => wrap('li', part)) },
          { weight: 1, arbitrary: tie('list') },
        ),
        { maxLength: 3 },
      ),
    )
    .map(([tag, parts]) => wrap(tag, joinPages(parts))),
}));

export const randomPage = flow;
