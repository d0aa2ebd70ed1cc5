import { at, day, page, records, URL_FIELD, type SuiteCase } from './case.ts';

const ORDERS = [
  ['SO-20417', 'Anneli Rask', '2024-05-02', 184.5, 'Shipped', true],
  ['SO-20416', 'Bram Okafor', '2024-05-01', 62, 'Processing', true],
  ['SO-20411', 'Carla Diaz', '2024-04-29', 1290.99, 'Delivered', false],
  ['SO-20398', 'Dev Patel', '2024-04-27', 17.25, 'Cancelled', false],
] as const;

const EPISODES = [
  ['The bridge that hummed', 'Engineers on why a footbridge sang in the wind.', 48, 'May 6, 2024', '41 min'],
  ['A map of smells', 'Walking Lyon with a perfumer and a notebook.', 47, 'April 29, 2024', '36 min'],
  [
    'Salt for the road',
    'Who buys grit, and why it runs out in a mild winter.',
    46,
    'April 22, 2024',
    '52 min',
  ],
] as const;

const COURSES = [
  [
    'Statistics for field biology',
    'Dr. Wanjiru Mwangi',
    'Intermediate',
    'Free',
    0,
    ['R', 'Ecology'],
    4.6,
    1832,
  ],
  ['Bookkeeping basics', 'Oleg Hartmann', 'Beginner', '$39', 39, ['Finance'], 4.2, 517],
  ['Typography on the web', 'Sunniva Berg', 'Advanced', '$59', 59, ['Design', 'CSS', 'Fonts'], 4.9, 290],
] as const;

const RELEASES = [
  ['v3.2.0', '2024-04-30T10:05:00Z', 'kestrel-bot', 'Adds a dark theme and faster search.', 4],
  ['v3.1.4', '2024-04-11T08:40:00Z', 'ravi-n', 'Mends the export of empty sheets.', 4],
  ['v3.1.3', '2024-03-28T16:22:00Z', 'ravi-n', 'Security release: please update.', 3],
] as const;

const HOLDINGS = [
  ['The tidal almanac', 'Greta Holm', 1998, '551.47 HOL', 'Available'],
  ['Harbours of the north', 'Jan Wierda', 2007, '387.1 WIE', 'On loan'],
  ['Knots and splices', 'M. Castellanos', 1984, '623.88 CAS', 'Available'],
] as const;

const TALKS = [
  ['09:30', 'Opening: what we broke last year', 'Imani Clarke', 'Main hall'],
  ['10:15', 'Queues without tears', 'Piotr Zych', 'Room B'],
  ['11:20', 'A type system for spreadsheets', 'Lucía Ferrer', 'Main hall'],
] as const;

const TOOLS = [
  ['Cordless drill 18 V', 'Brix', 129, 159, 4.4, 88, true, '/p/brix-drill-18'],
  ['Random orbit sander', 'Talo', 74.5, null, 4.1, 23, true, '/p/talo-sander'],
  ['Track saw', 'Brix', 329, 389, 4.8, 140, false, '/p/brix-track-saw'],
] as const;

