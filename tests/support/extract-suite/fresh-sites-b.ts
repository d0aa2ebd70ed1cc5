import { day, page, records, type SuiteCase } from './case.ts';

const HITS = [
  [
    'Tide tables for small harbours',
    'https://tides.example/tables',
    'tides.example › tables',
    'Heights and times of high and low water for 412 harbours, for a year ahead.',
  ],
  [
    'How tides work',
    'https://sea.example/learn/tides',
    'sea.example › learn',
    'The moon pulls the water twice a day. This page explains why it is never the same.',
  ],
  [
    'Tide clock, brass',
    'https://shop.example/p/81',
    'shop.example › clocks',
    'A clock with one hand that shows hours to the next high water.',
  ],
] as const;

const QUESTIONS = [
  ['How do I merge two sorted lists?', 14, 3, 1204, ['python', 'sorting'], 'mira', '2024-03-02'],
  ['Flexbox item does not shrink', 8, 1, 377, ['css'], 'tobias_k', '2024-03-01'],
  ['What does a trailing comma do here?', 0, 0, 52, ['javascript', 'syntax'], 'newbie7', '2024-03-01'],
] as const;

const FLATS = [
  ['14 Canal Street, Apt 3', '$2,150/mo', 2, 1, '850', 'Available now'],
  ['220 Harbor View', '$3,400/mo', 3, 2, '1,310', 'Available June 1'],
  ['9 Mill Lane, Unit B', '$1,780/mo', 1, 1, '640', 'Available May 15'],
] as const;

const SHELF = [
  ['The Lighthouse Keeper', 'Ivo Marek', 2011, '978-0-00-100001-1', 'Available'],
  ['Letters from Trieste', 'Ana Costa', 1998, '978-0-00-100002-8', 'On loan'],
  ['A Field Guide to Rain', 'June Park', 2020, '978-0-00-100003-5', 'Available'],
] as const;

