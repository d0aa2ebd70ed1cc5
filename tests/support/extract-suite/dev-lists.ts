import { at, DATE_FIELD, EMAIL_FIELD, LIST_FIELD, page, URL_FIELD, type SuiteCase } from './case.ts';

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
    fields: {
      title: 'string',
      year: 'integer',
      mileage: 'integer',
      price: 'number',
      fuel: 'string',
      url: URL_FIELD,
    },
    multiple: true,
    gold: CARS.map((car, index) => ({ ...car, url: at(`/car/${index}`) })),
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
    fields: {
      job_title: 'string',
      companyName: 'string',
      location: 'string',
      salary_min: 'number',
      salary_max: 'number',
      job_url: URL_FIELD,
    },
    multiple: true,
    gold: JOBS.map(([title, company, place, , low, high], index) => ({
      job_title: title,
      companyName: company,
      location: place,
      salary_min: low,
      salary_max: high,
      job_url: at(`/jobs/${index}`),
    })),
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
    fields: { name: 'string', start_date: DATE_FIELD, venue: 'string', price: 'number' },
    multiple: true,
    gold: EVENTS.map(([name, date, venue, , price]) => ({ name, start_date: date, venue, price })),
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
    fields: { title: 'string', url: URL_FIELD, points: 'integer', author: 'string', comments: 'integer' },
    multiple: true,
    gold: STORIES.map(([title, url, points, author, comments]) => ({ title, url, points, author, comments })),
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
    fields: { issue_title: 'string', issueUrl: URL_FIELD, labels: LIST_FIELD, comments: 'integer' },
    multiple: true,
    gold: ISSUES.map(([number, title, labels, , comments]) => ({
      issue_title: title,
      issueUrl: at(`/r/issues/${number}`),
      labels: [...labels],
      comments,
    })),
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
    fields: { name: 'string', email: EMAIL_FIELD, phone: 'string' },
    multiple: true,
    gold: STAFF.map(([name, , email, phone]) => ({ name, email, phone })),
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
    fields: { name: 'string', price: 'number', in_stock: 'boolean', rating: 'number', image: URL_FIELD },
    multiple: true,
    gold: [
      { name: 'Arc Lamp', price: 120, in_stock: true, rating: 4.5, image: at('/l/0.jpg') },
      { name: 'Desk Lamp', price: 45, in_stock: false, rating: 4.1, image: at('/l/1.jpg') },
      { name: 'Wall Lamp', price: 60, in_stock: true, rating: 3.9, image: at('/l/2.jpg') },
    ],
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
    fields: { plan_name: 'string', monthly_price: 'number', features: LIST_FIELD },
    multiple: true,
    gold: [
      { plan_name: 'Starter', monthly_price: 0, features: ['1 project', 'Community help'] },
      { plan_name: 'Team', monthly_price: 12, features: ['10 projects', 'Email help', 'Roles'] },
      { plan_name: 'Business', monthly_price: 49, features: ['Unlimited projects', 'Phone help'] },
    ],
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
    fields: { title: 'string', price: 'number', sku: 'string', author: 'string', phone: 'string' },
    required: ['title'],
    multiple: true,
    gold: ['Release notes', 'How we test', 'A new office'].map((title) => ({ title })),
  },
];
