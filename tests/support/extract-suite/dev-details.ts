import { at, DATE_FIELD, own, page, records, type SuiteCase } from './case.ts';

const LINES = [
  ['Design of the poster', 2, 180],
  ['Print on A2, matt', 50, 3.4],
  ['Delivery', 1, 12.5],
] as const;

const LINES_2 = (properties: Readonly<Record<string, { readonly type: string }>>) => ({
  type: 'array',
  items: { type: 'object', properties },
});

/** Pages about one thing. Rules were written for them. */
export const DEV_DETAILS: readonly SuiteCase[] = [
  own(
    'recipe with times in a strip',
    page(
      'Leek and potato soup',
      `<article><div class="hero"><p class="kicker">Soups</p><h1>Leek and potato soup</h1><p class="by">Recipe by <a href="/cooks/edda">Edda Fjord</a> | Published 14 January 2024</p></div><div class="strip"><div><span>Prep</span><span>15 mins</span></div><div><span>Cook</span><span>25 mins</span></div><div><span>Serves</span><span>4</span></div></div><p>A thick soup for wet evenings, with hardly anything to wash up.</p><h2>Ingredients</h2><ul><li>3 leeks</li><li>400 g potatoes</li><li>1 litre stock</li></ul><h2>Method</h2><ol><li>Slice the leeks.</li><li>Fry them gently.</li><li>Add the rest and simmer.</li></ol></article>`,
    ),
    records(`
      title | author | prep_time | cook_time | servings:integer | ingredients:list | steps:list
      Leek and potato soup | Edda Fjord | 15 mins | 25 mins | 4 | 3 leeks; 400 g potatoes; 1 litre stock | Slice the leeks.; Fry them gently.; Add the rest and simmer.
    `),
  ),
  own(
    'invoice with lines',
    page(
      'Invoice',
      `<div class="invoice"><div class="row"><div><strong>Harbour Print Ltd</strong><br>4 Slip Road<br>Whitby YO21 3PU</div><div class="text-right"><h1>Invoice</h1><div>Invoice #: HP-2024-0117</div><div>Date: 9 February 2024</div><div>Due: 23 February 2024</div></div></div><div><h5>Bill to</h5><p>Moss Theatre</p></div><table class="table"><thead><tr><th>Description</th><th class="text-right">Qty</th><th class="text-right">Unit price</th><th class="text-right">Amount</th></tr></thead><tbody>${LINES.map(
        ([what, count, each]) =>
          `<tr><td>${what}</td><td>${count}</td><td>£${each.toFixed(2)}</td><td>£${(count * each).toFixed(2)}</td></tr>`,
      ).join(
        '',
      )}</tbody><tfoot><tr><td colspan="3">Subtotal</td><td>£542.50</td></tr><tr><td colspan="3">VAT (20%)</td><td>£108.50</td></tr><tr><td colspan="3"><b>Total</b></td><td><b>£651.00</b></td></tr></tfoot></table></div>`,
    ),
    records(`
      invoice_number | invoice_date:date | due_date:date | bill_to | subtotal:number | total:number
      HP-2024-0117 | 2024-02-09 | 2024-02-23 | Moss Theatre | 542.5 | 651
    `),
  ),
  own(
    'event with its price above the heading',
    page(
      'The Long Canal',
      `<div class="grid"><div class="col-span-4"><div class="ticket"><div class="amount"><sup>$</sup>24<sup>50</sup></div><a class="btn" href="/checkout/551">Get tickets</a></div></div><div class="col-span-8"><h1>The Long Canal: an evening of film</h1><p class="text-sm">Saturday, June 8, 2024 · 7:30 PM</p><p class="text-sm">Odeon Hall, 12 Basin Street, Leeds LS1 4DP</p><p class="text-sm">Hosted by <a href="/o/reel">Reel North</a></p><h2>About this event</h2><p>Four short films about the canal and the people who live on it, with the directors.</p></div></div>`,
    ),
    records(`
      title | date:date | location | organizer | price:number | description
      The Long Canal: an evening of film | 2024-06-08 | Odeon Hall, 12 Basin Street, Leeds LS1 4DP | Reel North | 24.5 | Four short films about the canal and the people who live on it, with the directors.
    `),
  ),
  own(
    'car with facts in tiles',
    page(
      'Skoda Octavia',
      `<div class="vdp"><h1>2019 Skoda Octavia Estate</h1><p class="trim">1.5 TSI SE L</p><div class="price-box"><span class="now">£14,295</span><span class="pm">£243 per month</span></div><div class="tiles"><div class="tile"><svg></svg><p>Mileage</p><p>38,112 miles</p></div><div class="tile"><svg></svg><p>Fuel type</p><p>Petrol</p></div><div class="tile"><svg></svg><p>Gearbox</p><p>Manual</p></div><div class="tile"><svg></svg><p>Engine</p><p>1.5L</p></div></div><h2>Seller</h2><div class="seller"><p>Birch Motors</p><p><a href="tel:01904555022">01904 555 022</a></p></div></div>`,
    ),
    records(`
      title | price:number | mileage:integer | fuel | transmission | phone
      2019 Skoda Octavia Estate | 14295 | 38112 | Petrol | Manual | 01904 555 022
    `),
  ),
  own(
    'package of a registry',
    page(
      'brisk-queue',
      `<div class="flex"><div><h1><span class="w-100">brisk-queue</span></h1><ul class="inline"><li><span>2.4.1</span> • Public • Published <time datetime="2024-03-20T11:02:00Z">2 months ago</time></li></ul><div class="readme"><h2>brisk-queue</h2><p>A small queue with limits that survive restarts.</p></div></div><div class="side"><h3>Install</h3><code>npm i brisk-queue</code><div><h3>Repository</h3><p><a href="https://code.example/brisk/queue">code.example/brisk/queue</a></p></div><div><h3>Weekly Downloads</h3><p>18,204</p></div><div><h3>Version</h3><p>2.4.1</p></div><div><h3>License</h3><p>MIT</p></div></div></div>`,
    ),
    records(`
      package_name | version | license | weekly_downloads:integer | repository:url | published:date
      brisk-queue | 2.4.1 | MIT | 18204 | https://code.example/brisk/queue | 2024-03-20
    `),
  ),
  own(
    'book with a definition list of links',
    page(
      'Salt Roads',
      `<div class="book"><div class="cover"><img src="/c/salt.jpg" alt="Cover of Salt Roads"></div><div class="meta"><p class="crumb"><a href="/fiction">Fiction</a> / <a href="/fiction/sea">Sea stories</a></p><h1>Salt Roads</h1><div class="rate"><span aria-label="4.2 out of 5 stars">★★★★☆</span> <a href="#reviews">86 ratings</a></div><div class="buy"><span class="cur">$</span><span class="whole">18</span><span class="frac">.95</span></div><dl><dt>Author</dt><dd><a href="/a/oyelaran">Tade Oyelaran</a></dd><dt>Publisher</dt><dd><a href="/p/gannet">Gannet Press</a></dd><dt>Pages</dt><dd>312</dd><dt>ISBN-13</dt><dd>978-1-56619-909-4</dd></dl></div></div>`,
    ),
    records(`
      title | author | author_url:url | publisher | pages:integer | isbn | price:number | rating:number | ratings_count:integer
      Salt Roads | Tade Oyelaran | /a/oyelaran | Gannet Press | 312 | 978-1-56619-909-4 | 18.95 | 4.2 | 86
    `),
  ),
  own(
    'product detail',
    page(
      'Trail Running Shoe – Northwind',
      `<ol class="breadcrumb"><li><a href="/shoes">Shoes</a></li><li><a href="/shoes/trail">Trail</a></li></ol>
      <div class="gallery"><img src="/img/shoe-1.jpg" alt="Side view"></div>
      <h1>Trail Running Shoe</h1><div class="buy"><span>$129.95</span><button>Add to cart</button></div>
      <p>SKU: NW-2041</p><p>A light shoe with a grippy sole for wet rock and long descents.</p>
      <p class="stock">In stock</p>
      <h2>You may also like</h2><ul class="related"><li><a href="/p/9"><h3>Wool Sock</h3></a><span>$14.00</span></li>
      <li><a href="/p/10"><h3>Running Cap</h3></a><span>$24.50</span></li>
      <li><a href="/p/11"><h3>Soft Flask</h3></a><span>$19.00</span></li></ul>`,
    ),
    records(`
      name | price:number | sku | description | in_stock:boolean
      Trail Running Shoe | 129.95 | NW-2041 | A light shoe with a grippy sole for wet rock and long descents. | true
    `),
  ),
  own(
    'contact page',
    page(
      'Contact',
      `<h1>Harbour Dental Clinic</h1><p>We are open on weekdays.</p><ul class="contact">
      <li>Phone: <a href="tel:+14155550134">(415) 555-0134</a></li>
      <li>Email: <a href="mailto:hello@harbour.example?subject=Visit">Write to us</a></li>
      <li>Address: 41 Pier Road, Oakland</li>
      <li>Website: <a href="https://harbour.example/">harbour.example</a></li></ul>`,
    ),
    records(`
      name | phone | email:email | address | website:url
      Harbour Dental Clinic | (415) 555-0134 | hello@harbour.example | 41 Pier Road, Oakland | https://harbour.example/
    `),
  ),
  own(
    'key-value list',
    page(
      'Laser level',
      `<h1>Laser level LX-3</h1><ul class="specs"><li>Weight: 1.2 kg</li><li>Range: 30 m</li>
      <li>Battery life: 20 hours</li><li>Model number: LX-3B</li><li>Manufacturer: Ostrava Tools</li></ul>`,
    ),
    records(`
      name | weight | range | battery_life | modelNumber | manufacturer | colour
      Laser level LX-3 | 1.2 kg | 30 m | 20 hours | LX-3B | Ostrava Tools |
    `),
  ),
  own(
    'issue detail',
    page(
      'Crash on start · Issue #812',
      `<div class="gh-header"><h1><bdi>Crash on start when no config exists</bdi> <span>#812</span></h1>
      <span class="state">Open</span> <span><a class="author" href="/u/kim">kim</a> opened this issue
      <time datetime="2024-03-02T09:15:00Z">Mar 2, 2024</time> · 7 comments</span></div>
      <div class="sidebar"><div><div class="head">Assignees</div><div><a href="/u/lee">lee</a></div></div>
      <div><div class="head">Milestone</div><div><a href="/m/3">v3.1</a></div></div></div>
      <div class="comment"><p>Steps to reproduce the crash are below.</p></div>`,
    ),
    records(`
      state | author | comment_count:integer | created_at:date | milestone | priority
      Open | kim | 7 | 2024-03-02 | v3.1 |
    `),
  ),
  own(
    'order detail',
    page(
      'Order 70021',
      `<h1>Order 70021</h1><table class="summary"><tr><td>Order date</td><td>April 9, 2024</td></tr>
      <tr><td>Status</td><td>Shipped</td></tr><tr><td>Total</td><td>$86.40</td></tr></table>
      <h2>Items</h2><table class="items"><thead><tr><th>Product</th><th>Qty</th><th>Price</th></tr></thead>
      <tbody><tr><td>Desk lamp</td><td>1</td><td>$56.40</td></tr><tr><td>LED bulb</td><td>3</td><td>$10.00</td></tr>
      </tbody></table>`,
    ),
    {
      fields: {
        order_date: DATE_FIELD,
        status: 'string',
        total: 'number',
        items: {
          type: 'array',
          items: {
            type: 'object',
            properties: { product: { type: 'string' }, qty: { type: 'integer' }, price: { type: 'number' } },
          },
        },
      },
      gold: [
        {
          order_date: '2024-04-09',
          status: 'Shipped',
          total: 86.4,
          items: [
            { product: 'Desk lamp', qty: 1, price: 56.4 },
            { product: 'LED bulb', qty: 3, price: 10 },
          ],
        },
      ],
    },
  ),
  own(
    'product with a table of specifications',
    page(
      'City Bike 7',
      `<h1>City Bike 7</h1><a href="/brands/velo">Velo Works</a>
      <div class="price-box"><del>€899.00</del> <ins>€749.00</ins></div>
      <table><tr><th>Frame</th><td>Aluminium</td></tr><tr><th>Gears</th><td>7</td></tr>
      <tr><th>Weight</th><td>14.5 kg</td></tr></table><img src="/img/bike.jpg" alt="City Bike 7">`,
    ),
    records(`
      title | price:number | frame | gears:integer | image:url
      City Bike 7 | 749 | Aluminium | 7 | /img/bike.jpg
    `),
  ),
  own(
    'magazine story',
    page(
      'The ferry that stayed | Northwind',
      `<article><span class="kicker">Travel</span><h1>The ferry that stayed</h1><p class="dek">How one boat kept a village alive.</p>
      <div class="meta"><span class="byline">Words by <a href="/authors/jo-hart">Jo Hart</a></span><span class="dot">·</span>
      <time datetime="2024-02-18">18 Feb 2024</time><span>6 min read</span></div>
      <figure><img src="/img/ferry.jpg" alt="A ferry"><figcaption>Photo: Sam Lee</figcaption></figure>
      <p>The ferry leaves at seven, as it has since 1962, with mail and bread on board.</p><h2>Ten minutes across</h2>
      <p>Nobody remembers a morning without it, and nobody wants to.</p></article>
      <section class="more"><h2>More stories</h2><article><h3><a href="/s/1">A pier in winter</a></h3><span>By Al Moss</span><time datetime="2024-01-02">2 Jan</time></article>
      <article><h3><a href="/s/2">Salt roads</a></h3><span>By Mia Orr</span><time datetime="2024-01-09">9 Jan</time></article></section>`,
    ),
    records(`
      headline | author | published_date:date | section | comment_count:integer
      The ferry that stayed | Jo Hart | 2024-02-18 | Travel |
    `),
  ),
  own(
    'invoice with lines',
    page(
      'Invoice INV-2041',
      `<h1>Invoice</h1><div class="head"><div><strong>Invoice number</strong><br>INV-2041</div><div><strong>Invoice date</strong><br>14 March 2024</div>
      <div><strong>Due date</strong><br>13 April 2024</div></div><div class="to"><h4>Bill to</h4><p>Marta Quint<br>3 Quay Street<br>Cork</p></div>
      <div class="lines"><div class="line"><span class="desc">Design of a logo</span><span class="qty">2</span><span class="amount">€400.00</span></div>
      <div class="line"><span class="desc">Hosting, one year</span><span class="qty">1</span><span class="amount">€96.00</span></div></div>
      <dl><dt>Subtotal</dt><dd>€896.00</dd><dt>VAT (23%)</dt><dd>€206.08</dd><dt>Total due</dt><dd>€1,102.08</dd></dl>`,
    ),
    {
      fields: {
        invoice_number: 'string',
        invoice_date: DATE_FIELD,
        due_date: DATE_FIELD,
        subtotal: 'number',
        total_due: 'number',
        lines: LINES_2({ desc: { type: 'string' }, qty: { type: 'integer' }, amount: { type: 'number' } }),
      },
      gold: [
        {
          invoice_number: 'INV-2041',
          invoice_date: '2024-03-14',
          due_date: '2024-04-13',
          subtotal: 896,
          total_due: 1102.08,
          lines: [
            { desc: 'Design of a logo', qty: 2, amount: 400 },
            { desc: 'Hosting, one year', qty: 1, amount: 96 },
          ],
        },
      ],
    },
  ),
  own(
    'job detail',
    page(
      'Baker - Rye & Co',
      `<div class="job-header"><h1>Baker</h1><a href="/c/rye">Rye &amp; Co</a><div>Ghent, Belgium</div><div>€2,600 - €3,100 a month - Full-time</div></div>
      <h2>Job details</h2><div><h3>Job type</h3><div>Full-time</div></div><div><h3>Shift</h3><div>Night shift</div></div>
      <h2>Full job description</h2><p>You bake bread and rolls.</p><h2>Similar jobs</h2><ul><li><a href="/j/1">Pastry cook</a> <span>Crumb Ltd</span></li></ul>`,
    ),
    records(`
      job_title | job_type | shift | salary_min:number | salary_max:number | apply_by:date
      Baker | Full-time | Night shift | 2600 | 3100 |
    `),
  ),
  own(
    'concert detail',
    page(
      'Ada Veil at the Old Mill',
      `<h1>Ada Veil</h1><ul class="facts"><li><svg aria-hidden="true"></svg><span>Date</span> Friday, June 14, 2024</li><li><svg aria-hidden="true"></svg><span>Doors</span> 7:30 PM</li>
      <li><svg aria-hidden="true"></svg><span>Venue</span> <a href="/v/mill">The Old Mill</a></li><li><svg aria-hidden="true"></svg><span>Tickets</span> from $28.50</li></ul>
      <a class="btn" href="https://tickets.example/ada">Get tickets</a><h2>Also playing</h2><ul><li><a href="/e/9">Mono Lake</a> June 20</li></ul>`,
    ),
    records(`
      artist | date:date | doors | venue | ticket_url:url
      Ada Veil | 2024-06-14 | 7:30 PM | The Old Mill | https://tickets.example/ada
    `),
  ),
  own(
    'book of a catalogue',
    page(
      'The Salt Path',
      `<ul class="breadcrumb"><li><a href="/">Home</a></li><li><a href="/books">Books</a></li><li>The Salt Path</li></ul>
      <div class="product_main"><h1>The Salt Path</h1><p class="price_color">£14.20</p><p class="instock availability"><i></i> In stock (7 available)</p>
      <p class="star-rating Four"><i></i></p></div><h2>Product Description</h2><p>A walk along a coast.</p><h2>Product Information</h2>
      <table><tr><th>UPC</th><td>a897fe39b1053632</td></tr><tr><th>Price (excl. tax)</th><td>£14.20</td></tr><tr><th>Tax</th><td>£0.00</td></tr>
      <tr><th>Number of reviews</th><td>0</td></tr></table>`,
    ),
    records(`
      title | price:number | in_stock:boolean | upc | tax:number | number_of_reviews:integer | description
      The Salt Path | 14.2 | true | a897fe39b1053632 | 0 | 0 | A walk along a coast.
    `),
  ),
  own(
    'player profile',
    page(
      'Rui Costa Lima',
      `<h1>Rui Costa Lima <span>#8</span></h1><p class="position">Midfielder</p><div class="bio"><p><span>Height</span><b>181 cm</b></p><p><span>Weight</span><b>76 kg</b></p>
      <p><span>Birthdate</span><b>May 9, 1998 (26)</b></p><p><span>Nationality</span><b>Portugal</b></p></div><h2>Career stats</h2>
      <table><thead><tr><th>Season</th><th>Apps</th><th>Goals</th></tr></thead><tbody><tr><td>2022</td><td>31</td><td>4</td></tr><tr><td>2023</td><td>28</td><td>7</td></tr></tbody></table>`,
    ),
    {
      fields: {
        position: 'string',
        height: 'string',
        weight: 'string',
        birthdate: DATE_FIELD,
        nationality: 'string',
        team: 'string',
        career_stats: LINES_2({
          season: { type: 'integer' },
          apps: { type: 'integer' },
          goals: { type: 'integer' },
        }),
      },
      gold: [
        {
          position: 'Midfielder',
          height: '181 cm',
          weight: '76 kg',
          birthdate: '1998-05-09',
          nationality: 'Portugal',
          career_stats: [
            { season: 2022, apps: 31, goals: 4 },
            { season: 2023, apps: 28, goals: 7 },
          ],
        },
      ],
    },
  ),
];