/** Pages laid out as frameworks, forums and shops do. Held out: no rule is written for them. */
export const FRESH_SITES_B: readonly SuiteCase[] = [
  {
    type: 'web search',
    html: page(
      'tides',
      `<div id="search"><h1 style="position:absolute;left:-9999px">Search results</h1>${HITS.map(
        ([
          title,
          url,
          cite,
          text,
        ]) => `<div class="MjjYud"><div class="tF2Cxc"><div class="yuRUbf"><a href="${url}"><h3 class="LC20lb">${title}</h3><div class="TbwUpd"><cite class="tjvcx">${cite}</cite></div></a></div>
      <div class="VwiC3b"><span>${text}</span></div></div></div>`,
      ).join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      title | url:url | snippet
      Tide tables for small harbours | https://tides.example/tables | Heights and times of high and low water for 412 harbours, for a year ahead.
      How tides work | https://sea.example/learn/tides | The moon pulls the water twice a day. This page explains why it is never the same.
      Tide clock, brass | https://shop.example/p/81 | A clock with one hand that shows hours to the next high water.
    `),
  },
  {
    type: 'event with questions as headings',
    html: page(
      'Night of Strings',
      `<div class="hero"><img src="/strings.jpg" alt=""></div><h1>Night of Strings</h1><div class="cols"><div>
      <h4>When</h4><p>Saturday, June 15, 2024, 7:30 pm</p><h4>Where</h4><p>Old Foundry, 8 River Road, Leeds</p><h4>Tickets</h4><p>$24.00</p>
      <h4>Organizer</h4><p><a href="/o/12">Leeds Chamber Players</a></p></div><div><h4>About</h4><p>Four quartets play one evening of new music for strings, with a talk by the composers.</p></div></div>`,
    ),
    multiple: false,
    ...records(`
      name | date:date | location | price:number | organizer | description
      Night of Strings | 2024-06-15 | Old Foundry, 8 River Road, Leeds | 24 | Leeds Chamber Players | Four quartets play one evening of new music for strings, with a talk by the composers.
    `),
  },
  {
    type: 'questions with votes',
    html: page(
      'Newest questions',
      `<h1>Newest questions</h1><div id="questions">${QUESTIONS.map(
        (
          [title, votes, answers, views, tags, who, date],
          index,
        ) => `<div class="s-post-summary"><div class="s-post-summary--stats">
      <div class="s-post-summary--stats-item" title="Score of ${votes}"><span class="s-post-summary--stats-item-number">${votes}</span> <span class="s-post-summary--stats-item-unit">votes</span></div>
      <div class="s-post-summary--stats-item" title="${answers} answers"><span class="s-post-summary--stats-item-number">${answers}</span> <span class="s-post-summary--stats-item-unit">answers</span></div>
      <div class="s-post-summary--stats-item" title="${views} views"><span class="s-post-summary--stats-item-number">${views}</span> <span class="s-post-summary--stats-item-unit">views</span></div></div>
      <div class="s-post-summary--content"><h3 class="s-post-summary--content-title"><a href="/questions/${index + 700}" class="s-link">${title}</a></h3>
      <div class="s-post-summary--meta"><div class="tags">${tags.map((tag) => `<a href="/questions/tagged/${tag}" class="s-tag post-tag" rel="tag">${tag}</a>`).join(' ')}</div>
      <div class="s-user-card"><a href="/users/${index}/${who}">${who}</a><time class="s-user-card--time">asked <span title="${date} 10:00:00Z" class="relativetime">4 mins ago</span></time></div></div></div></div>`,
      ).join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      question | question_url:url | votes:integer | answers:integer | views:integer | tags:list
      How do I merge two sorted lists? | /questions/700 | 14 | 3 | 1204 | python; sorting
      Flexbox item does not shrink | /questions/701 | 8 | 1 | 377 | css
      What does a trailing comma do here? | /questions/702 | 0 | 0 | 52 | javascript; syntax
    `),
  },
  {
    type: 'flats with icons',
    html: page(
      'Apartments for rent',
      `<h1>Apartments for rent</h1><div class="grid">${FLATS.map(
        (
          [address, rent, beds, baths, area, free],
          index,
        ) => `<a class="tile" href="/rent/${index}"><div class="photo"><img src="/f/${index}.jpg" alt=""><span class="tag">${free}</span></div>
      <div class="info"><p class="x1">${rent}</p><p class="x2">${address}</p><ul class="x3"><li><svg aria-hidden="true"></svg><b>${beds}</b> bd</li><li><svg aria-hidden="true"></svg><b>${baths}</b> ba</li><li><svg aria-hidden="true"></svg><b>${area}</b> sqft</li></ul></div></a>`,
      ).join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      address | rent:number | bedrooms:integer | bathrooms:integer | sqft:integer | url:url
      14 Canal Street, Apt 3 | 2150 | 2 | 1 | 850 | /rent/0
      220 Harbor View | 3400 | 3 | 2 | 1310 | /rent/1
      9 Mill Lane, Unit B | 1780 | 1 | 1 | 640 | /rent/2
    `),
  },
  {
    type: 'titles of a library in lines',
    html: page(
      'Catalogue search',
      `<h1>Catalogue search</h1><ol start="1">${SHELF.map(
        ([title, author, year, isbn, state], index) =>
          `<li><a href="/record/${index}"><b>${title}</b></a> / ${author}<br>Published: ${year} | ISBN: ${isbn}<br><em>${state}</em></li>`,
      ).join('')}</ol>`,
    ),
    multiple: true,
    ...records(`
      title | year:integer | isbn | url:url
      The Lighthouse Keeper | 2011 | 978-0-00-100001-1 | /record/0
      Letters from Trieste | 1998 | 978-0-00-100002-8 | /record/1
      A Field Guide to Rain | 2020 | 978-0-00-100003-5 | /record/2
    `),
  },
];
