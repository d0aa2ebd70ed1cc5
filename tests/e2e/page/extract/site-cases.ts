import { ONE, type ExtractCases } from './cases.ts';

const URL_FIELD = { type: 'string', format: 'uri' } as const;
const thrice = (one: (n: number) => string): string => `<div>${[1, 2, 3].map(one).join('')}</div>`;
const numbered = <T>(one: (n: number) => T): T[] => [1, 2, 3].map(one);
const WORDS = ['', 'Ash', 'Birch', 'Cedar'];

/** What sites write around a value, and where they leave its label out. */
export const SITE_CASES: ExtractCases = {
  'titles with something else': {
    'a site behind the link': [
      thrice(
        (n) =>
          `<div class="row"><span class="titleline"><a href="/${n}">Story ${n} of the day</a> <span>(<a href="/from">a.example</a>)</span></span></div>`,
      ),
      { title: 'string' },
      numbered((n) => ({ title: `Story ${n} of the day` })),
    ],
    'a rank in an element of its own': [
      thrice((n) => `<article><h3><span>${n}. </span><a href="/${n}">Place ${WORDS[n]}</a></h3></article>`),
      { name: 'string' },
      numbered((n) => ({ name: `Place ${WORDS[n]}` })),
    ],
    'a rank in the text of cards that count': [
      thrice((n) => `<article><h3>${n}. ${WORDS[n]}</h3><p>A tree.</p></article>`),
      { name: 'string' },
      numbered((n) => ({ name: WORDS[n] ?? '' })),
    ],
    'a number that does not count': [
      '<div><article><h3>10. Kirchberg</h3></article><article><h3>7. Hill</h3></article></div>',
      { name: 'string' },
      [{ name: '10. Kirchberg' }, { name: '7. Hill' }],
    ],
    'a count and the mark of a heading': [
      '<h1>Welcome<a href="#welcome">#</a></h1>',
      { title: 'string' },
      [{ title: 'Welcome' }],
      ONE,
    ],
    'the first text that differs in each card': [
      thrice((n) => `<div class="x9a"><p>Brand</p><p>${WORDS[n]} table</p><p>$${n}0</p></div>`),
      { name: 'string', price: 'number' },
      numbered((n) => ({ name: `${WORDS[n]} table`, price: `$${n}0` })),
    ],
  },
  'links of cards': {
    'an empty link over the card': [
      thrice((n) => `<div><a aria-hidden="true" href="/${n}"></a><h3>${WORDS[n]}</h3></div>`),
      { name: 'string', url: URL_FIELD },
      numbered((n) => ({ name: WORDS[n] ?? '', url: `http://page.test/${n}` })),
    ],
    'the address behind a labelled value': [
      '<h1>A</h1><dl><dt>Author</dt><dd><a href="/a">Ada</a></dd><dt>Pages</dt><dd>3</dd></dl>',
      { author: 'string', author_url: URL_FIELD },
      [{ author: 'Ada', author_url: 'http://page.test/a' }],
      ONE,
    ],
    'the link of a category, where categories are listed': [
      thrice((n) => `<li><a href="/${n}"><h2>${WORDS[n]} <mark class="count">(${n})</mark></h2></a></li>`),
      { category: 'string', category_url: URL_FIELD },
      numbered((n) => ({ category: WORDS[n] ?? '', category_url: `http://page.test/${n}` })),
    ],
  },
  'labels that sites shorten': {
    'tiles with an icon': [
      '<h1>A</h1><div>' +
        '<div class="tile"><svg></svg><p>Fuel type</p><p>Petrol</p></div>' +
        '<div class="tile"><svg></svg><p>Gearbox</p><p>Manual</p></div></div>',
      { fuel: 'string', transmission: 'string' },
      [{ fuel: 'Petrol', transmission: 'Manual' }],
      ONE,
    ],
    'totals below a table': [
      '<h1>A</h1><table><thead><tr><th>What</th><th>Qty</th><th>Sum</th></tr></thead><tbody><tr><td>B</td><td>1</td><td>$4</td></tr></tbody><tfoot><tr><td colspan="2">Total</td><td>$4.40</td></tr></tfoot></table>',
      { total: 'number' },
      [{ total: '$4.40' }],
      ONE,
    ],
    'what a compound says of its thing': [
      '<h1>A</h1><div>Invoice #: X-17</div><div>Date: 9 February 2024</div><div>Due: 23 February 2024</div>',
      {
        invoice_number: 'string',
        invoice_date: { type: 'string', format: 'date' },
        due_date: { type: 'string', format: 'date' },
      },
      [{ invoice_number: 'X-17', invoice_date: '9 February 2024', due_date: '23 February 2024' }],
      ONE,
    ],
    'a number and an author in a line': [
      thrice(
        (n) =>
          `<div class="issue"><h3><a href="/${n}">${WORDS[n]} fails</a></h3><span class="opened-by">#${n}7 opened on <time datetime="2024-05-0${n}">May ${n}</time> by <a href="/u${n}">mara-${n}</a></span></div>`,
      ),
      { issue_title: 'string', issue_number: 'integer', author: 'string' },
      numbered((n) => ({ issue_title: `${WORDS[n]} fails`, issue_number: `#${n}7`, author: `mara-${n}` })),
    ],
    'the count of posts of an author is not the number of a post': [
      thrice(
        (n) =>
          `<div class="post"><h3>${WORDS[n]}</h3><p>Text of ${WORDS[n]}.</p><div>Posts: ${n}01</div></div>`,
      ),
      { title: 'string', post_number: 'integer' },
      numbered((n) => ({ title: WORDS[n] ?? '' })),
    ],
  },
  'names that a schema makes of labels': {
    'compounds in the header of a table': [
      '<table><tr><th>Order</th><th>Customer</th><th>Total</th><th>Paid</th></tr><tr><td>S-1</td><td>Ada</td><td>$4</td><td>Yes</td></tr><tr><td>S-2</td><td>Bea</td><td>$5</td><td>No</td></tr></table>',
      { orderNumber: 'string', customerName: 'string', totalAmount: 'number', isPaid: 'boolean' },
      [
        { orderNumber: 'S-1', customerName: 'Ada', totalAmount: '$4', isPaid: 'Yes' },
        { orderNumber: 'S-2', customerName: 'Bea', totalAmount: '$5', isPaid: 'No' },
      ],
    ],
    'who does it, and for whom': [
      '<h1>A</h1><dl><dt>Assigned to</dt><dd>Tier 2</dd><dt>Requested by</dt><dd>Noor</dd></dl>',
      { assignee: 'string', requester: 'string' },
      [{ assignee: 'Tier 2', requester: 'Noor' }],
      ONE,
    ],
    'two pairs of cells in each row, without headers': [
      '<h1>A</h1><table><tr><td><b>Product:</b></td><td>Pad</td><td><b>Version:</b></td><td>2.8</td></tr><tr><td><b>Severity:</b></td><td>major</td><td><b>Votes:</b></td><td>12</td></tr></table>',
      { product: 'string', version: 'string', severity: 'string', votes: 'integer' },
      [{ product: 'Pad', version: '2.8', severity: 'major', votes: '12' }],
      ONE,
    ],
    'one of the values of an enumeration': [
      thrice(
        (n) =>
          `<article><h3>${WORDS[n]}</h3><span>${n}0 seats</span><em>${['', 'Easy', 'Hard', 'Easy'][n]}</em></article>`,
      ),
      { name: 'string', level: { type: 'string', enum: ['Easy', 'Hard'] } },
      numbered((n) => ({ name: WORDS[n] ?? '', level: ['', 'Easy', 'Hard', 'Easy'][n] ?? '' })),
    ],
    'a number after the thing that it counts': [
      thrice((n) => `<article><span>Episode ${n}8</span><h3>${WORDS[n]}</h3></article>`),
      { episode_title: 'string', episode_number: 'integer' },
      numbered((n) => ({ episode_title: WORDS[n] ?? '', episode_number: `${n}8` })),
    ],
    'a colon in a sentence is not a label': [
      thrice(
        (n) =>
          `<article><h3><a href="/${n}">${WORDS[n]}</a></h3><p>Security release: please update.</p></article>`,
      ),
      { title: 'string', release_date: 'string' },
      numbered((n) => ({ title: WORDS[n] ?? '' })),
    ],
    'what a link asks for is not a title': [
      thrice(
        (n) =>
          `<li><a href="/${n}"><span class="sr-only">View details for ${WORDS[n]} saw</span></a><p>Brix</p><p>${WORDS[n]} saw</p></li>`,
      ),
      { product_name: 'string', product_url: URL_FIELD },
      numbered((n) => ({ product_name: `${WORDS[n]} saw`, product_url: `http://page.test/${n}` })),
    ],
    'utility classes that two parts share': [
      thrice(
        (n) =>
          `<li><h3>${WORDS[n]}</h3><p class="tiny upper">Brix</p><p class="tiny ${n === 1 ? 'red' : 'green'}">In stock</p></li>`,
      ),
      { name: 'string', in_stock: 'boolean' },
      numbered((n) => ({ name: WORDS[n] ?? '', in_stock: 'In stock' })),
    ],
  },
  'places that only the cards together explain': {
    'numbers that count the cards': [
      `<table><tbody>${[1, 2, 3].map((n) => `<tr><td>${n}</td><td><a href="/${n}">${WORDS[n]}</a></td></tr>`).join('')}</tbody></table>`,
      { rank: 'integer', title: 'string', author: 'string' },
      numbered((n) => ({ rank: `${n}`, title: WORDS[n] ?? '' })),
    ],
    'the link next to a portrait': [
      thrice(
        (n) =>
          `<article><a href="/u/x${n}"><img src="/p.png" alt=""></a><div><a href="/u/x${n}">Ada ${WORDS[n]}</a></div><h2><a href="/${n}">On ${WORDS[n]}</a></h2></article>`,
      ),
      { title: 'string', author: 'string' },
      numbered((n) => ({ title: `On ${WORDS[n]}`, author: `Ada ${WORDS[n]}` })),
    ],
    'the link to where news comes from': [
      thrice(
        (n) =>
          `<li><h4><a href="/n/${n}">${WORDS[n]} opens</a></h4><div><em><a href="https://p${n}.example/x">${WORDS[n]} Post</a></em></div></li>`,
      ),
      { headline: 'string', source: 'string' },
      numbered((n) => ({ headline: `${WORDS[n]} opens`, source: `${WORDS[n]} Post` })),
    ],
  },
};
