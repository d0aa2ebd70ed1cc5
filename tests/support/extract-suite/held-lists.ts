import { page, records, type SuiteCase } from './case.ts';

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

/** Pages with several records. Held out: rules are not written for these. */
export const HELD_LISTS: readonly SuiteCase[] = [
  {
    type: 'flats with labels below values',
    html: page(
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
    multiple: true,
    ...records(`
      title | rent:number | bedrooms:integer | living_area:number | url:url
      Loft by the canal | 1450 | 2 | 68 | /flat/0
      Quiet garden flat | 1180 | 1 | 52 | /flat/1
      Family apartment | 1890 | 4 | 110 | /flat/2
    `),
  },
  {
    type: 'flights over two rows',
    html: page(
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
    multiple: true,
    ...records(`
      airline | departs | from | to | fare:number
      Norse Air | 08:15 | Oslo | Rome | 189
      Alpina | 12:40 | Oslo | Rome | 154
      Iris | 19:05 | Oslo | Rome | 210
    `),
  },
  {
    type: 'course catalogue',
    html: page(
      'Courses',
      `<ul class="catalogue">${COURSES.map(
        (
          [title, teacher, cost, , open],
          index,
        ) => `<li><a href="/c/${index}"><h3>${title}</h3></a><p>Instructor: ${teacher}</p>
        <p>Price: ${cost}</p><p>Enrollment open: ${open ? 'Yes' : 'No'}</p></li>`,
      ).join('')}</ul>`,
    ),
    multiple: true,
    ...records(`
      courseTitle | instructor | price:number | enrollmentOpen:boolean
      Intro to Statistics | Dr. Okafor | 0 | true
      Machine Learning | Prof. Sato | 349 | true
      Creative Writing | Ms. Doyle | 120 | false
    `),
  },
  {
    type: 'questions',
    html: page(
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
    multiple: true,
    ...records(`
      question_title | questionUrl:url | votes:integer | answers:integer | tags:list
      How do I exit the editor? | /q/0 | 1204 | 33 | alpha; beta
      What does this error mean? | /q/1 | 87 | 4 | alpha; beta
      Fastest way to sort? | /q/2 | 45 | 9 | alpha; beta
    `),
  },
  {
    type: 'podcast episodes',
    html: page(
      'Episodes',
      `<ol reversed>${EPISODES.map(
        (
          [title, date, length],
          index,
        ) => `<li><span class="d">${date}</span> <a href="/ep/${index}">${title}</a> <span>(${length})</span>
        <audio src="/a/${index}.mp3" controls></audio></li>`,
      ).join('')}</ol>`,
    ),
    multiple: true,
    ...records(`
      title | published:date | episode_link:url
      Ep. 41: Salt | 2024-04-02 | /ep/0
      Ep. 40: Rust | 2024-03-19 | /ep/1
      Ep. 39: Paper | 2024-03-05 | /ep/2
    `),
  },
  {
    type: 'staff table',
    html: page(
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
    multiple: true,
    ...records(`
      fullName | email:email | phone | office | fax
      Eva Holm | eva@uni.example | 555-0110 | B 12 |
      Ilja Repin | ilja@uni.example | 555-0111 | B 14 |
    `),
  },
  {
    type: 'restaurants with price ranges',
    html: page(
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
    multiple: true,
    ...records(`
      name | cuisine | min_price:number | max_price:number | rating:number
      Da Nino | Italian | 10 | 20 | 4.6
      Sakura | Japanese | 25 | 40 | 4.8
      Zum Löwen | German | 15 | 25 | 4.2
    `),
  },
  {
    type: 'cards that differ',
    html: page(
      'Second hand',
      `<div class="ads"><div class="ad"><a href="/ad/1">Road bike</a><p>$320</p><p>Brand: Bianchi</p></div>
      <div class="ad"><a href="/ad/2">Kids bike</a><p>Brand: Puky</p></div>
      <div class="ad"><a href="/ad/3">Cargo bike</a><p>$1,150</p></div></div>`,
    ),
    multiple: true,
    ...records(`
      title | price:number | brand | url:url
      Road bike | 320 | Bianchi | /ad/1
      Kids bike |  | Puky | /ad/2
      Cargo bike | 1150 |  | /ad/3
    `),
  },
  {
    type: 'orders with items',
    html: page(
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
    fields: {
      total: 'number',
      lines: {
        type: 'array',
        items: { type: 'object', properties: { product: { type: 'string' }, quantity: { type: 'integer' } } },
      },
    },
    multiple: true,
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
];
