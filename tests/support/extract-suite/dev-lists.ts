import { page, records, type SuiteCase } from './case.ts';

const CARS = [
  { title: 'Volvo V60 D4', year: 2017, mileage: 45000, price: 17900, fuel: 'Diesel' },
  { title: 'Mazda 3 Sport', year: 2020, mileage: 31200, price: 15450, fuel: 'Petrol' },
  { title: 'Kia Niro EV', year: 2021, mileage: 22800, price: 24990, fuel: 'Electric' },
];

const JOBS = [
  ['Backend Engineer', 'Acme Corp', 'Berlin', '€60,000 – €75,000', 60000, 75000],
  ['Data Analyst', 'Globex', 'Remote', '€48,000 – €55,000', 48000, 55000],
  ['Product Designer', 'Initech', 'Lisbon', '€52,000 – €61,000', 52000, 61000],
] as const;

const EVENTS = [
  ['Open Studio Night', '2024-05-03', 'Mill Hall', 'Free', 0],
  ['Jazz in the Park', '2024-05-11', 'West Park', '$18.00', 18],
  ['Film Club: Stalker', '2024-05-20', 'Rex Cinema', '$9.50', 9.5],
] as const;

const STORIES = [
  ['A database in one file', 'https://db.example/one', 214, 'ana', 57],
  ['Why we left the cloud', 'https://ops.example/left', 131, 'bo', 203],
  ['Show: a tiny synth', 'https://synth.example/', 88, 'cy', 19],
] as const;

const ISSUES = [
  [101, 'Crash when saving twice', ['bug', 'ui'], 'ana', 4],
  [98, 'Add dark mode', ['feature'], 'bo', 12],
  [97, 'Docs: fix broken link', ['docs'], 'cy', 1],
] as const;

const STAFF = [
  ['Ada Byron', 'Head of Research', 'ada@lab.example', '+44 20 5550 0101'],
  ['Max Born', 'Engineer', 'max@lab.example', '+44 20 5550 0102'],
  ['Lise Meitner', 'Physicist', 'lise@lab.example', '+44 20 5550 0103'],
] as const;

