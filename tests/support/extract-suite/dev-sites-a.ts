import { at, page, records, type SuiteCase } from './case.ts';

const TEAM = [
  [
    'Dr. Hanna Vogel',
    'Head of Cardiology',
    'h.vogel@clinic.example',
    '+49 30 5550 110',
    'Building A, room 2.14',
  ],
  ['Priya Raman', 'Senior Nurse', 'p.raman@clinic.example', '+49 30 5550 124', 'Building A, room 2.02'],
  ['Tomasz Lis', 'Physiotherapist', 't.lis@clinic.example', '+49 30 5550 131', 'Building C, room 0.07'],
] as const;

const EPISODES = [
  [
    'The bridge that sang',
    'Apr 9, 2024',
    '42 min',
    'Why a suspension bridge hums in the wind, and who heard it first.',
  ],
  ['Salt roads', 'Apr 2, 2024', '38 min', 'A walk along the oldest trade route of the mountains.'],
  ['A clock for the deaf', 'Mar 26, 2024', '51 min', 'How a village changed the way that it tells the time.'],
] as const;

const RATINGS = [
  [
    'Sam Tate',
    '5',
    'March 2, 2024',
    'Does one thing and does it well. The widget saves me every morning.',
    '31',
  ],
  ['A. Novak', '2', 'February 20, 2024', 'It logs me out after each update, and my lists are gone.', '12'],
  ['dreamer88', '4', 'February 11, 2024', 'Nice design. I wish it had a dark theme for the tablet.', '7'],
] as const;

const PACKAGES = [
  [
    'tiny-router',
    'A router of forty lines without dependencies.',
    'mlisk',
    '3.2.1',
    '2 months ago',
    ['router', 'http'],
  ],
  ['papercut', 'Cuts long text at words and keeps its marks.', 'juno', '1.0.4', 'a year ago', ['text']],
  [
    'tidepool',
    'A pool for connections with a calm queue.',
    'kestrel-io',
    '5.11.0',
    '6 days ago',
    ['pool', 'queue', 'tcp'],
  ],
] as const;

const RELEASES = [
  ['v2.4.0', 'March 18, 2024', 'Adds a search box to the sidebar and a keyboard shortcut for it.'],
  ['v2.3.1', 'February 28, 2024', 'Fixes a crash when the configuration file is empty.'],
  ['v2.3.0', 'February 9, 2024', 'Exports can be scheduled, and mails are sent when one fails.'],
] as const;

