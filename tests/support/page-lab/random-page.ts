import fc from '../property.ts';

/** A page of random blocks and inline elements, and the text that it shows, without white space. */
interface RandomPage {
  readonly html: string;
  readonly text: string;
}

/** Words that look like Markdown where they meet the right neighbours; none has a blank. */
const WORDS = [
  ...['a', 'b', 'é', '漢', 'x1', '2', '1.', '12)', '-', '+', '#', '##', '>', '=', '---', '|', ':', ':-', '!'],
  ...[
    '*',
    '**',
    '_',
    '__',
    'a_b',
    '~',
    '~~',
    '`',
    '``',
    '\\',
    '\\\\',
    '[',
    ']',
    '[x]',
    '(',
    ')',
    '(a)',
    '&',
    '&lt;',
  ],
  ...[
    '<b>',
    '<',
    '“c”',
    '«d»',
    '.',
    '…',
    '😀',
    '$',
    '^',
    'http://x.test/a_b',
    'https://x.test/_*',
    'www.x.test/_a_',
    'http://x.test/a|b',
    'a_b@x.test',
    '_a*_@x.test',
  ],
];
const MARKS = ['b', 'strong', 'i', 'em', 's', 'span', 'a', 'cite', 'mark'] as const;
const BLOCKS = ['p', 'div', 'h2', 'blockquote', 'ul', 'ol', 'section', 'table'] as const;

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
const lineBreak = fc.constant({ html: '<br>', text: '' });

const { inline } = fc.letrec<{ inline: RandomPage; one: RandomPage }>((tie) => ({
  inline: fc.array(tie('one'), { maxLength: 4 }).map(joinPages),
  one: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { weight: 5, arbitrary: word },
    { weight: 1, arbitrary: code },
    { weight: 1, arbitrary: lineBreak },
    {
      weight: 4,
      arbitrary: fc.tuple(fc.constantFrom(...MARKS), tie('inline')).map(([tag, inner]) => wrap(tag, inner)),
    },
  ),
}));

/** Rows of two cells below a head. Cells hold no blocks: a table of Markdown cannot. */
const table = fc
  .array(fc.tuple(inline, inline), { minLength: 1, maxLength: 3 })
  .map((rows) =>
    wrap(
      'table',
      joinPages([
        { html: '<tr><th>k</th><th>v</th></tr>', text: 'kv' },
        ...rows.map((cells) => wrap('tr', joinPages(cells.map((cell) => wrap('td', cell))))),
      ]),
    ),
  );

const { flow } = fc.letrec<{ flow: RandomPage; block: RandomPage }>((tie) => ({
  flow: fc
    .array(fc.oneof({ maxDepth: 3, withCrossShrink: true }, inline, tie('block')), { maxLength: 4 })
    .map(joinPages),
  block: fc
    .tuple(fc.constantFrom(...BLOCKS), fc.array(tie('flow'), { maxLength: 3 }), inline, table)
    .map(([tag, parts, line, rows]) => {
      if (tag === 'table') return rows;
      // Browsers close these themselves where a block follows.
      if (tag === 'p' || tag === 'h2') return wrap(tag, line);
      if (tag === 'ul' || tag === 'ol') return wrap(tag, joinPages(parts.map((part) => wrap('li', part))));
      return wrap(tag, joinPages(parts));
    }),
}));

export const randomPage = flow;