/** Pages with several records. Development set. */
export const DEV_LISTS: readonly SuiteCase[] = [
  {
    type: 'cards with labels above values',
    html: page(
      'Used cars',
      `<h1>Used cars</h1><div class="results">${CARS.map(
        (car, index) => `<div class="car"><a href="/car/${index}"><h3>${car.title}</h3></a><div class="attrs">
        <div><span>Mileage</span><span>${car.mileage}</span></div><div><span>Year</span><span>${car.year}</span></div>
        <div><span>Fuel</span><span>${car.fuel}</span></div></div><strong>$${car.price}</strong></div>`,
      ).join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      title | year:integer | mileage:integer | price:number | fuel | url:url
      Volvo V60 D4 | 2017 | 45000 | 17900 | Diesel | /car/0
      Mazda 3 Sport | 2020 | 31200 | 15450 | Petrol | /car/1
      Kia Niro EV | 2021 | 22800 | 24990 | Electric | /car/2
    `),
  },
  {
    type: 'job board',
    html: page(
      'Jobs',
      `<h1>3 jobs</h1><ul>${JOBS.map(
        (
          [title, company, place, pay],
          index,
        ) => `<li class="job"><h2><a href="/jobs/${index}">${title}</a></h2>
        <a class="company" href="/companies/${index}">${company}</a> · <span class="location">${place}</span>
        <div class="salary">${pay}</div></li>`,
      ).join('')}</ul>`,
    ),
    multiple: true,
    ...records(`
      job_title | companyName | location | salary_min:number | salary_max:number | job_url:url
      Backend Engineer | Acme Corp | Berlin | 60000 | 75000 | /jobs/0
      Data Analyst | Globex | Remote | 48000 | 55000 | /jobs/1
      Product Designer | Initech | Lisbon | 52000 | 61000 | /jobs/2
    `),
  },
  {
    type: 'events',
    html: page(
      'What is on',
      `<h1>What is on</h1>${EVENTS.map(
        ([title, date, venue, price], index) => `<article><h3><a href="/e/${index}">${title}</a></h3>
        <time datetime="${date}">${date}</time><p class="venue">${venue}</p><span class="price">${price}</span></article>`,
      ).join('')}`,
    ),
    multiple: true,
    ...records(`
      name | start_date:date | venue | price:number
      Open Studio Night | 2024-05-03 | Mill Hall | 0
      Jazz in the Park | 2024-05-11 | West Park | 18
      Film Club: Stalker | 2024-05-20 | Rex Cinema | 9.5
    `),
  },
  {
    type: 'records over two rows',
    html: page(
      'News',
      `<table>${STORIES.map(
        (
          [title, url, points, user, comments],
          index,
        ) => `<tr class="athing"><td class="rank">${index + 1}.</td>
        <td><a class="vote" href="vote?id=${index}"></a></td><td class="title"><a href="${url}">${title}</a>
        <span class="site">(<a href="from?site=x">${new URL(url).host}</a>)</span></td></tr>
        <tr><td colspan="2"></td><td class="subtext"><span class="score">${points} points</span> by
        <a class="user" href="user?id=${user}">${user}</a> <a href="item?id=${index}">${comments} comments</a></td></tr>
        <tr class="spacer"></tr>`,
      ).join('')}</table>`,
    ),
    multiple: true,
    ...records(`
      title | url:url | points:integer | author | comments:integer
      A database in one file | https://db.example/one | 214 | ana | 57
      Why we left the cloud | https://ops.example/left | 131 | bo | 203
      Show: a tiny synth | https://synth.example/ | 88 | cy | 19
    `),
  },
  {
    type: 'issue list',
    html: page(
      'Issues',
      `<div class="list">${ISSUES.map(
        ([number, title, labels, user, comments]) => `<div class="row" id="issue_${number}"><div>
        <a href="/r/issues/${number}">${title}</a> ${labels.map((label) => `<a class="label" href="/labels/${label}">${label}</a>`).join(' ')}
        <div class="small"><span>#${number} opened by <a href="/u/${user}">${user}</a></span></div></div>
        <a class="comments" href="/r/issues/${number}#comments" aria-label="${comments} comments">${comments}</a></div>`,
      ).join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      issue_title | issueUrl:url | labels:list | comments:integer
      Crash when saving twice | /r/issues/101 | bug; ui | 4
      Add dark mode | /r/issues/98 | feature | 12
      Docs: fix broken link | /r/issues/97 | docs | 1
    `),
  },
  {
    type: 'staff directory',
    html: page(
      'People',
      `<h1>People</h1><div class="grid">${STAFF.map(
        ([name, role, mail, phone]) => `<div class="person"><h4>${name}</h4><p>${role}</p>
        <a href="mailto:${mail}">Email</a><a href="tel:${phone.replaceAll(' ', '')}">${phone}</a></div>`,
      ).join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      name | email:email | phone
      Ada Byron | ada@lab.example | +44 20 5550 0101
      Max Born | max@lab.example | +44 20 5550 0102
      Lise Meitner | lise@lab.example | +44 20 5550 0103
    `),
  },
  {
    type: 'product grid',
    html: page(
      'Lamps',
      `<div class="grid">${[
        ['Arc Lamp', '$120.00', '$150.00', 'In stock', 4.5],
        ['Desk Lamp', '$45.00', '', 'Out of stock', 4.1],
        ['Wall Lamp', '$60.00', '$75.00', 'In stock', 3.9],
      ]
        .map(
          ([name, price, old, stock, stars], index) => `<div class="tile"><img src="/l/${index}.jpg" alt="">
        <a class="name" href="/lamp/${index}">${name}</a><div aria-label="Rated ${stars} out of 5 stars">★★★★☆</div>
        ${old === '' ? '' : `<s>${old}</s>`}<span class="now">${price}</span><p>${stock}</p></div>`,
        )
        .join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      name | price:number | in_stock:boolean | rating:number | image:url
      Arc Lamp | 120 | true | 4.5 | /l/0.jpg
      Desk Lamp | 45 | false | 4.1 | /l/1.jpg
      Wall Lamp | 60 | true | 3.9 | /l/2.jpg
    `),
  },
  {
    type: 'pricing plans',
    html: page(
      'Pricing',
      `<h1>Pricing</h1><div class="plans">${[
        ['Starter', '$0', ['1 project', 'Community help']],
        ['Team', '$12', ['10 projects', 'Email help', 'Roles']],
        ['Business', '$49', ['Unlimited projects', 'Phone help']],
      ]
        .map(
          ([name, price, features]) => `<div class="plan"><h2>${String(name)}</h2>
        <div class="amount">${String(price)}<small>/month</small></div>
        <ul>${Array.isArray(features) ? features.map((feature) => `<li>${feature}</li>`).join('') : ''}</ul>
        <a href="/signup">Choose</a></div>`,
        )
        .join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      plan_name | monthly_price:number | features:list
      Starter | 0 | 1 project; Community help
      Team | 12 | 10 projects; Email help; Roles
      Business | 49 | Unlimited projects; Phone help
    `),
  },
  {
    type: 'cards that do not say what is asked',
    html: page(
      'Blog',
      `<div class="posts">${['Release notes', 'How we test', 'A new office']
        .map(
          (title, index) => `<div class="post"><h2><a href="/b/${index}">${title}</a></h2>
        <p>Some words about the subject of this post, which go on for a while.</p><a href="/b/${index}">Read more</a></div>`,
        )
        .join('')}</div>`,
    ),
    required: ['title'],
    multiple: true,
    ...records(`
      title | price:number | sku | author | phone
      Release notes |  |  |  |
      How we test |  |  |  |
      A new office |  |  |  |
    `),
  },
];