/** Pages laid out as frameworks, forums and shops do. Development set. */
export const DEV_SITES_A: readonly SuiteCase[] = [
  {
    type: 'staff with icons and no names of fields',
    html: page(
      'Our team',
      `<h1>Our team</h1><div class="row">${TEAM.map(
        ([
          name,
          role,
          mail,
          phone,
          room,
        ]) => `<div class="col-md-4"><div class="card h-100 shadow-sm"><img class="card-img-top" src="/p/${mail[0]}.jpg" alt="${name}">
      <div class="card-body"><h5 class="card-title">${name}</h5><h6 class="card-subtitle mb-2 text-muted">${role}</h6>
      <p class="card-text"><i class="bi bi-envelope"></i> <a href="mailto:${mail}">Send a message</a><br><i class="bi bi-telephone"></i> <a href="tel:${phone.replaceAll(' ', '')}">${phone}</a><br>
      <i class="bi bi-geo-alt"></i> ${room}</p></div></div></div>`,
      ).join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      name | job_title | email:email | phone
      Dr. Hanna Vogel | Head of Cardiology | h.vogel@clinic.example | +49 30 5550 110
      Priya Raman | Senior Nurse | p.raman@clinic.example | +49 30 5550 124
      Tomasz Lis | Physiotherapist | t.lis@clinic.example | +49 30 5550 131
    `),
  },
  {
    type: 'episodes of a podcast',
    html: page(
      'Long Way Round',
      `<h1>Long Way Round</h1><p>Stories about places.</p><div class="episodes">${EPISODES.map(
        (
          [title, date, time, text],
          index,
        ) => `<div class="ep"><a class="cover" href="/ep/${index}"><img src="/c/${index}.jpg" alt=""></a><div>
      <div class="meta">${date} · ${time}</div><a href="/ep/${index}"><h4>${title}</h4></a><p>${text}</p><button aria-label="Play ${title}">Play</button></div></div>`,
      ).join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      title | published:date | duration | description | url:url
      The bridge that sang | 2024-04-09 | 42 min | Why a suspension bridge hums in the wind, and who heard it first. | /ep/0
      Salt roads | 2024-04-02 | 38 min | A walk along the oldest trade route of the mountains. | /ep/1
      A clock for the deaf | 2024-03-26 | 51 min | How a village changed the way that it tells the time. | /ep/2
    `),
  },
  {
    type: 'ratings of an app without classes',
    html: page(
      'Ratings and reviews',
      `<h1>Listy: shared lists</h1><section><h2>Ratings and reviews</h2><div>${RATINGS.map(
        ([
          who,
          stars,
          date,
          text,
          helpful,
        ]) => `<div><header><div><img src="/u/${who[0]}.png" alt=""><div>${who}</div></div>
      <button aria-label="Options"></button></header><div><div role="img" aria-label="Rated ${stars} stars out of five stars"></div>
      <span>${date}</span></div><div>${text}</div><div>${helpful} people found this review helpful</div></div>`,
      ).join('')}</div></section>`,
    ),
    multiple: true,
    ...records(`
      user_name | rating:number | date:date | review_text
      Sam Tate | 5 | 2024-03-02 | Does one thing and does it well. The widget saves me every morning.
      A. Novak | 2 | 2024-02-20 | It logs me out after each update, and my lists are gone.
      dreamer88 | 4 | 2024-02-11 | Nice design. I wish it had a dark theme for the tablet.
    `),
  },
  {
    type: 'packages of a search',
    html: page(
      'Search packages',
      `<h1>3 packages found</h1>${PACKAGES.map(
        ([
          name,
          text,
          who,
          version,
          ago,
          words,
        ]) => `<section class="f37 e2"><div class="w-80"><div class="flex flex-row items-end pr3"><a target="_self" class="flex items-end" href="/package/${name}"><h3 class="db7ee1ac fw6 f4">${name}</h3></a></div>
      <p class="_8fbbd57d f5 black-60 mt1 mb0 pv1">${text}</p><ul class="list pl0 mv2" aria-label="Keywords">${words.map((word) => `<li class="dib mr2"><a class="f6 link" href="/search?q=keywords:${word}">${word}</a></li>`).join('')}</ul>
      <div class="flex items-center mt3"><a class="_78b" href="/~${who}"><img src="/a/${who}" alt=""></a><a class="f6" href="/~${who}">${who}</a><span class="_657f">published <strong>${version}</strong> • ${ago}</span></div></div></section>`,
      ).join('')}`,
    ),
    multiple: true,
    ...records(`
      package_name | description | keywords:list | publisher | url:url
      tiny-router | A router of forty lines without dependencies. | router; http | mlisk | /package/tiny-router
      papercut | Cuts long text at words and keeps its marks. | text | juno | /package/papercut
      tidepool | A pool for connections with a calm queue. | pool; queue; tcp | kestrel-io | /package/tidepool
    `),
  },
  {
    type: 'changelog entries',
    html: page(
      'Changelog',
      `<h1>Changelog</h1><div class="prose">${RELEASES.map(
        ([
          version,
          date,
          text,
        ]) => `<section class="grid md:grid-cols-4 gap-8 py-10"><div class="col-span-1"><p class="text-sm text-slate-500">${date}</p>
      <span class="inline-flex rounded-full bg-sky-100 px-2 text-xs">${version}</span></div><div class="md:col-span-3"><p>${text}</p></div></section>`,
      ).join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      version | release_date:date | description
      v2.4.0 | 2024-03-18 | Adds a search box to the sidebar and a keyboard shortcut for it.
      v2.3.1 | 2024-02-28 | Fixes a crash when the configuration file is empty.
      v2.3.0 | 2024-02-09 | Exports can be scheduled, and mails are sent when one fails.
    `),
  },
];
