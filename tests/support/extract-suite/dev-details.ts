import { DATE_FIELD, page, records, type SuiteCase } from './case.ts';

/** Pages about one thing, without machine-readable data. Development set. */
export const DEV_DETAILS: readonly SuiteCase[] = [
  {
    type: 'product detail',
    html: page(
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
    multiple: false,
    ...records(`
      name | price:number | sku | description | in_stock:boolean
      Trail Running Shoe | 129.95 | NW-2041 | A light shoe with a grippy sole for wet rock and long descents. | true
    `),
  },
  {
    type: 'real estate detail',
    html: page(
      '12 Elm Street',
      `<h1>12 Elm Street</h1><div class="facts">
      <div class="fact"><div class="fact-label">Asking price</div><div class="fact-value">$485,000</div></div>
      <div class="fact"><div class="fact-label">Bedrooms</div><div class="fact-value">3</div></div>
      <div class="fact"><div class="fact-label">Bathrooms</div><div class="fact-value">2</div></div>
      <div class="fact"><div class="fact-label">Living area</div><div class="fact-value">1,840 sq ft</div></div>
      <div class="fact"><div class="fact-label">Year built</div><div class="fact-value">1987</div></div></div>
      <p>Bright corner house with a garden.</p><section class="similar"><h2>Similar homes</h2>
      <div class="home"><a href="/h/1">8 Oak Road</a> <b>$510,000</b> <i>4 beds</i></div>
      <div class="home"><a href="/h/2">3 Ash Lane</a> <b>$465,000</b> <i>2 beds</i></div></section>`,
    ),
    multiple: false,
    ...records(`
      asking_price:number | bedrooms:integer | bathrooms:integer | living_area:number | year_built:integer | lot_size:number
      485000 | 3 | 2 | 1840 | 1987 |
    `),
  },
  {
    type: 'contact page',
    html: page(
      'Contact',
      `<h1>Harbour Dental Clinic</h1><p>We are open on weekdays.</p><ul class="contact">
      <li>Phone: <a href="tel:+14155550134">(415) 555-0134</a></li>
      <li>Email: <a href="mailto:hello@harbour.example?subject=Visit">Write to us</a></li>
      <li>Address: 41 Pier Road, Oakland</li>
      <li>Website: <a href="https://harbour.example/">harbour.example</a></li></ul>`,
    ),
    multiple: false,
    ...records(`
      name | phone | email:email | address | website:url
      Harbour Dental Clinic | (415) 555-0134 | hello@harbour.example | 41 Pier Road, Oakland | https://harbour.example/
    `),
  },
  {
    type: 'recipe',
    html: page(
      'Lentil soup',
      `<article><h1>Red lentil soup</h1><p class="byline">By <a href="/a/mara">Mara Lind</a></p>
      <ul class="meta"><li><span>Prep time</span> <strong>10 min</strong></li>
      <li><span>Cook time</span> <strong>25 min</strong></li><li><span>Servings</span> <strong>4</strong></li></ul>
      <h2>Ingredients</h2><ul><li>200 g red lentils</li><li>1 onion</li><li>1 l vegetable stock</li></ul>
      <h2>Method</h2><ol><li>Fry the onion.</li><li>Add the rest and simmer.</li></ol></article>`,
    ),
    multiple: false,
    ...records(`
      title | author | prep_time | cook_time | servings:integer | ingredients:list
      Red lentil soup | Mara Lind | 10 min | 25 min | 4 | 200 g red lentils; 1 onion; 1 l vegetable stock
    `),
  },
  {
    type: 'key-value list',
    html: page(
      'Laser level',
      `<h1>Laser level LX-3</h1><ul class="specs"><li>Weight: 1.2 kg</li><li>Range: 30 m</li>
      <li>Battery life: 20 hours</li><li>Model number: LX-3B</li><li>Manufacturer: Ostrava Tools</li></ul>`,
    ),
    multiple: false,
    ...records(`
      name | weight | range | battery_life | modelNumber | manufacturer | colour
      Laser level LX-3 | 1.2 kg | 30 m | 20 hours | LX-3B | Ostrava Tools |
    `),
  },
  {
    type: 'issue detail',
    html: page(
      'Crash on start · Issue #812',
      `<div class="gh-header"><h1><bdi>Crash on start when no config exists</bdi> <span>#812</span></h1>
      <span class="state">Open</span> <span><a class="author" href="/u/kim">kim</a> opened this issue
      <time datetime="2024-03-02T09:15:00Z">Mar 2, 2024</time> · 7 comments</span></div>
      <div class="sidebar"><div><div class="head">Assignees</div><div><a href="/u/lee">lee</a></div></div>
      <div><div class="head">Milestone</div><div><a href="/m/3">v3.1</a></div></div></div>
      <div class="comment"><p>Steps to reproduce the crash are below.</p></div>`,
    ),
    multiple: false,
    ...records(`
      state | author | comment_count:integer | created_at:date | milestone | priority
      Open | kim | 7 | 2024-03-02 | v3.1 |
    `),
  },
  {
    type: 'order detail',
    html: page(
      'Order 70021',
      `<h1>Order 70021</h1><table class="summary"><tr><td>Order date</td><td>April 9, 2024</td></tr>
      <tr><td>Status</td><td>Shipped</td></tr><tr><td>Total</td><td>$86.40</td></tr></table>
      <h2>Items</h2><table class="items"><thead><tr><th>Product</th><th>Qty</th><th>Price</th></tr></thead>
      <tbody><tr><td>Desk lamp</td><td>1</td><td>$56.40</td></tr><tr><td>LED bulb</td><td>3</td><td>$10.00</td></tr>
      </tbody></table>`,
    ),
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
    multiple: false,
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
  {
    type: 'product with a table of specifications',
    html: page(
      'City Bike 7',
      `<h1>City Bike 7</h1><a href="/brands/velo">Velo Works</a>
      <div class="price-box"><del>€899.00</del> <ins>€749.00</ins></div>
      <table><tr><th>Frame</th><td>Aluminium</td></tr><tr><th>Gears</th><td>7</td></tr>
      <tr><th>Weight</th><td>14.5 kg</td></tr></table><img src="/img/bike.jpg" alt="City Bike 7">`,
    ),
    multiple: false,
    ...records(`
      title | price:number | frame | gears:integer | image:url
      City Bike 7 | 749 | Aluminium | 7 | /img/bike.jpg
    `),
  },
];
