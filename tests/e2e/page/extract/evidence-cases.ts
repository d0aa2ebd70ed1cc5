import { ONE, type ExtractCases } from './cases.ts';

const EMAIL = { type: 'string', format: 'email' } as const;
const twice = (one: (n: number) => string): string => `<div>${one(1)}${one(2)}</div>`;

/** What is, and what is not, evidence of a field. */
export const EVIDENCE_CASES: ExtractCases = {
  'contacts and selectors': {
    'the number that a link dials, where its text is a word': [
      '<h1>A</h1><p class="phone"><a href="tel:+4930123456">Call us</a></p>',
      { phone: 'string' },
      [{ phone: '+4930123456' }],
      ONE,
    ],
    'a number after a word': [
      '<h1>A</h1><p class="phone"><a href="tel:+4930123456">Call</a> (030) 12 34-56</p>',
      { phone: 'string' },
      [{ phone: '(030) 12 34-56' }],
      ONE,
    ],
    'the address of a mailto link without its subject': [
      '<h1>A</h1><p><a href="mailto:a%2Bb@c.example?subject=Hi">Write</a></p>',
      { email: EMAIL },
      [{ email: 'a+b@c.example' }],
      ONE,
    ],
    ':scope in selectors is the record': [
      '<ul><li><b>A</b><p><b>x</b></p></li><li><b>B</b><p><b>y</b></p></li></ul>',
      { name: 'string' },
      [{ name: 'A' }, { name: 'B' }],
      { strategies: ['selectors'], scope: 'li', selectors: { name: ':scope > b' } },
    ],
  },
  'numbers of other things': {
    'how many rated is not a rating': [
      twice(
        (n) =>
          `<article><h3><a href="/${n}">A${n}</a></h3><div class="ratings"><span class="count">(1${n})</span></div></article>`,
      ),
      { title: 'string', rating: 'number' },
      [{ title: 'A1' }, { title: 'A2' }],
    ],
    'stars in a label come before a count': [
      twice(
        (n) =>
          `<article><h3>A${n}</h3><div class="ratings"><i aria-label="4.${n} out of 5 stars"></i><span>(1${n})</span></div></article>`,
      ),
      { title: 'string', rating: 'number' },
      [
        { title: 'A1', rating: '4.1 out of 5 stars' },
        { title: 'A2', rating: '4.2 out of 5 stars' },
      ],
    ],
    'a picture of a price that is said next to it': [
      '<h1>A</h1><span class="offscreen">$21.99</span><span aria-hidden="true">$21<sup>99</sup></span>',
      { price: 'number' },
      [{ price: '$21.99' }],
      ONE,
    ],
    'a footnote': [
      '<h1>A</h1><dl><dt>Founded</dt><dd>1821<sup><a href="#n">[1]</a></sup></dd><dt>Mayor</dt><dd>B</dd></dl>',
      { founded: 'integer' },
      [{ founded: '1821' }],
      ONE,
    ],
    'the numbers of rows without a header': [
      '<table><tr><td>1</td><td>Ant</td></tr><tr><td>2</td><td>Bee</td></tr></table>',
      { kingdom: 'string', animal: 'string' },
      [],
      { strategies: ['tables'] },
    ],
  },
  'labels of a thing': {
    'a class whose last word is something else': [
      twice(
        (n) =>
          `<article><h4 class="username">ann${n}</h4><h5 class="userTitle">Member</h5><p>Text ${n} of some length here.</p></article>`,
      ),
      { author: 'string' },
      [{ author: 'ann1' }, { author: 'ann2' }],
    ],
    'headings above their values, next to the article': [
      '<main><h1>A</h1><p>Trims text.</p><aside><div><h3>License</h3><p>MIT</p></div><div><h3>Version</h3><p>2.4</p></div></aside></main>',
      { license: 'string', version: 'string' },
      [{ license: 'MIT', version: '2.4' }],
      ONE,
    ],
    'a word before a text': [
      '<h1>A</h1><ul><li><span>Doors</span> 7:30 PM</li><li><span>Venue</span> The <a href="/v">Old Mill</a></li></ul>',
      { doors: 'string', venue: 'string' },
      [{ doors: '7:30 PM', venue: 'The Old Mill' }],
      ONE,
    ],
    'a bold line above its value': [
      '<h1>A</h1><div><strong>Due date</strong><br>13 April 2024</div>',
      { due_date: { type: 'string', format: 'date' } },
      [{ due_date: '13 April 2024' }],
      ONE,
    ],
  },
};
