import { page, records, type SuiteCase } from './case.ts';

const ADVERT =
  '<div class="my-4 text-center" aria-label="Advertisement"><span class="text-[10px]">Ad</span><a href="https://ads.example/x"><img alt="Save 20% on boots"></a></div>';

const DEPARTURES = [
  ['08:05', '14', 'Harbour Quay', 'Bay C', 'On time'],
  ['08:12', '7A', 'University', 'Bay A', 'Delayed'],
  ['08:20', '22', 'Airport', 'Bay F', 'On time'],
  ['08:31', '14', 'Old Town', 'Bay C', 'Cancelled'],
] as const;

const RECIPES = [
  ['Smoky bean chili', '/r/bean-chili', 45, 4.6, 212, 'Vegan'],
  ['Lemon orzo with peas', '/r/lemon-orzo', 20, 4.2, 88, 'Vegetarian'],
  ['Miso roast cod', '/r/miso-cod', 30, 4.9, 41, 'Pescatarian'],
] as const;

const PLAYERS = [
  ['NovaFox', 'Portugal', 2841, 112],
  ['quietriver', 'Japan', 2790, 98],
  ['Bramble', 'Canada', 2755, 140],
  ['Ozymandia', 'Kenya', 2702, 77],
  ['tinplate', 'Chile', 2688, 91],
] as const;

const HOMES = [
  ['14 Alder Lane', 'Millbrook', 425000, 3, 2, 1480, '/homes/14-alder'],
  ['9 Ferry Street', 'Ashton', 618500, 4, 3, 2210, '/homes/9-ferry'],
  ['2/31 Canal Road', 'Millbrook', 299950, 2, 1, 870, '/homes/31-canal'],
  ['77 Orchard Rise', 'Denby', 540000, 3, 2, 1655, '/homes/77-orchard'],
] as const;

const SESSIONS = [
  ['9:30', 'Caches that tell the truth', 'Ines Duarte', 'Kestrel Labs', 'Main hall'],
  ['11:00', 'Shipping without a staging site', 'Tom Okafor', 'Parcelwise', 'Room 2'],
  ['14:00', 'What queues owe you', 'Mina Sato', 'Lodestar', 'Main hall'],
] as const;

const EPISODES = [
  [
    88,
    'The lighthouse keepers',
    'May 14, 2024',
    '52 min',
    'Two keepers recall the last winter before the lamp went dark.',
  ],
  [87, 'Salt roads', 'April 30, 2024', '47 min', 'How a mineral drew the map of a continent.'],
  [86, 'Weather and war', 'April 16, 2024', '1 hr 4 min', 'Forecasters who changed the course of a landing.'],
] as const;

