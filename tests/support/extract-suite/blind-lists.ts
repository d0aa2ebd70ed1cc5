import { page, records, type SuiteCase } from './case.ts';

const STAYS = [
  ['Apartment in Lyon', 'Bright loft by the river', 112, '4.87', 213, '/rooms/8811'],
  ['Cabin in Annecy', 'Wooden cabin with a stove', 164, '4.95', 58, '/rooms/7702'],
  ['Room in Grenoble', 'Quiet room near the station', 49, '4.6', 9, '/rooms/4519'],
  ['Home in Dijon', 'Family home with a garden', 203, '4.78', 121, '/rooms/3377'],
] as const;

const FLIGHTS = [
  ['Aer Lingus', '6:40 AM', '9:15 AM', '1 hr 35 min', 'Nonstop', 84],
  ['KLM', '10:05 AM', '4:50 PM', '5 hr 45 min', '1 stop', 132],
  ['Ryanair', '8:20 PM', '10:45 PM', '1 hr 25 min', 'Nonstop', 39],
] as const;

const ISSUES = [
  ['Crash when the cache folder is read-only', 8123, 'mara-v', '2024-04-18T09:12:00Z', 'bug', 7],
  ['Document the retry policy', 8119, 'tomek', '2024-04-17T15:40:00Z', 'docs', 0],
  ['Support brotli in the proxy', 8101, 'lin0', '2024-04-11T22:03:00Z', 'enhancement', 23],
] as const;

const HOMES = [
  ['18 Alder Court, Boise, ID 83702', 489900, 3, 2, 1610, 'Hearth Realty'],
  ['2205 W Irene St, Boise, ID 83702', 725000, 4, 3, 2480, 'Foothill Group'],
  ['77 Canal Rd, Nampa, ID 83651', 312500, 2, 1, 980, 'Hearth Realty'],
] as const;

const JOBS = [
  [
    'Staff Data Engineer',
    'Lumen Labs',
    'Berlin, Germany',
    85000,
    110000,
    'Full-time',
    '/jobs/lumen-staff-data',
  ],
  ['Support Lead', 'Parcelwise', 'Remote (EU)', 48000, 56000, 'Full-time', '/jobs/parcelwise-support'],
  ['Payroll Assistant', 'Ostrow & Sons', 'Poznań, Poland', 24000, 29000, 'Part-time', '/jobs/ostrow-payroll'],
] as const;

const LINKS = [
  ['A tour of the kernel scheduler', 'lwn.example', 'https://lwn.example/sched', 341, 'pdw', 118],
  ['I replaced my router with a toaster', 'toast.example', 'https://toast.example/r', 97, 'crumb', 40],
  ['Why ferns do not flower', 'ferns.example', 'https://ferns.example/why', 52, 'botanica', 6],
] as const;

const PARAMETERS = [
  ['limit', 'integer', 'The maximum number of objects to return, between 1 and 100.'],
  ['starting_after', 'string', 'A cursor for use in pagination: the identifier of the last object.'],
  ['status', 'string', 'Only returns invoices that have the given status.'],
] as const;

const TRAINS = [
  ['07:02', 'IC 512', 'Utrecht Centraal', '4b', 'On time'],
  ['07:09', 'SPR 6931', 'Hoorn', '1', '+5 min'],
  ['07:15', 'ICE 105', 'Basel SBB', '7a', 'On time'],
  ['07:18', 'IC 2617', 'Vlissingen', '5b', 'Cancelled'],
] as const;

const RESTAURANTS = [
  ['Nonna Rosa', 'Italian', '$$', '4.4', 1208, '31 Mill Lane'],
  ['Saffron Yard', 'Persian', '$$$', '4.7', 356, '8 Chapel Street'],
  ['Noodle Bar Kin', 'Japanese', '$', '4.1', 92, '114 Dock Road'],
] as const;

const REPLIES = [
  ['hollis', 'Mar 2, 2024', 'Try a lower gear before the hill, not on it.', 14],
  ['june_k', 'Mar 2, 2024', 'Mine did the same until I changed the cable.', 3],
  ['pedalpaul', 'Mar 5, 2024', 'The hanger is bent. A shop can align it in five minutes.', 27],
] as const;

