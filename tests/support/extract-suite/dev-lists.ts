import { DATE_FIELD, own, page, records, type SuiteCase } from './case.ts';

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

const TOPICS = [
  ['Which bread knife?', 'Gear', 12, 840, 'oskar', 'ines'],
  ['Starter smells of apples', 'Help', 31, 2207, 'wren', 'oskar'],
  ['Show us your ovens', 'Pictures', 204, 18950, 'ines', 'teo'],
] as const;

const CLUBS = [
  ['Harbour City', 21, 7, '.750', 'W4'],
  ['North Valley', 18, 10, '.643', 'L1'],
  ['Eastgate Rovers', 11, 17, '.393', 'W1'],
] as const;

/** Pages with several records, as sites lay them out. Rules were written for them. */
export const DEV_LISTS: readonly SuiteCase[] = [
  own(
    'links in two rows each',
    page(
      'Top links',
      `<table class="itemlist"><tbody>${LINKS.map(
        ([title, site, url, points, user, comments], index) =>
          `<tr class="athing" id="${index}"><td class="title"><span class="rank">${index + 1}.</span></td><td class="votelinks"><a href="/vote?id=${index}"><div class="votearrow" title="upvote"></div></a></td><td class="title"><span class="titleline"><a href="${url}">${title}</a><span class="sitebit"> (<a href="/from?site=${site}"><span class="sitestr">${site}</span></a>)</span></span></td></tr><tr><td colspan="2"></td><td class="subtext"><span class="subline"><span class="score">${points} points</span> by <a href="/user?id=${user}" class="hnuser">${user}</a> <span class="age"><a href="/item?id=${index}">3 hours ago</a></span> | <a href="/item?id=${index}">${comments}&nbsp;comments</a></span></td></tr><tr class="spacer" style="height:5px"></tr>`,
      ).join('')}</tbody></table>`,
    ),
    records(`
      rank:integer | title | link:url | points:integer | submitted_by | num_comments:integer
      1 | A tour of the kernel scheduler | https://lwn.example/sched | 341 | pdw | 118
      2 | I replaced my router with a toaster | https://toast.example/r | 97 | crumb | 40
      3 | Why ferns do not flower | https://ferns.example/why | 52 | botanica | 6
    `),
  ),
  own(
    'parameters of an API',
    page(
      'List invoices',
      `<article><h1>List all invoices</h1><p>Returns your invoices, the newest first.</p><h2>Query parameters</h2><dl class="params">${PARAMETERS.map(
        ([name, type, about]) =>
          `<dt><code>${name}</code> <span class="type">${type}</span> <span class="opt">optional</span></dt><dd><p>${about}</p></dd>`,
      ).join('')}</dl><h2>Returns</h2><p>A dictionary with a data property.</p></article>`,
    ),
    records(`
      name | type | description
      limit | integer | The maximum number of objects to return, between 1 and 100.
      starting_after | string | A cursor for use in pagination: the identifier of the last object.
      status | string | Only returns invoices that have the given status.
    `),
  ),
  own(
    'departures of a station',
    page(
      'Departures',
      `<h1>Departures from Amsterdam Centraal</h1><div role="table" class="board"><div role="row" class="head"><span role="columnheader">Time</span><span role="columnheader">Train</span><span role="columnheader">Destination</span><span role="columnheader">Platform</span><span role="columnheader">Status</span></div>${TRAINS.map(
        (cells) =>
          `<div role="row">${cells.map((cell) => `<span role="cell">${cell}</span>`).join('')}</div>`,
      ).join('')}</div>`,
    ),
    records(`
      departure_time | train_number | destination | platform | status
      07:02 | IC 512 | Utrecht Centraal | 4b | On time
      07:09 | SPR 6931 | Hoorn | 1 | +5 min
      07:15 | ICE 105 | Basel SBB | 7a | On time
      07:18 | IC 2617 | Vlissingen | 5b | Cancelled
    `),
  ),
  own(
    'timetable of a station',
    page(
      'Departures',
      `<h1>Departures</h1><table class="board"><thead><tr><th>Time</th><th>To</th><th>Train</th><th>Platform</th><th>Remarks</th></tr></thead><tbody>${[
        ['08:14', 'Basel SBB', 'IC 1061', '7', ''],
        ['08:22', 'Chur', 'RE 4812', '3', 'about 5 min late'],
        ['08:31', 'Luzern', 'IR 2319', '9', ''],
      ]
        .map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
        .join('')}</tbody></table>`,
    ),
    records(`
      departure_time | destination | train_number | platform | remarks
      08:14 | Basel SBB | IC 1061 | 7 |
      08:22 | Chur | RE 4812 | 3 | about 5 min late
      08:31 | Luzern | IR 2319 | 9 |
    `),
  ),
  own(
    'purchases with their parts',
    page(
      'Your purchases',
      `<h1>Your purchases</h1>${[
        [
          '881',
          '2 May 2024',
          '$31.00',
          [
            ['Mug', '2', '$8.00'],
            ['Tea', '1', '$15.00'],
          ],
        ],
        ['874', '9 April 2024', '$12.00', [['Spoon', '4', '$3.00']]],
      ]
        .map(
          ([id, date, total, parts]) =>
            `<div class="purchase"><div class="bar"><span>Order placed: ${String(date)}</span> <span>Total: ${String(total)}</span> <span>Order # ${String(id)}</span></div>
      <table><tr><th>Item</th><th>Quantity</th><th>Price</th></tr>${(Array.isArray(parts) ? parts : []).map(([a, b, c]) => `<tr><td>${a ?? ''}</td><td>${b ?? ''}</td><td>${c ?? ''}</td></tr>`).join('')}</table></div>`,
        )
        .join('')}`,
    ),
    {
      fields: {
        order_placed: DATE_FIELD,
        total: 'number',
        items: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              item: { type: 'string' },
              quantity: { type: 'integer' },
              price: { type: 'number' },
            },
          },
        },
      },
      gold: [
        {
          order_placed: '2024-05-02',
          total: 31,
          items: [
            { item: 'Mug', quantity: 2, price: 8 },
            { item: 'Tea', quantity: 1, price: 15 },
          ],
        },
        { order_placed: '2024-04-09', total: 12, items: [{ item: 'Spoon', quantity: 4, price: 3 }] },
      ],
    },
  ),
  own(
    'records over two rows',
    page(
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
    records(`
      title | url:url | points:integer | author | comments:integer
      A database in one file | https://db.example/one | 214 | ana | 57
      Why we left the cloud | https://ops.example/left | 131 | bo | 203
      Show: a tiny synth | https://synth.example/ | 88 | cy | 19
    `),
  ),
  own(
    'issue list',
    page(
      'Issues',
      `<div class="list">${ISSUES.map(
        ([number, title, labels, user, comments]) => `<div class="row" id="issue_${number}"><div>
        <a href="/r/issues/${number}">${title}</a> ${labels.map((label) => `<a class="label" href="/labels/${label}">${label}</a>`).join(' ')}
        <div class="small"><span>#${number} opened by <a href="/u/${user}">${user}</a></span></div></div>
        <a class="comments" href="/r/issues/${number}#comments" aria-label="${comments} comments">${comments}</a></div>`,
      ).join('')}</div>`,
    ),
    records(`
      issue_title | issueUrl:url | labels:list | comments:integer
      Crash when saving twice | /r/issues/101 | bug; ui | 4
      Add dark mode | /r/issues/98 | feature | 12
      Docs: fix broken link | /r/issues/97 | docs | 1
    `),
  ),
  own(
    'cards that do not say what is asked',
    page(
      'Blog',
      `<div class="posts">${['Release notes', 'How we test', 'A new office']
        .map(
          (title, index) => `<div class="post"><h2><a href="/b/${index}">${title}</a></h2>
        <p>Some words about the subject of this post, which go on for a while.</p><a href="/b/${index}">Read more</a></div>`,
        )
        .join('')}</div>`,
    ),
    records(`
      title | price:number | sku | author | phone
      Release notes |  |  |  |
      How we test |  |  |  |
      A new office |  |  |  |
    `),
    { required: ['title'] },
  ),
  own(
    'staff with icons and no names of fields',
    page(
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
    records(`
      name | job_title | email:email | phone
      Dr. Hanna Vogel | Head of Cardiology | h.vogel@clinic.example | +49 30 5550 110
      Priya Raman | Senior Nurse | p.raman@clinic.example | +49 30 5550 124
      Tomasz Lis | Physiotherapist | t.lis@clinic.example | +49 30 5550 131
    `),
  ),
  own(
    'topics of a forum',
    page(
      'Latest topics',
      `<h1>Latest topics</h1><table class="topic-list"><thead><tr><th>Topic</th><th></th><th>Replies</th><th>Views</th><th>Activity</th></tr></thead><tbody>${TOPICS.map(
        (
          [title, category, replies, views, first, last],
          index,
        ) => `<tr class="topic-list-item"><td class="main-link"><a href="/t/${index}" class="title raw-link">${title}</a><div class="link-bottom-line"><a class="badge-category" href="/c/${category}"><span>${category}</span></a></div></td>
      <td class="posters"><a href="/u/${first}" title="${first} - Original Poster"><img alt="" src="/a/${first}.png"></a><a href="/u/${last}" title="${last} - Most Recent Poster"><img alt="" src="/a/${last}.png"></a></td>
      <td class="num posts"><button>${replies}</button></td><td class="num views"><span title="this topic has been viewed ${views} times">${views}</span></td><td class="num age"><a href="/t/${index}/9"><span>2h</span></a></td></tr>`,
      ).join('')}</tbody></table>`,
    ),
    records(`
      topic | topic_url:url | category | replies:integer | views:integer
      Which bread knife? | /t/0 | Gear | 12 | 840
      Starter smells of apples | /t/1 | Help | 31 | 2207
      Show us your ovens | /t/2 | Pictures | 204 | 18950
    `),
  ),
  own(
    'standings with short headers',
    page(
      'Standings',
      `<h1>Standings</h1><table class="tbl"><thead><tr><th>Team</th><th><abbr title="Wins">W</abbr></th><th><abbr title="Losses">L</abbr></th><th title="Winning percentage">PCT</th><th title="Current streak">STRK</th></tr></thead><tbody>${CLUBS.map(
        ([team, wins, losses, share, streak], index) =>
          `<tr><td><span class="pos">${index + 1}</span> <a href="/team/${index}"><img src="/b/${index}.png" alt=""> ${team}</a></td><td>${wins}</td><td>${losses}</td><td>${share}</td><td>${streak}</td></tr>`,
      ).join('')}</tbody></table>`,
    ),
    records(`
      team | wins:integer | losses:integer | streak
      Harbour City | 21 | 7 | W4
      North Valley | 18 | 10 | L1
      Eastgate Rovers | 11 | 17 | W1
    `),
  ),
];