/** Lists as sites lay them out. Held out: they were written before a round of rules, and scored once after it. */
export const UNSEEN_LISTS: readonly SuiteCase[] = [
  {
    type: 'orders in an ARIA grid',
    html: page(
      'Orders',
      `<div class="MuiBox-root css-1yuhvjn"><h1 class="MuiTypography-root MuiTypography-h5 css-zq6grw">Orders</h1><div class="MuiDataGrid-root css-qvtrhg" role="grid" aria-colcount="6" aria-rowcount="5"><div class="MuiDataGrid-columnHeaders" role="row" aria-rowindex="1">${['Order', 'Customer', 'Placed on', 'Total', 'Status', 'Paid'].map((head, index) => `<div role="columnheader" data-field="c${index}" aria-colindex="${index + 1}"><div class="MuiDataGrid-columnHeaderTitleContainer"><div class="MuiDataGrid-columnHeaderTitle">${head}</div></div><div class="MuiDataGrid-iconButtonContainer"><button type="button" aria-label="Sort"></button></div></div>`).join('')}</div><div class="MuiDataGrid-virtualScroller" role="presentation">${ORDERS.map(
        ([id, customer, date, total, status, paid], index) =>
          `<div role="row" aria-rowindex="${index + 2}" class="MuiDataGrid-row">${[`<a class="MuiLink-root" href="/orders/${id}">${id}</a>`, customer, date, `$${total.toLocaleString('en-US', { minimumFractionDigits: 2 })}`, `<div class="MuiChip-root"><span class="MuiChip-label">${status}</span></div>`, paid ? 'Yes' : 'No'].map((cell, column) => `<div role="gridcell" data-field="c${column}"><div class="MuiDataGrid-cellContent">${cell}</div></div>`).join('')}</div>`,
      ).join('')}</div></div></div>`,
    ),
    multiple: true,
    ...records(`
      orderNumber | customerName | placedOn:date | totalAmount:number | orderStatus | isPaid:boolean | orderUrl:url
      SO-20417 | Anneli Rask | 2024-05-02 | 184.5 | Shipped | true | /orders/SO-20417
      SO-20416 | Bram Okafor | 2024-05-01 | 62 | Processing | true | /orders/SO-20416
      SO-20411 | Carla Diaz | 2024-04-29 | 1290.99 | Delivered | false | /orders/SO-20411
      SO-20398 | Dev Patel | 2024-04-27 | 17.25 | Cancelled | false | /orders/SO-20398
    `),
  },
  {
    type: 'episodes with generated class names',
    html: page(
      'Small wonders',
      `<div class="sc-bdVaJa kXwPqR"><h1 class="sc-1x2y3z fGhJkL">Small wonders</h1><h2 class="sc-htpNat eRtYuI">All episodes</h2><div class="sc-bxivhb hJkLzX">${EPISODES.map(
        ([title, about, number, date, length]) =>
          `<div class="sc-ifAKCX cVbNmQ"><button aria-label="Play ${title}" class="sc-EHOje wErTyU"><svg viewBox="0 0 24 24"><path d="M8 5v14l11-7z"></path></svg></button><div class="sc-bZQynM aSdFgH"><span class="sc-gzVnrw lKjHgF">Episode ${number}</span><a class="sc-htoDjs pOiUyT" href="/episodes/${number}"><h3 class="sc-dnqmqq mNbVcX">${title}</h3></a><p class="sc-iwsKbI zXcVbN">${about}</p><div class="sc-gZMcBi qWeRtY"><span>${date}</span><span aria-hidden="true">·</span><span>${length}</span></div></div></div>`,
      ).join('')}</div></div>`,
    ),
    multiple: true,
    ...records(`
      episode_title | episode_number:integer | summary | published_at:date | duration | episode_url:url
      The bridge that hummed | 48 | Engineers on why a footbridge sang in the wind. | 2024-05-06 | 41 min | /episodes/48
      A map of smells | 47 | Walking Lyon with a perfumer and a notebook. | 2024-04-29 | 36 min | /episodes/47
      Salt for the road | 46 | Who buys grit, and why it runs out in a mild winter. | 2024-04-22 | 52 min | /episodes/46
    `),
  },
  {
    type: 'courses with tags',
    html: page(
      'Courses',
      `<h1 class="display-6">Browse courses</h1><div class="row row-cols-1 row-cols-md-3 g-4">${COURSES.map(
        ([title, teacher, level, price, , tags, rating, learners], index) =>
          `<div class="col"><div class="card h-100 shadow-sm"><img src="/c/${index}.png" class="card-img-top" alt=""><div class="card-body"><div class="mb-2">${tags.map((tag) => `<span class="badge rounded-pill text-bg-light">${tag}</span>`).join(' ')}</div><h5 class="card-title"><a class="stretched-link text-decoration-none" href="/courses/${index + 1}">${title}</a></h5><p class="card-text text-muted small">Taught by ${teacher}</p><div class="d-flex justify-content-between"><span class="small"><i class="bi bi-star-fill text-warning"></i> ${rating}</span><span class="small">${learners.toLocaleString('en-US')} learners</span></div></div><div class="card-footer d-flex justify-content-between"><span>${level}</span><strong>${price}</strong></div></div></div>`,
      ).join('')}</div>`,
    ),
    fields: {
      course_name: 'string',
      instructor: 'string',
      price: 'number',
      rating: 'number',
      learners: 'integer',
      tags: { type: 'array', items: { type: 'string' } },
      level: { type: 'string', enum: ['Beginner', 'Intermediate', 'Advanced'] },
      url: URL_FIELD,
    },
    multiple: true,
    gold: COURSES.map(([course_name, instructor, level, , price, tags, rating, learners], index) => ({
      course_name,
      instructor,
      price,
      rating,
      learners,
      tags,
      level,
      url: at(`/courses/${index + 1}`),
    })),
  },
  {
    type: 'releases of a project',
    html: page(
      'Releases',
      `<div class="container-lg"><h1 class="sr-only">Releases</h1>${RELEASES.map(
        ([version, stamp, user, about, assets]) =>
          `<section aria-labelledby="hd-${version.replaceAll('.', '')}"><h2 class="sr-only" id="hd-${version.replaceAll('.', '')}">${version}</h2><div class="d-flex flex-column flex-md-row my-5"><div class="col-md-2 pr-md-6"><div class="mb-2 f4"><relative-time datetime="${stamp}">${stamp.slice(0, 10)}</relative-time></div><div class="mb-2"><img class="avatar" src="/a/${user}.png" alt="@${user}" width="20"><a class="color-fg-muted" href="/${user}">${user}</a></div><a href="/acme/kestrel/tree/${version}" class="Link--muted"><svg aria-label="Tag"></svg><span>${version}</span></a></div><div class="col-md-9"><div class="Box"><div class="Box-body"><div class="d-flex"><span class="f1"><a href="/acme/kestrel/releases/tag/${version}" class="Link--primary">Kestrel ${version.slice(1)}</a></span></div><div class="markdown-body my-3"><p>${about}</p></div></div><div class="Box-footer"><details><summary><span class="f3">Assets</span> <span title="${assets}" class="Counter">${assets}</span></summary></details></div></div></div></div></section>`,
      ).join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      releaseName | version | releaseDate:date | author | releaseNotes | releaseUrl:url
      Kestrel 3.2.0 | v3.2.0 | 2024-04-30 | kestrel-bot | Adds a dark theme and faster search. | /acme/kestrel/releases/tag/v3.2.0
      Kestrel 3.1.4 | v3.1.4 | 2024-04-11 | ravi-n | Mends the export of empty sheets. | /acme/kestrel/releases/tag/v3.1.4
      Kestrel 3.1.3 | v3.1.3 | 2024-03-28 | ravi-n | Security release: please update. | /acme/kestrel/releases/tag/v3.1.3
    `),
  },
  {
    type: 'holdings in a legacy table',
    html: page(
      'Search results',
      `<table width="100%" border="0" cellpadding="4" cellspacing="0"><tr><td><font size="4"><b>3 titles found</b></font></td></tr><tr><td><table width="100%" border="1" cellpadding="3"><tr bgcolor="#cccccc"><td><b>#</b></td><td><b>Title</b></td><td><b>Author</b></td><td><b>Year</b></td><td><b>Call no.</b></td><td><b>Status</b></td></tr>${HOLDINGS.map(
        ([title, author, year, call, status], index) =>
          `<tr${index % 2 === 1 ? ' bgcolor="#eeeeee"' : ''}><td align="right">${index + 1}.</td><td><a href="/record?b=${index + 100}"><i>${title}</i></a></td><td>${author}</td><td>${year}</td><td nowrap>${call}</td><td><font color="${status === 'Available' ? 'green' : 'red'}">${status}</font></td></tr>`,
      ).join('')}</table></td></tr></table>`,
    ),
    multiple: true,
    ...records(`
      title | author | year:integer | call_number | available:boolean | record_url:url
      The tidal almanac | Greta Holm | 1998 | 551.47 HOL | true | /record?b=100
      Harbours of the north | Jan Wierda | 2007 | 387.1 WIE | false | /record?b=101
      Knots and splices | M. Castellanos | 1984 | 623.88 CAS | true | /record?b=102
    `),
  },
  {
    type: 'talks of a day with headers of rows',
    html: page(
      'Programme',
      `<h1>Programme, Thursday</h1><table class="schedule"><caption>Times are local</caption><thead><tr><td></td><th scope="col">Talk</th><th scope="col">Speaker</th><th scope="col">Room</th></tr></thead><tbody>${TALKS.map(
        ([time, title, speaker, room]) =>
          `<tr><th scope="row"><time>${time}</time></th><td>${title}</td><td>${speaker}</td><td>${room}</td></tr>`,
      ).join('')}</tbody></table>`,
    ),
    multiple: true,
    ...records(`
      talk_title | speaker_name | room
      Opening: what we broke last year | Imani Clarke | Main hall
      Queues without tears | Piotr Zych | Room B
      A type system for spreadsheets | Lucía Ferrer | Main hall
    `),
  },
  {
    type: 'tools with nested prices',
    html: page(
      'Power tools',
      `<div class="max-w-7xl mx-auto"><h1 class="text-3xl font-bold tracking-tight">Power tools</h1><p class="text-sm text-gray-500">3 products</p><ul role="list" class="grid grid-cols-2 gap-x-4">${TOOLS.map(
        ([name, brand, price, was, rating, reviews, stocked, path]) =>
          `<li class="relative"><div class="group aspect-square rounded-lg bg-gray-100"><img alt="" src="/i${path}.webp" class="object-cover"><a href="${path}" class="absolute inset-0 focus:outline-none"><span class="sr-only">View details for ${name}</span></a></div><p class="mt-2 text-xs uppercase text-gray-400">${brand}</p><p class="mt-1 truncate text-sm font-medium text-gray-900">${name}</p><div class="flex items-center"><span class="text-yellow-500" aria-hidden="true">★★★★☆</span><span class="text-xs">${rating} (${reviews})</span></div><p class="text-sm"><span class="font-semibold">€${price.toFixed(2)}</span>${was === null ? '' : ` <span class="line-through text-gray-400">€${was.toFixed(2)}</span>`}</p><p class="text-xs ${stocked ? 'text-green-600' : 'text-red-600'}">${stocked ? 'In stock' : 'Out of stock'}</p></li>`,
      ).join('')}</ul></div>`,
    ),
    fields: {
      productName: 'string',
      price: 'number',
      rating: { type: 'object', properties: { value: { type: 'number' }, count: { type: 'integer' } } },
      inStock: 'boolean',
      productUrl: URL_FIELD,
    },
    multiple: true,
    gold: TOOLS.map(([productName, , price, , rating, count, inStock, path]) => ({
      productName,
      price,
      rating: { value: rating, count },
      inStock,
      productUrl: at(path),
    })),
  },
];
