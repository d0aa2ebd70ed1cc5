import { own, page, records, type SuiteCase } from './case.ts';

const FLATS = [
  ['Loft by the canal', 1450, 2, 68, 'Amsterdam'],
  ['Quiet garden flat', 1180, 1, 52, 'Utrecht'],
  ['Family apartment', 1890, 4, 110, 'Haarlem'],
] as const;

const FLIGHTS = [
  ['Norse Air', '08:15', 'Oslo', 'Rome', 189],
  ['Alpina', '12:40', 'Oslo', 'Rome', 154],
  ['Iris', '19:05', 'Oslo', 'Rome', 210],
] as const;

const COURSES = [
  ['Intro to Statistics', 'Dr. Okafor', 'Free', 0, true],
  ['Machine Learning', 'Prof. Sato', '$349', 349, true],
  ['Creative Writing', 'Ms. Doyle', '$120', 120, false],
] as const;

const QUESTIONS = [
  ['How do I exit the editor?', 1204, 33, 'jo'],
  ['What does this error mean?', 87, 4, 'ka'],
  ['Fastest way to sort?', 45, 9, 'lu'],
] as const;

const EPISODES = [
  ['Ep. 41: Salt', '2024-04-02', '42 min'],
  ['Ep. 40: Rust', '2024-03-19', '38 min'],
  ['Ep. 39: Paper', '2024-03-05', '51 min'],
] as const;

