import { at, DATE_FIELD, day, EMAIL_FIELD, LIST_FIELD, own, page, records, type SuiteCase } from './case.ts';

const BASKET = [
  ['Linen apron', 2, 34],
  ['Oak spoon', 1, 12.5],
  ['Tea towel, striped', 3, 9],
] as const;

/** Pages about one thing. Rules were written for them. */
export const MORE_DEV_DETAILS: readonly SuiteCase[] = [
  own(
    'bug report',
    page(
      'Bug 1881 - Window is blank after resume',
      `<h1><span>Bug 1881</span> - <span id="short_desc">Window is blank after resume</span></h1><div class="fields">
      <div class="field"><div class="name">Product:</div><div class="value">Viewer</div></div><div class="field"><div class="name">Component:</div><div class="value">Rendering</div></div>
      <div class="field"><div class="name">Status:</div><div class="value">RESOLVED FIXED</div></div><div class="field"><div class="name">Assignee:</div><div class="value"><a href="/u/noor">Noor</a></div></div>
      <div class="field"><div class="name">Reported:</div><div class="value"><span title="2024-01-30 08:11">3 months ago</span></div></div></div>
      <div class="tags"><span>Keywords:</span> <a href="/k/crash">crash</a>, <a href="/k/regression">regression</a></div>`,
    ),
    records(`
      summary | product | component | status | assignee | keywords:list | severity
      Window is blank after resume | Viewer | Rendering | RESOLVED FIXED | Noor | crash; regression |
    `),
  ),
  own(
    'product of a marketplace',
    page(
      'Steel bottle 750 ml',
      `<div class="crumbs"><a href="/c/kitchen">Kitchen</a> › <a href="/c/bottles">Bottles</a></div><h1 id="title">Steel bottle 750 ml</h1>
      <a id="bylineInfo" href="/stores/fjord">Visit the Fjord Store</a><div><span>4.6</span> <i><span>4.6 out of 5 stars</span></i> <a href="#r">2,318 ratings</a></div>
      <div class="price"><span class="offscreen">$21.99</span><span aria-hidden="true"><sup>$</sup>21<sup>99</sup></span> <span>List Price: <s>$27.99</s></span></div>
      <div id="availability">Only 3 left in stock - order soon.</div><table><tr><td><b>Brand</b></td><td>Fjord</td></tr><tr><td><b>Capacity</b></td><td>750 Milliliters</td></tr></table>
      <img id="landingImage" src="/img/bottle.jpg" alt="Steel bottle 750 ml"><h2>Customers also bought</h2><ul><li><a href="/d/2">Steel cup</a><span>$9.99</span></li></ul>`,
    ),
    records(`
      title | brand | capacity | price:number | list_price:number | rating:number | ratings_count:integer | image:url
      Steel bottle 750 ml | Fjord | 750 Milliliters | 21.99 | 27.99 | 4.6 | 2318 | /img/bottle.jpg
    `),
  ),
  own(
    'town of an encyclopedia',
    page(
      'Port Alder',
      `<h1>Port Alder</h1><table class="infobox"><caption>Port Alder</caption><tr><th colspan="2">Town</th></tr><tr><th>Country</th><td><a href="/wiki/Norland">Norland</a></td></tr>
      <tr><th>Founded</th><td>1821<sup><a href="#n1">[1]</a></sup></td></tr><tr><th>Mayor</th><td>Ola Berg</td></tr><tr><th colspan="2">Population <span>(2020)</span></th></tr>
      <tr><th>• Total</th><td>18,402</td></tr><tr><th>Website</th><td><a href="https://alder.example/">alder.example</a></td></tr></table>
      <p><b>Port Alder</b> is a town on the west coast, known for its harbour and 2 lighthouses.</p>`,
    ),
    records(`
      name | country | founded:integer | mayor | website:url | area:number
      Port Alder | Norland | 1821 | Ola Berg | https://alder.example/ |
    `),
  ),
  own(
    'answer without a byline, with comments',
    page(
      'How to prune roses',
      `<article><h1>How to prune roses</h1><p>Cut above an outward bud, at a slant, in late winter.</p><p>Remove what is dead first.</p></article>
      <section id="comments"><h2>2 comments</h2><div class="comment"><b class="comment-author">Bea</b> <time datetime="2024-03-01">1 March 2024</time><p>Thanks, this helped me a lot.</p></div>
      <div class="comment"><b class="comment-author">Uwe</b> <time datetime="2024-03-02">2 March 2024</time><p>What about climbing roses?</p></div></section>`,
    ),
    records(`
      title | author | published:date | comment_count:integer
      How to prune roses |  |  | 2
    `),
  ),
  own(
    'version notes',
    page(
      'Release notes 4.2.0',
      `<div class="release"><div><span class="label label-latest">Latest</span></div><h1>Viewer 4.2.0</h1><div class="who"><a href="/u/noor">noor</a> released this
      <relative-time datetime="2024-04-11T08:00:00Z">Apr 11, 2024</relative-time></div><div><a href="/tree/v4.2.0"><span>v4.2.0</span></a> <a href="/commit/8f31c2a"><code>8f31c2a</code></a></div>
      <h2>Fixed</h2><ul><li>Window is blank after resume</li><li>Crash on empty files</li></ul><h2>Added</h2><ul><li>Dark theme</li><li>Zoom by pinch</li></ul>
      <details open><summary>Assets <span>2</span></summary><ul><li><a href="/d/viewer.zip">viewer.zip</a> <span>14.2 MB</span></li><li><a href="/d/viewer.tar.gz">viewer.tar.gz</a> <span>12.9 MB</span></li></ul></details></div>`,
    ),
    records(`
      title | released_at:date | fixed:list | added:list | downloads:integer
      Viewer 4.2.0 | 2024-04-11 | Window is blank after resume; Crash on empty files | Dark theme; Zoom by pinch |
    `),
  ),
  own(
    'opening with facts next to icons',
    page(
      'Site Reliability Engineer',
      `<div class="jobad"><div class="top"><h1>Site Reliability Engineer</h1><a href="/companies/tidewater">Tidewater Systems</a></div>
      <ul class="facts"><li><i class="icon icon-location"></i>Porto, Portugal</li><li><i class="icon icon-clock"></i>Full-time</li><li><i class="icon icon-salary"></i>€55,000 – €70,000 a year</li>
      <li><i class="icon icon-calendar"></i>Posted on April 4, 2024</li></ul><div class="body"><p>You keep the control plane of our storage healthy and make on-call boring.</p></div><a class="btn" href="/apply/88">Apply now</a></div>`,
    ),
    records(`
      title | company | location | employment_type | salary_min:number | salary_max:number | date_posted:date | description
      Site Reliability Engineer | Tidewater Systems | Porto, Portugal | Full-time | 55000 | 70000 | 2024-04-04 | You keep the control plane of our storage healthy and make on-call boring.
    `),
  ),
  own(
    'car with facts in two tables',
    page(
      'Skoda Octavia Combi',
      `<div><h1>Skoda Octavia Combi 2.0 TDI</h1><div><span>17,450 €</span> <small>incl. VAT</small></div>
      <table><tbody><tr><th>First registration</th><td>06/2019</td></tr><tr><th>Mileage</th><td>84,200 km</td></tr><tr><th>Power</th><td>110 kW (150 hp)</td></tr></tbody></table>
      <table><tbody><tr><td>Fuel</td><td>Diesel</td></tr><tr><td>Gearbox</td><td>Automatic</td></tr><tr><td>Previous owners</td><td>2</td></tr><tr><td>Colour</td><td>Grey metallic</td></tr></tbody></table>
      <h2>Similar cars</h2><div><a href="/c/1"><h3>Seat Leon ST</h3><span>15,900 €</span></a><a href="/c/2"><h3>VW Golf Variant</h3><span>18,300 €</span></a></div></div>`,
    ),
    records(`
      title | price:number | mileage:integer | fuel_type | transmission | previous_owners:integer | color
      Skoda Octavia Combi 2.0 TDI | 17450 | 84200 | Diesel | Automatic | 2 | Grey metallic
    `),
  ),
  own(
    'product of a theme shop',
    page(
      'Trail Bottle',
      `<div class="product__info"><p class="product__vendor caption">Highfell</p><h1 class="product__title">Trail Bottle 750 ml</h1>
      <div class="price price--on-sale"><div class="price__sale"><span class="visually-hidden">Regular price</span><s class="price-item price-item--regular">$32.00</s><span class="visually-hidden">Sale price</span><span class="price-item price-item--sale">$25.60</span></div><small class="unit-price hidden" style="display:none">Unit price / per</small><span class="badge">Sale</span></div>
      <div class="rating" role="img" aria-label="4.7 out of 5.0 stars"></div><p class="rating-count"><span aria-hidden="true">(212)</span><span class="visually-hidden">212 total reviews</span></p>
      <fieldset><legend>Color: <span>Moss</span></legend></fieldset><p class="inventory"><svg></svg>In stock, ready to ship</p><div class="product__description"><p>Steel bottle with a lid that opens with one hand and never drips in a bag.</p></div>
      <details open><summary>Materials</summary><p>18/8 stainless steel</p></details><p>SKU: HF-750-M</p></div>`,
    ),
    records(`
      name | brand | price:number | original_price:number | rating:number | review_count:integer | color | in_stock:boolean | sku | description | materials
      Trail Bottle 750 ml | Highfell | 25.6 | 32 | 4.7 | 212 | Moss | true | HF-750-M | Steel bottle with a lid that opens with one hand and never drips in a bag. | 18/8 stainless steel
    `),
  ),
  own(
    'house with values before labels',
    page(
      '41 Orchard Way',
      `<div class="ds"><div class="price-row"><span class="amount">$612,000</span><span class="pay">Est. $3,905/mo</span></div><h1>41 Orchard Way, Salem, OR 97301</h1>
      <div class="stats"><span><b>3</b> <span>beds</span></span><span><b>2.5</b> <span>baths</span></span><span><b>1,940</b> <span>sqft</span></span></div>
      <div class="facts"><div><i></i><span>Single family residence</span></div><div><i></i><span>Built in 1987</span></div><div><i></i><span>7,405 Square Feet Lot</span></div><div><i></i><span>$315 price/sqft</span></div></div>
      <h2>What is special</h2><p>A quiet house with a south garden, two apple trees and a workshop that has its own power.</p></div>`,
    ),
    records(`
      address | price:number | beds:integer | baths:number | sqft:integer | year_built:integer | description
      41 Orchard Way, Salem, OR 97301 | 612000 | 3 | 2.5 | 1940 | 1987 | A quiet house with a south garden, two apple trees and a workshop that has its own power.
    `),
  ),
  own(
    'recipe with values above labels',
    page(
      'Lentil soup',
      `<article><h1 class="t">Lentil soup with lemon</h1><p class="by">By <a href="/cooks/nadia">Nadia Haddad</a> | Updated May 3, 2024</p>
      <p class="lede">A bright soup that is ready before the rice is, and better on the second day.</p>
      <div class="stats"><div><strong>10 min</strong><span>Prep time</span></div><div><strong>35 min</strong><span>Cook time</span></div><div><strong>4</strong><span>Servings</span></div></div>
      <h2>Ingredients</h2><ul><li>250 g red lentils</li><li>1 onion, chopped</li><li>1 lemon</li></ul>
      <h2>Method</h2><ol><li>Soften the onion in oil.</li><li>Add the lentils and a litre of water.</li><li>Simmer, then stir in the lemon.</li></ol></article>`,
    ),
    records(`
      title | author | prep_time | cook_time | servings:integer | ingredients:list | instructions:list
      Lentil soup with lemon | Nadia Haddad | 10 min | 35 min | 4 | 250 g red lentils; 1 onion, chopped; 1 lemon | Soften the onion in oil.; Add the lentils and a litre of water.; Simmer, then stir in the lemon.
    `),
  ),
  own(
    'event with questions as headings',
    page(
      'Night of Strings',
      `<div class="hero"><img src="/strings.jpg" alt=""></div><h1>Night of Strings</h1><div class="cols"><div>
      <h4>When</h4><p>Saturday, June 15, 2024, 7:30 pm</p><h4>Where</h4><p>Old Foundry, 8 River Road, Leeds</p><h4>Tickets</h4><p>$24.00</p>
      <h4>Organizer</h4><p><a href="/o/12">Leeds Chamber Players</a></p></div><div><h4>About</h4><p>Four quartets play one evening of new music for strings, with a talk by the composers.</p></div></div>`,
    ),
    records(`
      name | date:date | location | price:number | organizer | description
      Night of Strings | 2024-06-15 | Old Foundry, 8 River Road, Leeds | 24 | Leeds Chamber Players | Four quartets play one evening of new music for strings, with a talk by the composers.
    `),
  ),
  own(
    'ticket of a help desk',
    page(
      'Ticket 48213',
      `<nav aria-label="breadcrumb"><ol class="breadcrumb"><li class="breadcrumb-item"><a href="/tickets">Tickets</a></li><li class="breadcrumb-item active">#48213</li></ol></nav><div class="card"><div class="card-header d-flex justify-content-between"><h1 class="h4 mb-0">Printer on floor 3 prints blank pages</h1><span class="badge bg-warning text-dark">Pending</span></div><div class="card-body"><dl class="row mb-0"><dt class="col-sm-3">Ticket ID</dt><dd class="col-sm-9">48213</dd><dt class="col-sm-3">Requester</dt><dd class="col-sm-9"><a href="/users/87">Noor Haddad</a></dd><dt class="col-sm-3">Assigned to</dt><dd class="col-sm-9">Tier 2 support</dd><dt class="col-sm-3">Priority</dt><dd class="col-sm-9"><span class="badge bg-danger">High</span></dd><dt class="col-sm-3">Created</dt><dd class="col-sm-9">12 Mar 2024, 09:14</dd><dt class="col-sm-3">Due by</dt><dd class="col-sm-9">14 Mar 2024</dd><dt class="col-sm-3">Tags</dt><dd class="col-sm-9"><a class="tag" href="/t/printer">printer</a> <a class="tag" href="/t/hardware">hardware</a></dd></dl></div></div><h2 class="h5">Conversation</h2><div class="comment"><strong>Noor Haddad</strong><p>It happens with every document since the toner was changed.</p></div>`,
    ),
    {
      fields: {
        subject: 'string',
        ticketId: 'integer',
        requester: 'string',
        assignee: 'string',
        priority: { type: 'string', enum: ['Low', 'Normal', 'High'] },
        createdAt: DATE_FIELD,
        dueDate: DATE_FIELD,
        tags: LIST_FIELD,
      },
      gold: [
        {
          subject: 'Printer on floor 3 prints blank pages',
          ticketId: 48213,
          requester: 'Noor Haddad',
          assignee: 'Tier 2 support',
          priority: 'High',
          createdAt: '2024-03-12',
          dueDate: '2024-03-14',
          tags: ['printer', 'hardware'],
        },
      ],
    },
  ),
  own(
    'vacancy with utility classes',
    page(
      'Process engineer',
      `<div class="bg-white"><div class="px-6 py-8"><p class="text-sm text-indigo-600"><a href="/companies/veldt">Veldt Dairy</a></p><h1 class="mt-1 text-2xl font-bold">Process engineer, cheese line</h1><div class="mt-4 grid grid-cols-4 gap-4"><div class="flex gap-3"><svg class="h-5 w-5"><path d="M1 1"></path></svg><div><p class="text-xs text-gray-500">Location</p><p class="text-sm font-medium">Zwolle, Netherlands</p></div></div><div class="flex gap-3"><svg class="h-5 w-5"><path d="M1 1"></path></svg><div><p class="text-xs text-gray-500">Salary</p><p class="text-sm font-medium">€52,000 – €64,000</p></div></div><div class="flex gap-3"><svg class="h-5 w-5"><path d="M1 1"></path></svg><div><p class="text-xs text-gray-500">Contract</p><p class="text-sm font-medium">Permanent</p></div></div><div class="flex gap-3"><svg class="h-5 w-5"><path d="M1 1"></path></svg><div><p class="text-xs text-gray-500">Closing date</p><p class="text-sm font-medium">30 June 2024</p></div></div></div><a href="/apply/7781" class="rounded bg-indigo-600 px-4 py-2 text-white">Apply now</a></div><div class="prose px-6"><h2>The role</h2><p>You keep two lines running and make the third one possible.</p><h2>What you bring</h2><ul><li>Five years in food processing</li><li>Dutch or German</li></ul></div></div><aside><h2>Similar jobs</h2><ul><li><a href="/jobs/1">Maintenance planner</a> <span>Salary €41,000</span></li><li><a href="/jobs/2">Quality lead</a> <span>Salary €47,000</span></li></ul></aside>`,
    ),
    records(`
      jobTitle | companyName | location | salaryMin:number | salaryMax:number | contractType | closingDate:date | applyUrl:url
      Process engineer, cheese line | Veldt Dairy | Zwolle, Netherlands | 52000 | 64000 | Permanent | 2024-06-30 | /apply/7781
    `),
  ),
  own(
    'booking in a table of descriptions',
    page(
      'Booking',
      `<div class="ant-page-header"><span class="ant-page-header-heading-title">Booking details</span></div><div class="ant-descriptions ant-descriptions-bordered"><div class="ant-descriptions-view"><table><tbody><tr class="ant-descriptions-row"><th class="ant-descriptions-item-label"><span>Reference</span></th><td class="ant-descriptions-item-content"><span>HTL-7QX2</span></td><th class="ant-descriptions-item-label"><span>Hotel</span></th><td class="ant-descriptions-item-content"><span>Pension Lindenhof</span></td></tr><tr class="ant-descriptions-row"><th class="ant-descriptions-item-label"><span>Check-in</span></th><td class="ant-descriptions-item-content"><span>2024-07-12</span></td><th class="ant-descriptions-item-label"><span>Check-out</span></th><td class="ant-descriptions-item-content"><span>2024-07-15</span></td></tr><tr class="ant-descriptions-row"><th class="ant-descriptions-item-label"><span>Guests</span></th><td class="ant-descriptions-item-content"><span>2</span></td><th class="ant-descriptions-item-label"><span>Total price</span></th><td class="ant-descriptions-item-content"><span>EUR 387.00</span></td></tr><tr class="ant-descriptions-row"><th class="ant-descriptions-item-label"><span>Guest name</span></th><td class="ant-descriptions-item-content"><span>Mirela Popa</span></td><th class="ant-descriptions-item-label"><span>Guest email</span></th><td class="ant-descriptions-item-content"><span>mirela@post.example</span></td></tr></tbody></table></div></div>`,
    ),
    {
      fields: {
        booking_reference: 'string',
        hotel_name: 'string',
        check_in: DATE_FIELD,
        check_out: DATE_FIELD,
        guest_count: 'integer',
        total_price: 'number',
        guest: { type: 'object', properties: { name: { type: 'string' }, email: EMAIL_FIELD } },
      },
      gold: [
        {
          booking_reference: 'HTL-7QX2',
          hotel_name: 'Pension Lindenhof',
          check_in: '2024-07-12',
          check_out: '2024-07-15',
          guest_count: 2,
          total_price: 387,
          guest: { name: 'Mirela Popa', email: 'mirela@post.example' },
        },
      ],
    },
  ),
  own(
    'order with its lines and a summary',
    page(
      'Order confirmed',
      `<div class="os-main"><h1 class="os-heading">Thank you, your order is confirmed</h1><div class="os-meta"><span>Order <strong>#W-55019</strong></span><span>Placed on May 3, 2024</span></div><table class="os-lines"><thead><tr><th>Item</th><th>Qty</th><th>Price</th></tr></thead><tbody>${BASKET.map(
        ([name, count, price]) => `<tr><td>${name}</td><td>${count}</td><td>$${price.toFixed(2)}</td></tr>`,
      ).join(
        '',
      )}</tbody></table><div class="os-summary"><div class="os-line"><span>Subtotal</span><span>$107.50</span></div><div class="os-line"><span>Shipping</span><span>$6.00</span></div><div class="os-line"><span>Tax</span><span>$9.46</span></div><div class="os-line os-line--total"><span>Total</span><span>$122.96</span></div></div></div>`,
    ),
    {
      fields: {
        order_number: 'string',
        order_date: DATE_FIELD,
        items: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              name: { type: 'string' },
              quantity: { type: 'integer' },
              price: { type: 'number' },
            },
          },
        },
        shipping: 'number',
        tax: 'number',
        total: 'number',
      },
      gold: [
        {
          order_number: '#W-55019',
          order_date: '2024-05-03',
          items: BASKET.map(([name, quantity, price]) => ({ name, quantity, price })),
          shipping: 6,
          tax: 9.46,
          total: 122.96,
        },
      ],
    },
  ),
  own(
    'defect in a legacy tracker',
    page(
      'Bug 9127',
      `<table width="100%"><tr><td bgcolor="#336699"><font color="white" size="+1"><b>Bug 9127: Toolbar vanishes after undo</b></font></td></tr></table><table border="0" cellpadding="2"><tr><td align="right"><b>Product:</b></td><td>Sketchpad</td><td align="right"><b>Version:</b></td><td>2.8.1</td></tr><tr><td align="right"><b>Reporter:</b></td><td><a href="/user?id=31">osk@paint.example</a></td><td align="right"><b>Severity:</b></td><td>major</td></tr><tr><td align="right"><b>Status:</b></td><td>NEW</td><td align="right"><b>Opened:</b></td><td>2003-11-04 17:20</td></tr><tr><td align="right"><b>Votes:</b></td><td>12</td><td align="right"><b>Component:</b></td><td>Toolbars</td></tr></table><hr><b>Description:</b><pre>Undo twice, and the toolbar is gone until restart.</pre>`,
    ),
    records(`
      product | version | reporter | severity | status | opened_date:date | votes:integer | component
      Sketchpad | 2.8.1 | osk@paint.example | major | NEW | 2003-11-04 | 12 | Toolbars
    `),
  ),
];
