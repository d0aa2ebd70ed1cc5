import { at, DATE_FIELD, page, records, type SuiteCase } from './case.ts';

const LINES = (properties: Readonly<Record<string, { readonly type: string }>>) => ({
  type: 'array',
  items: { type: 'object', properties },
});

/** One thing of each of further kinds, written as their sites lay them out. */
export const DEV_KINDS_DETAILS: readonly SuiteCase[] = [
  {
    type: 'magazine story',
    html: page(
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
    multiple: false,
    ...records(`
      headline | author | published_date:date | section | comment_count:integer
      The ferry that stayed | Jo Hart | 2024-02-18 | Travel |
    `),
  },
  {
    type: 'invoice with lines',
    html: page(
      'Invoice INV-2041',
      `<h1>Invoice</h1><div class="head"><div><strong>Invoice number</strong><br>INV-2041</div><div><strong>Invoice date</strong><br>14 March 2024</div>
      <div><strong>Due date</strong><br>13 April 2024</div></div><div class="to"><h4>Bill to</h4><p>Marta Quint<br>3 Quay Street<br>Cork</p></div>
      <div class="lines"><div class="line"><span class="desc">Design of a logo</span><span class="qty">2</span><span class="amount">€400.00</span></div>
      <div class="line"><span class="desc">Hosting, one year</span><span class="qty">1</span><span class="amount">€96.00</span></div></div>
      <dl><dt>Subtotal</dt><dd>€896.00</dd><dt>VAT (23%)</dt><dd>€206.08</dd><dt>Total due</dt><dd>€1,102.08</dd></dl>`,
    ),
    fields: {
      invoice_number: 'string',
      invoice_date: DATE_FIELD,
      due_date: DATE_FIELD,
      subtotal: 'number',
      total_due: 'number',
      lines: LINES({ desc: { type: 'string' }, qty: { type: 'integer' }, amount: { type: 'number' } }),
    },
    multiple: false,
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
  {
    type: 'job detail',
    html: page(
      'Baker - Rye & Co',
      `<div class="job-header"><h1>Baker</h1><a href="/c/rye">Rye &amp; Co</a><div>Ghent, Belgium</div><div>€2,600 - €3,100 a month - Full-time</div></div>
      <h2>Job details</h2><div><h3>Job type</h3><div>Full-time</div></div><div><h3>Shift</h3><div>Night shift</div></div>
      <h2>Full job description</h2><p>You bake bread and rolls.</p><h2>Similar jobs</h2><ul><li><a href="/j/1">Pastry cook</a> <span>Crumb Ltd</span></li></ul>`,
    ),
    multiple: false,
    ...records(`
      job_title | job_type | shift | salary_min:number | salary_max:number | apply_by:date
      Baker | Full-time | Night shift | 2600 | 3100 |
    `),
  },
  {
    type: 'concert detail',
    html: page(
      'Ada Veil at the Old Mill',
      `<h1>Ada Veil</h1><ul class="facts"><li><svg aria-hidden="true"></svg><span>Date</span> Friday, June 14, 2024</li><li><svg aria-hidden="true"></svg><span>Doors</span> 7:30 PM</li>
      <li><svg aria-hidden="true"></svg><span>Venue</span> <a href="/v/mill">The Old Mill</a></li><li><svg aria-hidden="true"></svg><span>Tickets</span> from $28.50</li></ul>
      <a class="btn" href="https://tickets.example/ada">Get tickets</a><h2>Also playing</h2><ul><li><a href="/e/9">Mono Lake</a> June 20</li></ul>`,
    ),
    multiple: false,
    ...records(`
      artist | date:date | doors | venue | ticket_url:url
      Ada Veil | 2024-06-14 | 7:30 PM | The Old Mill | https://tickets.example/ada
    `),
  },
  {
    type: 'package of a registry',
    html: page(
      'left-trim',
      `<div class="top"><h1><span>left-trim</span></h1><span>2.4.1</span> • <span>Public</span> • <span>Published 3 months ago</span></div>
      <div class="readme"><p>Trims text on its left side.</p><h2>Install</h2><pre>npm i left-trim</pre></div>
      <aside><div><h3>Repository</h3><p><a href="https://git.example/left-trim">git.example/left-trim</a></p></div><div><h3>Weekly Downloads</h3><p>48,203</p></div>
      <div class="row"><div><h3>Version</h3><p>2.4.1</p></div><div><h3>License</h3><p>MIT</p></div></div><div><h3>Unpacked Size</h3><p>12.3 kB</p></div></aside>`,
    ),
    multiple: false,
    ...records(`
      name | version | license | weekly_downloads:integer | repository:url
      left-trim | 2.4.1 | MIT | 48203 | https://git.example/left-trim
    `),
  },
  {
    type: 'book of a catalogue',
    html: page(
      'The Salt Path',
      `<ul class="breadcrumb"><li><a href="/">Home</a></li><li><a href="/books">Books</a></li><li>The Salt Path</li></ul>
      <div class="product_main"><h1>The Salt Path</h1><p class="price_color">£14.20</p><p class="instock availability"><i></i> In stock (7 available)</p>
      <p class="star-rating Four"><i></i></p></div><h2>Product Description</h2><p>A walk along a coast.</p><h2>Product Information</h2>
      <table><tr><th>UPC</th><td>a897fe39b1053632</td></tr><tr><th>Price (excl. tax)</th><td>£14.20</td></tr><tr><th>Tax</th><td>£0.00</td></tr>
      <tr><th>Number of reviews</th><td>0</td></tr></table>`,
    ),
    multiple: false,
    ...records(`
      title | price:number | in_stock:boolean | upc | tax:number | number_of_reviews:integer | description
      The Salt Path | 14.2 | true | a897fe39b1053632 | 0 | 0 | A walk along a coast.
    `),
  },
  {
    type: 'player profile',
    html: page(
      'Rui Costa Lima',
      `<h1>Rui Costa Lima <span>#8</span></h1><p class="position">Midfielder</p><div class="bio"><p><span>Height</span><b>181 cm</b></p><p><span>Weight</span><b>76 kg</b></p>
      <p><span>Birthdate</span><b>May 9, 1998 (26)</b></p><p><span>Nationality</span><b>Portugal</b></p></div><h2>Career stats</h2>
      <table><thead><tr><th>Season</th><th>Apps</th><th>Goals</th></tr></thead><tbody><tr><td>2022</td><td>31</td><td>4</td></tr><tr><td>2023</td><td>28</td><td>7</td></tr></tbody></table>`,
    ),
    fields: {
      position: 'string',
      height: 'string',
      weight: 'string',
      birthdate: DATE_FIELD,
      nationality: 'string',
      team: 'string',
      career_stats: LINES({
        season: { type: 'integer' },
        apps: { type: 'integer' },
        goals: { type: 'integer' },
      }),
    },
    multiple: false,
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
  {
    type: 'bug report',
    html: page(
      'Bug 1881 - Window is blank after resume',
      `<h1><span>Bug 1881</span> - <span id="short_desc">Window is blank after resume</span></h1><div class="fields">
      <div class="field"><div class="name">Product:</div><div class="value">Viewer</div></div><div class="field"><div class="name">Component:</div><div class="value">Rendering</div></div>
      <div class="field"><div class="name">Status:</div><div class="value">RESOLVED FIXED</div></div><div class="field"><div class="name">Assignee:</div><div class="value"><a href="/u/noor">Noor</a></div></div>
      <div class="field"><div class="name">Reported:</div><div class="value"><span title="2024-01-30 08:11">3 months ago</span></div></div></div>
      <div class="tags"><span>Keywords:</span> <a href="/k/crash">crash</a>, <a href="/k/regression">regression</a></div>`,
    ),
    multiple: false,
    ...records(`
      summary | product | component | status | assignee | keywords:list | severity
      Window is blank after resume | Viewer | Rendering | RESOLVED FIXED | Noor | crash; regression |
    `),
  },
  {
    type: 'product of a marketplace',
    html: page(
      'Steel bottle 750 ml',
      `<div class="crumbs"><a href="/c/kitchen">Kitchen</a> › <a href="/c/bottles">Bottles</a></div><h1 id="title">Steel bottle 750 ml</h1>
      <a id="bylineInfo" href="/stores/fjord">Visit the Fjord Store</a><div><span>4.6</span> <i><span>4.6 out of 5 stars</span></i> <a href="#r">2,318 ratings</a></div>
      <div class="price"><span class="offscreen">$21.99</span><span aria-hidden="true"><sup>$</sup>21<sup>99</sup></span> <span>List Price: <s>$27.99</s></span></div>
      <div id="availability">Only 3 left in stock - order soon.</div><table><tr><td><b>Brand</b></td><td>Fjord</td></tr><tr><td><b>Capacity</b></td><td>750 Milliliters</td></tr></table>
      <img id="landingImage" src="/img/bottle.jpg" alt="Steel bottle 750 ml"><h2>Customers also bought</h2><ul><li><a href="/d/2">Steel cup</a><span>$9.99</span></li></ul>`,
    ),
    multiple: false,
    ...records(`
      title | brand | capacity | price:number | list_price:number | rating:number | ratings_count:integer | image:url
      Steel bottle 750 ml | Fjord | 750 Milliliters | 21.99 | 27.99 | 4.6 | 2318 | /img/bottle.jpg
    `),
  },
  {
    type: 'town of an encyclopedia',
    html: page(
      'Port Alder',
      `<h1>Port Alder</h1><table class="infobox"><caption>Port Alder</caption><tr><th colspan="2">Town</th></tr><tr><th>Country</th><td><a href="/wiki/Norland">Norland</a></td></tr>
      <tr><th>Founded</th><td>1821<sup><a href="#n1">[1]</a></sup></td></tr><tr><th>Mayor</th><td>Ola Berg</td></tr><tr><th colspan="2">Population <span>(2020)</span></th></tr>
      <tr><th>• Total</th><td>18,402</td></tr><tr><th>Website</th><td><a href="https://alder.example/">alder.example</a></td></tr></table>
      <p><b>Port Alder</b> is a town on the west coast, known for its harbour and 2 lighthouses.</p>`,
    ),
    multiple: false,
    ...records(`
      name | country | founded:integer | mayor | website:url | area:number
      Port Alder | Norland | 1821 | Ola Berg | https://alder.example/ |
    `),
  },
];