/** Held out: rules are not written for these. */
export const HELD: readonly SuiteCase[] = [
  own(
    'book detail',
    page(
      'The Tin Drum',
      `<div class="crumbs"><a href="/books">Books</a> › <a href="/books/novels">Novels</a></div>
      <section><h1>The Tin Drum</h1><p>by <a href="/authors/grass">Günter Grass</a></p>
      <p><b>£10.99</b></p><p>In stock (12 available)</p>
      <p>A boy who refuses to grow up watches his town through two decades of war.</p>
      <dl><dt>ISBN</dt><dd>9780099540656</dd><dt>Pages</dt><dd>592</dd><dt>Publisher</dt><dd>Vintage</dd>
      <dt>Language</dt><dd>English</dd></dl></section>
      <aside><h2>Bestsellers</h2><ol><li><a href="/b/1">Austerlitz</a> £9.99</li><li><a href="/b/2">The Trial</a> £7.99</li></ol></aside>`,
    ),
    records(`
      title | author | price:number | isbn | page_count:integer | publisher | availability:boolean
      The Tin Drum | Günter Grass | 10.99 | 9780099540656 | 592 | Vintage | true
    `),
  ),
  own(
    'company profile',
    page(
      'Lumen AG',
      `<h1>Lumen AG</h1><div class="x1"><span class="x2">Founded</span><span class="x3">2009</span></div>
      <div class="x1"><span class="x2">Headquarters</span><span class="x3">Basel, Switzerland</span></div>
      <div class="x1"><span class="x2">Employees</span><span class="x3">1,240</span></div>
      <div class="x1"><span class="x2">Website</span><span class="x3"><a href="https://lumen.example/">lumen.example</a></span></div>
      <div class="x1"><span class="x2">Revenue</span><span class="x3">CHF 310 million</span></div>`,
    ),
    records(`
      name | founded:integer | headquarters | employees:integer | website:url | ceo
      Lumen AG | 2009 | Basel, Switzerland | 1240 | https://lumen.example/ |
    `),
  ),
  own(
    'news article',
    page(
      'Bridge reopens after two years',
      `<article><h1>Bridge reopens after two years</h1><p class="meta">By <span>Ines Ruiz</span> ·
      <time datetime="2024-02-19">19 February 2024</time> · 4 min read</p>
      <p>The old iron bridge carried its first cars on Monday, two years after it was closed.</p>
      <p>Repairs cost $14 million, the city said.</p></article>
      <section><h2>More news</h2><ul><li><a href="/n/2">Tram line extended</a></li><li><a href="/n/3">Pool opens late</a></li></ul></section>`,
    ),
    records(`
      headline | author | published:date | price:number
      Bridge reopens after two years | Ines Ruiz | 2024-02-19 |
    `),
  ),
  own(
    'device settings',
    page(
      'About this device',
      `<h1>About this device</h1><div class="panel">
      <div class="row"><div>Device name</div><div>kitchen-hub</div></div><div class="row"><div>Firmware</div><div>4.12.0</div></div>
      <div class="row"><div>Serial number</div><div>KH-88-2291</div></div><div class="row"><div>IP address</div><div>192.168.1.20</div></div>
      <div class="row"><div>Last update</div><div>2024-01-30</div></div></div>`,
    ),
    records(`
      device_name | firmware | serialNumber | ip_address | last_update:date | mac_address
      kitchen-hub | 4.12.0 | KH-88-2291 | 192.168.1.20 | 2024-01-30 |
    `),
  ),
  own(
    'event detail',
    page(
      'Harbour Run',
      `<h1>Harbour Run 2024</h1><p><strong>When:</strong> June 8, 2024</p><p><strong>Where:</strong> Old Harbour</p>
      <p><strong>Entry fee:</strong> Free</p><p><strong>Organiser:</strong> <a href="/clubs/4">City Runners</a></p>
      <p>Questions? <a href="mailto:run@city.example">run@city.example</a></p>`,
    ),
    records(`
      title | entry_fee:number | organiser | contact_email:email | phone
      Harbour Run 2024 | 0 | City Runners | run@city.example |
    `),
  ),
  own(
    'film page',
    page(
      'Still Water',
      `<h1>Still Water <small>(2011)</small></h1><p>Two sisters inherit a ferry.</p><ul>
      <li><b>Director</b>: Aki Salo</li><li><b>Running time</b>: 104 minutes</li><li><b>Country</b>: Finland</li>
      <li><b>Genres</b>: Drama, Comedy</li></ul>`,
    ),
    records(`
      director | running_time | country | genres:list | budget:number
      Aki Salo | 104 minutes | Finland | Drama; Comedy |
    `),
  ),
  own(
    'software release',
    page(
      'v2.4.0',
      `<div class="release"><h1>v2.4.0</h1><div>Released <relative-time datetime="2024-03-14T10:00:00Z">Mar 14, 2024</relative-time>
      by <a href="/u/noor">noor</a></div><h3>Assets</h3><ul><li><a href="/dl/app-2.4.0.zip">app-2.4.0.zip</a> <span>18 MB</span></li>
      <li><a href="/dl/app-2.4.0.tar.gz">app-2.4.0.tar.gz</a> <span>16 MB</span></li></ul></div>`,
    ),
    records(`
      version | released:date | licence
      v2.4.0 | 2024-03-14 |
    `),
  ),
  own(
    'product detail of another shop',
    page(
      'Oak shelf',
      `<div class="pdp"><img src="/i/shelf.jpg" alt="Oak shelf"><div><h1 class="pdp__ttl">Oak shelf, 80 cm</h1>
      <div class="pdp__cost"><span>Now</span> <span>€39.90</span> <span>was €49.90</span></div>
      <div>Item no. 30-441</div><div>Sold out</div><div class="txt">Solid oak, oiled by hand, with two hidden brackets.</div></div></div>
      <h2>Goes well with</h2><div class="row"><div><a href="/x">Oak hook</a> €7.90</div><div><a href="/y">Oak box</a> €17.90</div></div>`,
    ),
    records(`
      name | price:number | item_number | in_stock:boolean | image:url
      Oak shelf, 80 cm | 39.9 | 30-441 | false | /i/shelf.jpg
    `),
  ),
  own(
    'flats with labels below values',
    page(
      'To let',
      `<section>${FLATS.map(
        (
          [title, rent, rooms, area, city],
          index,
        ) => `<article class="flat"><h2><a href="/flat/${index}">${title}</a></h2><p>${city}</p>
        <div><b>€${rent}</b><span>per month</span></div><div class="nums"><div><strong>${rooms}</strong><em>bedrooms</em></div>
        <div><strong>${area} m²</strong><em>living area</em></div></div></article>`,
      ).join('')}</section>`,
    ),
    records(`
      title | rent:number | bedrooms:integer | living_area:number | url:url
      Loft by the canal | 1450 | 2 | 68 | /flat/0
      Quiet garden flat | 1180 | 1 | 52 | /flat/1
      Family apartment | 1890 | 4 | 110 | /flat/2
    `),
  ),
  own(
    'flights over two rows',
    page(
      'Flights',
      `<table><tr><th>Airline</th><th>Departs</th><th>From</th><th>To</th></tr>${FLIGHTS.map(
        ([
          airline,
          time,
          from,
          to,
          fare,
        ]) => `<tr class="flight"><td>${airline}</td><td>${time}</td><td>${from}</td><td>${to}</td></tr>
        <tr class="fare"><td colspan="4">Fare: €${fare} <a href="/book">Book</a></td></tr>`,
      ).join('')}</table>`,
    ),
    records(`
      airline | departs | from | to | fare:number
      Norse Air | 08:15 | Oslo | Rome | 189
      Alpina | 12:40 | Oslo | Rome | 154
      Iris | 19:05 | Oslo | Rome | 210
    `),
  ),
  own(
    'course catalogue',
    page(
      'Courses',
      `<ul class="catalogue">${COURSES.map(
        (
          [title, teacher, cost, , open],
          index,
        ) => `<li><a href="/c/${index}"><h3>${title}</h3></a><p>Instructor: ${teacher}</p>
        <p>Price: ${cost}</p><p>Enrollment open: ${open ? 'Yes' : 'No'}</p></li>`,
      ).join('')}</ul>`,
    ),
    records(`
      courseTitle | instructor | price:number | enrollmentOpen:boolean
      Intro to Statistics | Dr. Okafor | 0 | true
      Machine Learning | Prof. Sato | 349 | true
      Creative Writing | Ms. Doyle | 120 | false
    `),
  ),
  own(
    'questions',
    page(
      'Newest questions',
      `<div id="questions">${QUESTIONS.map(
        (
          [title, votes, answers, user],
          index,
        ) => `<div class="q"><div class="stats"><div><span>${votes}</span> <span>votes</span></div>
        <div><span>${answers}</span> <span>answers</span></div></div><h3><a href="/q/${index}">${title}</a></h3>
        <div class="tags"><a rel="tag" href="/t/a">alpha</a> <a rel="tag" href="/t/b">beta</a></div>
        <div>asked by <a href="/u/${user}">${user}</a></div></div>`,
      ).join('')}</div>`,
    ),
    records(`
      question_title | questionUrl:url | votes:integer | answers:integer | tags:list
      How do I exit the editor? | /q/0 | 1204 | 33 | alpha; beta
      What does this error mean? | /q/1 | 87 | 4 | alpha; beta
      Fastest way to sort? | /q/2 | 45 | 9 | alpha; beta
    `),
  ),
  own(
    'podcast episodes',
    page(
      'Episodes',
      `<ol reversed>${EPISODES.map(
        (
          [title, date, length],
          index,
        ) => `<li><span class="d">${date}</span> <a href="/ep/${index}">${title}</a> <span>(${length})</span>
        <audio src="/a/${index}.mp3" controls></audio></li>`,
      ).join('')}</ol>`,
    ),
    records(`
      title | published:date | episode_link:url
      Ep. 41: Salt | 2024-04-02 | /ep/0
      Ep. 40: Rust | 2024-03-19 | /ep/1
      Ep. 39: Paper | 2024-03-05 | /ep/2
    `),
  ),
  own(
    'staff table',
    page(
      'Staff',
      `<table><caption>Staff</caption><thead><tr><th>Name</th><th>E-mail</th><th>Telephone</th><th>Office</th></tr></thead><tbody>${[
        ['Eva Holm', 'eva@uni.example', '555-0110', 'B 12'],
        ['Ilja Repin', 'ilja@uni.example', '555-0111', 'B 14'],
      ]
        .map(
          ([name, mail, phone, office]) =>
            `<tr><td>${name}</td><td><a href="mailto:${mail}">Send mail</a></td><td><a href="tel:+1${phone}">${phone}</a></td><td>${office}</td></tr>`,
        )
        .join('')}</tbody></table>`,
    ),
    records(`
      fullName | email:email | phone | office | fax
      Eva Holm | eva@uni.example | 555-0110 | B 12 |
      Ilja Repin | ilja@uni.example | 555-0111 | B 14 |
    `),
  ),
  own(
    'restaurants with price ranges',
    page(
      'Eat out',
      `<div class="list">${[
        ['Da Nino', 'Italian', '10–20 €', 10, 20, 4.6],
        ['Sakura', 'Japanese', '25–40 €', 25, 40, 4.8],
        ['Zum Löwen', 'German', '15–25 €', 15, 25, 4.2],
      ]
        .map(
          ([
            name,
            kind,
            range,
            ,
            ,
            stars,
          ]) => `<div class="item"><h3>${name}</h3><span class="cuisine">${kind}</span>
          <span class="price-range">${range}</span><span>${stars} ★</span></div>`,
        )
        .join('')}</div>`,
    ),
    records(`
      name | cuisine | min_price:number | max_price:number | rating:number
      Da Nino | Italian | 10 | 20 | 4.6
      Sakura | Japanese | 25 | 40 | 4.8
      Zum Löwen | German | 15 | 25 | 4.2
    `),
  ),
  own(
    'cards that differ',
    page(
      'Second hand',
      `<div class="ads"><div class="ad"><a href="/ad/1">Road bike</a><p>$320</p><p>Brand: Bianchi</p></div>
      <div class="ad"><a href="/ad/2">Kids bike</a><p>Brand: Puky</p></div>
      <div class="ad"><a href="/ad/3">Cargo bike</a><p>$1,150</p></div></div>`,
    ),
    records(`
      title | price:number | brand | url:url
      Road bike | 320 | Bianchi | /ad/1
      Kids bike |  | Puky | /ad/2
      Cargo bike | 1150 |  | /ad/3
    `),
  ),
  own(
    'orders with items',
    page(
      'Your orders',
      `<h1>Your orders</h1>${[
        [
          'A-1001',
          '$30.00',
          [
            ['Mug', 2],
            ['Tray', 1],
          ],
        ],
        ['A-1002', '$12.00', [['Spoon', 6]]],
      ]
        .map(
          ([
            id,
            total,
            lines,
          ]) => `<section class="order"><h2>Order ${String(id)}</h2><p class="total">Total: ${String(total)}</p>
          <ul class="lines">${Array.isArray(lines) ? lines.map((line) => `<li class="line"><span class="product">${String(line[0])}</span> × <span class="quantity">${String(line[1])}</span></li>`).join('') : ''}</ul></section>`,
        )
        .join('')}`,
    ),
    {
      fields: {
        total: 'number',
        lines: {
          type: 'array',
          items: {
            type: 'object',
            properties: { product: { type: 'string' }, quantity: { type: 'integer' } },
          },
        },
      },
      gold: [
        {
          total: 30,
          lines: [
            { product: 'Mug', quantity: 2 },
            { product: 'Tray', quantity: 1 },
          ],
        },
        { total: 12, lines: [{ product: 'Spoon', quantity: 6 }] },
      ],
    },
  ),
];