/** Lists as sites lay them out. Held out until they were scored twice; pages of development since. */
export const BLIND_LISTS: readonly SuiteCase[] = [
  {
    type: 'stays with generated class names',
    html: page(
      'Stays in France',
      `<h1 class="t1ms2k2y">Over 400 places</h1><div class="gsgwcjk">${STAYS.map(
        ([title, about, price, rating, count, path]) =>
          `<div class="c4mnd7m"><div role="group" aria-labelledby="t"><a class="l1ovpqvx" aria-hidden="true" tabindex="-1" href="${path}"></a><div class="g1qv1ctd"><div class="t1jojoys">${title}</div><div class="fb4nyux">${about}</div><div class="pquyp1l"><span class="a8jt5op">$${price} per night</span><span aria-hidden="true"><span class="_tyxjp1">$${price}</span><span>night</span></span></div><span class="r4a59j5"><span class="a8jt5op">${rating} out of 5 average rating, ${count} reviews</span><span aria-hidden="true">${rating} (${count})</span></span></div></div></div>`,
      ).join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      title | price:number | rating:number | review_count:integer | url:url
      Apartment in Lyon | 112 | 4.87 | 213 | /rooms/8811
      Cabin in Annecy | 164 | 4.95 | 58 | /rooms/7702
      Room in Grenoble | 49 | 4.6 | 9 | /rooms/4519
      Home in Dijon | 203 | 4.78 | 121 | /rooms/3377
    `),
  },
  {
    type: 'flights with utility classes',
    html: page(
      'Dublin to Amsterdam',
      `<h1 class="text-xl font-bold">Departing flights</h1><ul class="flex flex-col gap-2">${FLIGHTS.map(
        ([airline, from, to, duration, stops, price]) =>
          `<li class="flex items-center justify-between p-4 border rounded"><div class="w-10"><img src="/l/${airline[0]}.png" alt=""></div><div class="grow"><div class="text-base"><span>${from}</span> – <span>${to}</span></div><div class="text-xs text-gray-500">${airline}</div></div><div><div class="text-base">${duration}</div><div class="text-xs text-gray-500">DUB–AMS</div></div><div class="text-base">${stops}</div><div class="text-right"><div class="text-green-700 font-medium">€${price}</div><div class="text-xs">round trip</div></div></li>`,
      ).join('')}</ul>`,
    ),
    multiple: true,
    ...records(`
      airline | departure_time | arrival_time | duration | stops | price:number
      Aer Lingus | 6:40 AM | 9:15 AM | 1 hr 35 min | Nonstop | 84
      KLM | 10:05 AM | 4:50 PM | 5 hr 45 min | 1 stop | 132
      Ryanair | 8:20 PM | 10:45 PM | 1 hr 25 min | Nonstop | 39
    `),
  },
  {
    type: 'issues of a repository',
    html: page(
      'Issues',
      `<div class="js-navigation-container">${ISSUES.map(
        ([title, number, author, stamp, label, comments]) =>
          `<div id="issue_${number}" class="Box-row Box-row--focus-gray p-0 mt-0 js-issue-row"><div class="d-flex Box-row--drag-hide"><div class="flex-shrink-0 pt-2 pl-3"><span aria-label="Open issue"><svg class="octicon"></svg></span></div><div class="flex-auto min-width-0 p-2"><a class="Link--primary v-align-middle h4 js-navigation-open" href="/acme/relay/issues/${number}">${title}</a> <span class="lh-default d-block d-md-inline"><a class="IssueLabel" href="/acme/relay/labels/${label}">${label}</a></span><div class="d-flex mt-1 text-small"><span class="opened-by">#${number} opened <relative-time datetime="${stamp}">Apr ${stamp.slice(8, 10)}, 2024</relative-time> by <a class="Link--muted" title="Open issues created by ${author}" href="/acme/relay/issues?q=author%3A${author}">${author}</a></span></div></div><div class="flex-shrink-0 pt-2 text-right pr-3">${comments === 0 ? '' : `<a href="/acme/relay/issues/${number}" class="Link--muted" aria-label="${comments} comments"><svg class="octicon octicon-comment"></svg><span class="text-small text-bold">${comments}</span></a>`}</div></div></div>`,
      ).join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      issueTitle | issueUrl:url | issueNumber:integer | author | openedAt:date | label | comments:integer
      Crash when the cache folder is read-only | /acme/relay/issues/8123 | 8123 | mara-v | 2024-04-18 | bug | 7
      Document the retry policy | /acme/relay/issues/8119 | 8119 | tomek | 2024-04-17 | docs |
      Support brotli in the proxy | /acme/relay/issues/8101 | 8101 | lin0 | 2024-04-11 | enhancement | 23
    `),
  },
  {
    type: 'homes in custom elements',
    html: page(
      'Homes in Boise',
      `<h1>Boise homes for sale</h1><hr-results>${HOMES.map(
        ([address, price, beds, baths, area, broker], index) =>
          `<hr-home-card data-id="${index}"><article><a class="hr-photo" href="/homes/${index}"><img src="/h/${index}.jpg" alt="Photo of home"></a><div class="hr-body"><p class="hr-amount">$${price.toLocaleString('en-US')}</p><ul class="hr-facts"><li><b>${beds}</b> <abbr>bds</abbr></li><li><b>${baths}</b> <abbr>ba</abbr></li><li><b>${area.toLocaleString('en-US')}</b> <abbr>sqft</abbr></li></ul><a href="/homes/${index}"><address>${address}</address></a><p class="hr-broker">Listing by: ${broker}</p></div></article></hr-home-card>`,
      ).join('')}</hr-results>`,
    ),
    multiple: true,
    ...records(`
      address | price:number | bedrooms:integer | bathrooms:number | sqft:integer | url:url
      18 Alder Court, Boise, ID 83702 | 489900 | 3 | 2 | 1610 | /homes/0
      2205 W Irene St, Boise, ID 83702 | 725000 | 4 | 3 | 2480 | /homes/1
      77 Canal Rd, Nampa, ID 83651 | 312500 | 2 | 1 | 980 | /homes/2
    `),
  },
  {
    type: 'vacancies in plain blocks',
    html: page(
      'Vacancies',
      `<h1>123 vacancies</h1><div class="results">${JOBS.map(
        ([title, company, location, low, high, kind, path]) =>
          `<div class="result"><a href="${path}"><h3>${title}</h3></a><div>${company}</div><div>${location}</div><div>€${low.toLocaleString('en-US')} - €${high.toLocaleString('en-US')} a year</div><span>${kind}</span><button>Save</button></div>`,
      ).join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      job_title | salary_min:number | salary_max:number | employment_type | apply_url:url
      Staff Data Engineer | 85000 | 110000 | Full-time | /jobs/lumen-staff-data
      Support Lead | 48000 | 56000 | Full-time | /jobs/parcelwise-support
      Payroll Assistant | 24000 | 29000 | Part-time | /jobs/ostrow-payroll
    `),
  },
  {
    type: 'links in two rows each',
    html: page(
      'Top links',
      `<table class="itemlist"><tbody>${LINKS.map(
        ([title, site, url, points, user, comments], index) =>
          `<tr class="athing" id="${index}"><td class="title"><span class="rank">${index + 1}.</span></td><td class="votelinks"><a href="/vote?id=${index}"><div class="votearrow" title="upvote"></div></a></td><td class="title"><span class="titleline"><a href="${url}">${title}</a><span class="sitebit"> (<a href="/from?site=${site}"><span class="sitestr">${site}</span></a>)</span></span></td></tr><tr><td colspan="2"></td><td class="subtext"><span class="subline"><span class="score">${points} points</span> by <a href="/user?id=${user}" class="hnuser">${user}</a> <span class="age"><a href="/item?id=${index}">3 hours ago</a></span> | <a href="/item?id=${index}">${comments}&nbsp;comments</a></span></td></tr><tr class="spacer" style="height:5px"></tr>`,
      ).join('')}</tbody></table>`,
    ),
    multiple: true,
    ...records(`
      rank:integer | title | link:url | points:integer | submitted_by | num_comments:integer
      1 | A tour of the kernel scheduler | https://lwn.example/sched | 341 | pdw | 118
      2 | I replaced my router with a toaster | https://toast.example/r | 97 | crumb | 40
      3 | Why ferns do not flower | https://ferns.example/why | 52 | botanica | 6
    `),
  },
  {
    type: 'parameters of an API',
    html: page(
      'List invoices',
      `<article><h1>List all invoices</h1><p>Returns your invoices, the newest first.</p><h2>Query parameters</h2><dl class="params">${PARAMETERS.map(
        ([name, type, about]) =>
          `<dt><code>${name}</code> <span class="type">${type}</span> <span class="opt">optional</span></dt><dd><p>${about}</p></dd>`,
      ).join('')}</dl><h2>Returns</h2><p>A dictionary with a data property.</p></article>`,
    ),
    multiple: true,
    ...records(`
      name | type | description
      limit | integer | The maximum number of objects to return, between 1 and 100.
      starting_after | string | A cursor for use in pagination: the identifier of the last object.
      status | string | Only returns invoices that have the given status.
    `),
  },
  {
    type: 'departures of a station',
    html: page(
      'Departures',
      `<h1>Departures from Amsterdam Centraal</h1><div role="table" class="board"><div role="row" class="head"><span role="columnheader">Time</span><span role="columnheader">Train</span><span role="columnheader">Destination</span><span role="columnheader">Platform</span><span role="columnheader">Status</span></div>${TRAINS.map(
        (cells) =>
          `<div role="row">${cells.map((cell) => `<span role="cell">${cell}</span>`).join('')}</div>`,
      ).join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      departure_time | train_number | destination | platform | status
      07:02 | IC 512 | Utrecht Centraal | 4b | On time
      07:09 | SPR 6931 | Hoorn | 1 | +5 min
      07:15 | ICE 105 | Basel SBB | 7a | On time
      07:18 | IC 2617 | Vlissingen | 5b | Cancelled
    `),
  },
  {
    type: 'restaurants near a place',
    html: page(
      'Restaurants',
      `<h1>Restaurants near you</h1><div class="css-mvwd3j">${RESTAURANTS.map(
        ([name, cuisine, level, rating, count, address], index) =>
          `<div class="css-1iq79dq"><a class="css-5r1d0t" href="/biz/${index}"><img src="/b/${index}.jpg" alt="${name}"></a><div class="css-1qn0b6x"><h3 class="css-1agk4wl"><span>${index + 1}. </span><a class="css-19v1rkv" href="/biz/${index}">${name}</a></h3><div class="css-dnttlc"><div role="img" aria-label="${rating} star rating" class="css-stars"></div><span class="css-gutk1c">${rating}</span> <span class="css-8xcil9">(${count.toLocaleString('en-US')} reviews)</span></div><p><span class="css-11bijt4">${cuisine}</span><span class="css-dzq7l1">${level}</span></p><p class="css-address">${address}</p></div></div>`,
      ).join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      name | rating:number | reviews:integer | price_level | url:url
      Nonna Rosa | 4.4 | 1208 | $$ | /biz/0
      Saffron Yard | 4.7 | 356 | $$$ | /biz/1
      Noodle Bar Kin | 4.1 | 92 | $ | /biz/2
    `),
  },
  {
    type: 'replies of a thread',
    html: page(
      'Chain skips',
      `<h1>Chain skips under load</h1><div class="thread">${REPLIES.map(
        ([user, date, text, likes], index) =>
          `<section id="post-${index}"><div class="row"><div class="left"><a class="nick" href="/members/${user}">${user}</a><div class="rank">Member</div><div>Posts: ${(index + 2) * 31}</div></div><div class="right"><div class="top"><a href="#post-${index}">#${index + 1}</a> <span>${date}</span></div><div class="content"><p>${text}</p></div><div class="bar"><button type="button">Reply</button><button type="button" aria-label="Like this post">👍 ${likes}</button></div></div></div></section>`,
      ).join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      username | date:date | message | likes:integer
      hollis | 2024-03-02 | Try a lower gear before the hill, not on it. | 14
      june_k | 2024-03-02 | Mine did the same until I changed the cable. | 3
      pedalpaul | 2024-03-05 | The hanger is bent. A shop can align it in five minutes. | 27
    `),
  },
];