/** Written before a round of rules, and scored once before it and once after. Each asks for fields that its page does not have. */
export const NEXT_LISTS: readonly SuiteCase[] = [
  {
    type: 'departures of a bus station in rows of divs',
    html: page(
      'Departures',
      `<h1>Central Bus Station</h1><p>Updated 08:01</p><div class="board"><div class="board-head"><div>Time</div><div>Line</div><div>Destination</div><div>Stop</div><div>Status</div></div>${DEPARTURES.map(
        ([time, line, to, bay, status]) =>
          `<div class="board-row"><div><span>${time}</span></div><div><b>${line}</b></div><div>${to}</div><div>${bay}</div><div><span class="chip chip-${status.toLowerCase().replace(' ', '-')}">${status}</span></div></div>`,
      ).join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      departure_time | line | destination | status | operator | fare:number
      08:05 | 14 | Harbour Quay | On time |  |
      08:12 | 7A | University | Delayed |  |
      08:20 | 22 | Airport | On time |  |
      08:31 | 14 | Old Town | Cancelled |  |
    `),
  },
  {
    type: 'recipe cards',
    html: page(
      'Weeknight dinners',
      `<div class="mx-auto max-w-5xl"><h1 class="text-4xl">Weeknight dinners</h1><div class="mt-6 grid gap-6">${RECIPES.map(
        ([name, path, minutes, rating, count, diet], index) =>
          `<div class="flex flex-col overflow-hidden rounded-xl"><a href="${path}" tabindex="-1" aria-hidden="true"><img class="h-48" src="/img${path}.jpg" alt=""></a><div class="p-4"><span class="rounded bg-lime-100 px-2 text-xs">${diet}</span><h2 class="text-xl"><a href="${path}">${name}</a></h2><div class="flex items-center gap-1"><span role="img" aria-label="${rating} out of 5 stars">★★★★☆</span><span class="text-xs">(${count})</span></div><div class="flex gap-2 text-sm"><svg aria-hidden="true"><path d="M0 0"/></svg><span>${minutes} min</span></div><button class="btn" aria-label="Save ${name}">Save</button></div></div>${index === 1 ? ADVERT : ''}`,
      ).join('')}</div></div>`,
    ),
    multiple: true,
    ...records(`
      recipeName | recipeUrl:url | rating:number | reviewCount:integer | author | calories:integer
      Smoky bean chili | /r/bean-chili | 4.6 | 212 |  |
      Lemon orzo with peas | /r/lemon-orzo | 4.2 | 88 |  |
      Miso roast cod | /r/miso-cod | 4.9 | 41 |  |
    `),
  },
  {
    type: 'leaderboard with rank and flags',
    html: page(
      'Ladder, season 9',
      `<h1>Ladder</h1><div class="tabs"><button aria-pressed="true">Season 9</button><button>Season 8</button></div><ol class="lb">${PLAYERS.map(
        ([name, country, points, games], index) =>
          `<li class="lb__item"><span class="lb__rank">${index + 1}</span><img class="lb__flag" src="/f/${index}.svg" alt="${country}"><a class="lb__player" href="/u/${name.toLowerCase()}">${name}</a><span class="lb__points">${points.toLocaleString('en-US')} <abbr title="points">pts</abbr></span><span class="lb__games">${games} games</span></li>`,
      ).join('')}</ol>`,
    ),
    multiple: true,
    ...records(`
      rank:integer | player_name | country | points:integer | games_played:integer | team | win_rate:number
      1 | NovaFox | Portugal | 2841 | 112 |  |
      2 | quietriver | Japan | 2790 | 98 |  |
      3 | Bramble | Canada | 2755 | 140 |  |
      4 | Ozymandia | Kenya | 2702 | 77 |  |
      5 | tinplate | Chile | 2688 | 91 |  |
    `),
  },
  {
    type: 'homes with adverts between them',
    html: page(
      'Homes for sale',
      `<h1>248 homes for sale</h1><div class="results"><div class="sort">Sort by <button>Newest</button></div>${HOMES.map(
        ([address, town, price, beds, baths, area, path], index) =>
          `<article class="css-1x7${index}"><a href="${path}" class="css-a0"><picture><img alt="Photo 1 of ${address}" src="/p${index}.webp"></picture></a><div class="css-b1"><p class="css-p2">$${price.toLocaleString('en-US')}</p><ul class="css-u3"><li><strong>${beds}</strong> bd</li><li><strong>${baths}</strong> ba</li><li><strong>${area.toLocaleString('en-US')}</strong> sqft</li></ul><address>${address}, ${town}</address><p class="css-q4">Listed by Harrow &amp; Lunt</p></div></article>${index === 1 ? '<div class="css-ad"><p>Sponsored</p><a href="/mortgages">Compare mortgages from 3.9%</a></div>' : ''}`,
      ).join(
        '',
      )}</div><aside><h2>Recently sold</h2><ul><li><a href="/sold/1">3 Mill Court</a> $388,000</li><li><a href="/sold/2">12 Low Street</a> $402,500</li></ul></aside>`,
    ),
    multiple: true,
    ...records(`
      address | price:number | bedrooms:integer | bathrooms:integer | sqft:integer | listingUrl:url | yearBuilt:integer | garage
      14 Alder Lane, Millbrook | 425000 | 3 | 2 | 1480 | /homes/14-alder |  |
      9 Ferry Street, Ashton | 618500 | 4 | 3 | 2210 | /homes/9-ferry |  |
      2/31 Canal Road, Millbrook | 299950 | 2 | 1 | 870 | /homes/31-canal |  |
      77 Orchard Rise, Denby | 540000 | 3 | 2 | 1655 | /homes/77-orchard |  |
    `),
  },
  {
    type: 'conference programme with breaks',
    html: page(
      'Programme',
      `<h1>Steady Conf 2024</h1><section><h2>Friday 7 June</h2><ul class="agenda">${SESSIONS.map(
        ([time, title, speaker, company, room]) =>
          `<li class="slot slot--talk"><time>${time}</time><div class="slot-body"><h3>${title}</h3><p class="who"><img src="/s.jpg" alt=""><span class="who-name">${speaker}</span>, <span class="who-org">${company}</span></p><p class="where">${room}</p></div></li><li class="slot slot--break"><time>${time.replace(':00', ':45').replace(':30', ':55')}</time><div class="slot-body"><h3>Coffee break</h3></div></li>`,
      ).join('')}</ul></section>`,
    ),
    required: ['session_title', 'speaker'],
    multiple: true,
    ...records(`
      session_title | speaker | room | speaker_email:email | video_url:url
      Caches that tell the truth | Ines Duarte | Main hall |  |
      Shipping without a staging site | Tom Okafor | Room 2 |  |
      What queues owe you | Mina Sato | Main hall |  |
    `),
  },
  {
    type: 'episodes of a show',
    html: page(
      'Long Shore, a podcast',
      `<div class="hero"><h1>Long Shore</h1><p>Hosted by Dana Whitlock</p><a class="btn" href="/subscribe">Subscribe</a></div><div class="list">${EPISODES.map(
        ([number, title, date, length, about]) =>
          `<div class="item"><button aria-label="Play ${title}"><svg></svg></button><div><div class="meta"><span>Episode ${number}</span> · <span>${date}</span> · <span>${length}</span></div><div class="name"><a href="/episodes/${number}">${title}</a></div><p>${about}</p><div class="actions"><a href="/episodes/${number}/transcript">Transcript</a> <a href="/dl/${number}.mp3" download>Download</a></div></div></div>`,
      ).join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      episodeNumber:integer | episodeTitle | publishDate:date | duration | description | episodeUrl:url | guest | rating:number
      88 | The lighthouse keepers | 2024-05-14 | 52 min | Two keepers recall the last winter before the lamp went dark. | /episodes/88 |  |
      87 | Salt roads | 2024-04-30 | 47 min | How a mineral drew the map of a continent. | /episodes/87 |  |
      86 | Weather and war | 2024-04-16 | 1 hr 4 min | Forecasters who changed the course of a landing. | /episodes/86 |  |
    `),
  },
];
