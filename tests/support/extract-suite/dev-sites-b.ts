import { day, page, records, type SuiteCase } from './case.ts';

const MERGES = [
  ['!812', 'Draft: speed up the parser', 'lena', '2024-04-11', 'Merged', 3],
  ['!808', 'Fix rounding of totals', 'marco', '2024-04-09', 'Open', 11],
  ['!799', 'Remove the old importer', 'yuki', '2024-04-02', 'Closed', 0],
] as const;

const LESSONS = [
  ['Statistics for the curious', 'Free', '6 weeks long', 'Self-paced', 'Data Science', 0],
  ['Writing short stories', '$149', '4 weeks long', 'Instructor-led', 'Humanities', 149],
  ['Circuits from scratch', '$99', '8 weeks long', 'Self-paced', 'Engineering', 99],
] as const;

const DAYS = [
  ['Monday', 18, 9, 'Light rain', 70],
  ['Tuesday', 21, 11, 'Partly cloudy', 20],
  ['Wednesday', 24, 12, 'Sunny', 5],
  ['Thursday', 19, 10, 'Thunderstorms', 80],
] as const;

const LAMPS = [
  ['Halo', 'Floor lamp, brass', '$249.00', '$199.00', '4.6', '118', 'Free delivery', '-20%'],
  ['Pip', 'Desk lamp, white', '', '$59.00', '4.1', '64', 'Free delivery', 'New'],
  ['Grove', 'Pendant, oak', '$180.00', '$149.50', '4.8', '233', '$9.90 delivery', 'Sale'],
] as const;

/** Pages laid out as frameworks, forums and shops do. Development set. */
export const DEV_SITES_B: readonly SuiteCase[] = [
  {
    type: 'opening with facts next to icons',
    html: page(
      'Site Reliability Engineer',
      `<div class="jobad"><div class="top"><h1>Site Reliability Engineer</h1><a href="/companies/tidewater">Tidewater Systems</a></div>
      <ul class="facts"><li><i class="icon icon-location"></i>Porto, Portugal</li><li><i class="icon icon-clock"></i>Full-time</li><li><i class="icon icon-salary"></i>€55,000 – €70,000 a year</li>
      <li><i class="icon icon-calendar"></i>Posted on April 4, 2024</li></ul><div class="body"><p>You keep the control plane of our storage healthy and make on-call boring.</p></div><a class="btn" href="/apply/88">Apply now</a></div>`,
    ),
    multiple: false,
    ...records(`
      title | company | location | employment_type | salary_min:number | salary_max:number | date_posted:date | description
      Site Reliability Engineer | Tidewater Systems | Porto, Portugal | Full-time | 55000 | 70000 | 2024-04-04 | You keep the control plane of our storage healthy and make on-call boring.
    `),
  },
  {
    type: 'merge requests',
    html: page(
      'Merge requests',
      `<h1>Merge requests</h1><ul class="content-list mr-list">${MERGES.map(
        (
          [id, title, who, date, state, notes],
          index,
        ) => `<li class="merge-request" data-id="${index}"><div class="issuable-main-info"><div class="title"><span class="merge-request-title-text"><a href="/mr/${id.slice(1)}">${title}</a></span></div>
      <div class="issuable-info"><span class="issuable-reference">${id}</span> · created <time datetime="${date}T09:00:00Z" title="${date}">3 weeks ago</time> by <a class="author-link" href="/${who}"><span class="author">${who}</span></a></div></div>
      <div class="issuable-meta"><ul class="controls"><li class="issuable-status">${state}</li><li class="issuable-comments"><a href="/mr/${id.slice(1)}#notes"><svg></svg>${notes}</a></li></ul></div></li>`,
      ).join('')}</ul>`,
    ),
    multiple: true,
    ...records(`
      title | url:url | reference | author | created_at:date | status | comments:integer
      Draft: speed up the parser | /mr/812 | !812 | lena | 2024-04-11 | Merged | 3
      Fix rounding of totals | /mr/808 | !808 | marco | 2024-04-09 | Open | 11
      Remove the old importer | /mr/799 | !799 | yuki | 2024-04-02 | Closed | 0
    `),
  },
  {
    type: 'courses of a content system',
    html: page(
      'Catalog',
      `<h1>Catalog</h1><div class="view-content">${LESSONS.map(
        (
          [title, price, time, pace, subject],
          index,
        ) => `<div class="views-row"><article class="node node--type-course"><div class="field field--name-field-subject"><div class="field__item"><a href="/subject/${index}">${subject}</a></div></div>
      <div class="field field--name-title"><h3 class="field__item"><a href="/course/${index}">${title}</a></h3></div><div class="group-inner"><div class="field"><div class="field__label visually-hidden">Price</div><div class="field__item">${price}</div></div>
      <div class="field"><div class="icon-calendar field__label">Duration</div><div class="field__item">${time}</div></div><div class="field"><div class="field__label">Pace</div><div class="field__item">${pace}</div></div></div></article></div>`,
      ).join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      title | url:url | price:number | duration | pace | subject
      Statistics for the curious | /course/0 | 0 | 6 weeks long | Self-paced | Data Science
      Writing short stories | /course/1 | 149 | 4 weeks long | Instructor-led | Humanities
      Circuits from scratch | /course/2 | 99 | 8 weeks long | Self-paced | Engineering
    `),
  },
  {
    type: 'forecast',
    html: page(
      'Weather in Ghent',
      `<h1>Weather in Ghent</h1><div class="forecast">${DAYS.map(
        ([day, high, low, sky, rain]) =>
          `<div class="fc-day"><div class="fc-name">${day}</div><img src="/i/${sky.length}.svg" alt="${sky}" title="${sky}"><div class="fc-temps"><span class="hi">${high}°</span> / <span class="lo">${low}°</span></div><div class="fc-rain"><span>Chance of rain</span> <b>${rain}%</b></div></div>`,
      ).join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      day | chance_of_rain:number
      Monday | 70
      Tuesday | 20
      Wednesday | 5
      Thursday | 80
    `),
  },
  {
    type: 'products with badges and delivery',
    html: page(
      'Lamps',
      `<h1>Lamps</h1><ul role="list" class="mt-6 grid grid-cols-2 gap-x-6">${LAMPS.map(
        (
          [name, text, old, price, stars, count, delivery, badge],
          index,
        ) => `<li class="group relative"><span class="absolute top-2 left-2 rounded bg-red-600 px-2 text-xs text-white">${badge}</span>
      <img src="/lamp/${index}.jpg" alt="${name}, ${text}" class="aspect-square w-full rounded-lg"><h3 class="mt-4 text-sm text-gray-700"><a href="/lamps/${index}"><span aria-hidden="true" class="absolute inset-0"></span>${name}</a></h3>
      <p class="mt-1 text-sm text-gray-500">${text}</p><p class="text-lg font-medium">${old === '' ? '' : `<span class="sr-only">Regular price</span><span class="line-through text-gray-400">${old}</span> `}<span class="sr-only">Price</span><span>${price}</span></p>
      <div class="flex"><span class="sr-only">${stars} out of 5 stars</span><svg></svg><svg></svg><svg></svg><span class="ml-1 text-xs">(${count})</span></div><p class="text-xs text-green-700">${delivery}</p></li>`,
      ).join('')}</ul>`,
    ),
    multiple: true,
    ...records(`
      name | price:number | original_price:number | rating:number | review_count:integer | url:url
      Halo | 199 | 249 | 4.6 | 118 | /lamps/0
      Pip | 59 |  | 4.1 | 64 | /lamps/1
      Grove | 149.5 | 180 | 4.8 | 233 | /lamps/2
    `),
  },
];
