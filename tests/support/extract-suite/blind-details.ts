import { at, page, records, type SuiteCase } from './case.ts';

const LINES = [
  ['Design of the poster', 2, 180],
  ['Print on A2, matt', 50, 3.4],
  ['Delivery', 1, 12.5],
] as const;

/** Pages about one thing as sites lay them out. Held out until they were scored twice; pages of development since. */
export const BLIND_DETAILS: readonly SuiteCase[] = [
  {
    type: 'recipe with times in a strip',
    html: page(
      'Leek and potato soup',
      `<article><div class="hero"><p class="kicker">Soups</p><h1>Leek and potato soup</h1><p class="by">Recipe by <a href="/cooks/edda">Edda Fjord</a> | Published 14 January 2024</p></div><div class="strip"><div><span>Prep</span><span>15 mins</span></div><div><span>Cook</span><span>25 mins</span></div><div><span>Serves</span><span>4</span></div></div><p>A thick soup for wet evenings, with hardly anything to wash up.</p><h2>Ingredients</h2><ul><li>3 leeks</li><li>400 g potatoes</li><li>1 litre stock</li></ul><h2>Method</h2><ol><li>Slice the leeks.</li><li>Fry them gently.</li><li>Add the rest and simmer.</li></ol></article>`,
    ),
    multiple: false,
    ...records(`
      title | author | prep_time | cook_time | servings:integer | ingredients:list | steps:list
      Leek and potato soup | Edda Fjord | 15 mins | 25 mins | 4 | 3 leeks; 400 g potatoes; 1 litre stock | Slice the leeks.; Fry them gently.; Add the rest and simmer.
    `),
  },
  {
    type: 'invoice with lines',
    html: page(
      'Invoice',
      `<div class="invoice"><div class="row"><div><strong>Harbour Print Ltd</strong><br>4 Slip Road<br>Whitby YO21 3PU</div><div class="text-right"><h1>Invoice</h1><div>Invoice #: HP-2024-0117</div><div>Date: 9 February 2024</div><div>Due: 23 February 2024</div></div></div><div><h5>Bill to</h5><p>Moss Theatre</p></div><table class="table"><thead><tr><th>Description</th><th class="text-right">Qty</th><th class="text-right">Unit price</th><th class="text-right">Amount</th></tr></thead><tbody>${LINES.map(
        ([what, count, each]) =>
          `<tr><td>${what}</td><td>${count}</td><td>£${each.toFixed(2)}</td><td>£${(count * each).toFixed(2)}</td></tr>`,
      ).join(
        '',
      )}</tbody><tfoot><tr><td colspan="3">Subtotal</td><td>£542.50</td></tr><tr><td colspan="3">VAT (20%)</td><td>£108.50</td></tr><tr><td colspan="3"><b>Total</b></td><td><b>£651.00</b></td></tr></tfoot></table></div>`,
    ),
    multiple: false,
    ...records(`
      invoice_number | invoice_date:date | due_date:date | bill_to | subtotal:number | total:number
      HP-2024-0117 | 2024-02-09 | 2024-02-23 | Moss Theatre | 542.5 | 651
    `),
  },
  {
    type: 'profile of a person',
    html: page(
      'Ilse Brandt',
      `<section class="pv-top-card"><img src="/p/ilse.jpg" alt="Ilse Brandt"><div class="mt2"><h1 class="text-heading-xlarge">Ilse Brandt</h1><div class="text-body-medium">Hydrologist at the Delta Institute</div><span class="text-body-small">Delft, Netherlands</span></div><ul class="list-inline"><li><span class="t-bold">1,204</span> followers</li><li><span class="t-bold">500+</span> connections</li></ul></section><section><h2>Contact</h2><div class="ci"><h3>Email</h3><a href="mailto:ilse@delta.example">ilse@delta.example</a></div><div class="ci"><h3>Phone</h3><span>+31 15 555 0188</span></div><div class="ci"><h3>Website</h3><a href="https://ilse.example/">ilse.example</a></div></section>`,
    ),
    multiple: false,
    ...records(`
      name | email:email | phone | website:url | followers:integer
      Ilse Brandt | ilse@delta.example | +31 15 555 0188 | https://ilse.example/ | 1204
    `),
  },
  {
    type: 'event with its price above the heading',
    html: page(
      'The Long Canal',
      `<div class="grid"><div class="col-span-4"><div class="ticket"><div class="amount"><sup>$</sup>24<sup>50</sup></div><a class="btn" href="/checkout/551">Get tickets</a></div></div><div class="col-span-8"><h1>The Long Canal: an evening of film</h1><p class="text-sm">Saturday, June 8, 2024 · 7:30 PM</p><p class="text-sm">Odeon Hall, 12 Basin Street, Leeds LS1 4DP</p><p class="text-sm">Hosted by <a href="/o/reel">Reel North</a></p><h2>About this event</h2><p>Four short films about the canal and the people who live on it, with the directors.</p></div></div>`,
    ),
    multiple: false,
    ...records(`
      title | date:date | location | organizer | price:number | description
      The Long Canal: an evening of film | 2024-06-08 | Odeon Hall, 12 Basin Street, Leeds LS1 4DP | Reel North | 24.5 | Four short films about the canal and the people who live on it, with the directors.
    `),
  },
  {
    type: 'car with facts in tiles',
    html: page(
      'Skoda Octavia',
      `<div class="vdp"><h1>2019 Skoda Octavia Estate</h1><p class="trim">1.5 TSI SE L</p><div class="price-box"><span class="now">£14,295</span><span class="pm">£243 per month</span></div><div class="tiles"><div class="tile"><svg></svg><p>Mileage</p><p>38,112 miles</p></div><div class="tile"><svg></svg><p>Fuel type</p><p>Petrol</p></div><div class="tile"><svg></svg><p>Gearbox</p><p>Manual</p></div><div class="tile"><svg></svg><p>Engine</p><p>1.5L</p></div></div><h2>Seller</h2><div class="seller"><p>Birch Motors</p><p><a href="tel:01904555022">01904 555 022</a></p></div></div>`,
    ),
    multiple: false,
    ...records(`
      title | price:number | mileage:integer | fuel | transmission | phone
      2019 Skoda Octavia Estate | 14295 | 38112 | Petrol | Manual | 01904 555 022
    `),
  },
  {
    type: 'package of a registry',
    html: page(
      'brisk-queue',
      `<div class="flex"><div><h1><span class="w-100">brisk-queue</span></h1><ul class="inline"><li><span>2.4.1</span> • Public • Published <time datetime="2024-03-20T11:02:00Z">2 months ago</time></li></ul><div class="readme"><h2>brisk-queue</h2><p>A small queue with limits that survive restarts.</p></div></div><div class="side"><h3>Install</h3><code>npm i brisk-queue</code><div><h3>Repository</h3><p><a href="https://code.example/brisk/queue">code.example/brisk/queue</a></p></div><div><h3>Weekly Downloads</h3><p>18,204</p></div><div><h3>Version</h3><p>2.4.1</p></div><div><h3>License</h3><p>MIT</p></div></div></div>`,
    ),
    multiple: false,
    ...records(`
      package_name | version | license | weekly_downloads:integer | repository:url | published:date
      brisk-queue | 2.4.1 | MIT | 18204 | https://code.example/brisk/queue | 2024-03-20
    `),
  },
  {
    type: 'book with a definition list of links',
    html: page(
      'Salt Roads',
      `<div class="book"><div class="cover"><img src="/c/salt.jpg" alt="Cover of Salt Roads"></div><div class="meta"><p class="crumb"><a href="/fiction">Fiction</a> / <a href="/fiction/sea">Sea stories</a></p><h1>Salt Roads</h1><div class="rate"><span aria-label="4.2 out of 5 stars">★★★★☆</span> <a href="#reviews">86 ratings</a></div><div class="buy"><span class="cur">$</span><span class="whole">18</span><span class="frac">.95</span></div><dl><dt>Author</dt><dd><a href="/a/oyelaran">Tade Oyelaran</a></dd><dt>Publisher</dt><dd><a href="/p/gannet">Gannet Press</a></dd><dt>Pages</dt><dd>312</dd><dt>ISBN-13</dt><dd>978-1-56619-909-4</dd></dl></div></div>`,
    ),
    multiple: false,
    ...records(`
      title | author | author_url:url | publisher | pages:integer | isbn | price:number | rating:number | ratings_count:integer
      Salt Roads | Tade Oyelaran | /a/oyelaran | Gannet Press | 312 | 978-1-56619-909-4 | 18.95 | 4.2 | 86
    `),
  },
];
