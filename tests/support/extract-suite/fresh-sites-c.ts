import { at, page, records, type SuiteCase } from './case.ts';

const VIDEOS = [
  ['Sharpen a plane iron in five minutes', '5:12', 'Bench Talk', '214,310 views', '2 weeks ago', 214310],
  ['I built a boat in my kitchen', '28:40', 'Small Harbour', '1,902,114 views', '3 months ago', 1902114],
  ['Dovetails without a jig', '12:03', 'Bench Talk', '87,556 views', '1 year ago', 87556],
] as const;

const CLUBS = [
  ['Harbour City', 21, 7, '.750', 'W4'],
  ['North Valley', 18, 10, '.643', 'L1'],
  ['Eastgate Rovers', 11, 17, '.393', 'W1'],
] as const;

const HELP = [
  ['Can I change my booking?', 'Yes, up to two days before arrival, at no cost.'],
  ['Do you take dogs?', 'One dog per room is welcome. Please tell us when you book.'],
  ['Where can I park?', 'There are eight places in the yard, and a garage across the road.'],
] as const;

const STAYS = [
  [
    'Marta',
    'Spain',
    'Quiet and spotless',
    '9.2',
    'March 12, 2024',
    'Double Room',
    'The bed was great and breakfast had fresh bread.',
    'No lift to the third floor.',
  ],
  [
    'Jonas',
    'Norway',
    'Good for one night',
    '7.5',
    'February 27, 2024',
    'Single Room',
    'Close to the station and easy to find.',
    'Thin walls.',
  ],
  [
    'Chiara',
    'Italy',
    'Exceptional',
    '10',
    'February 3, 2024',
    'Family Suite',
    'The staff made the children feel at home.',
    'Parking is expensive.',
  ],
  [
    'Owen',
    'Ireland',
    'Not again',
    '4.1',
    'January 19, 2024',
    'Double Room',
    'The view over the river is lovely.',
    'Cold shower on both mornings.',
  ],
] as const;

const COMMENTS = [
  [
    'Greta',
    '2024-04-02T08:12:00+02:00',
    'April 2, 2024 at 8:12',
    'I tried this with rye flour and it worked. Thank you!',
  ],
  [
    'Piet van Dam',
    '2024-04-02T19:40:00+02:00',
    'April 2, 2024 at 19:40',
    'Mine did not rise. How warm should the water be?',
  ],
  [
    'Lucia',
    '2024-04-05T11:05:00+02:00',
    'April 5, 2024 at 11:05',
    'Second loaf in one week, and the crust is perfect.',
  ],
] as const;

/** Pages laid out as frameworks, forums and shops do. Held out: no rule is written for them. */
export const FRESH_SITES_C: readonly SuiteCase[] = [
  {
    type: 'videos of a search',
    html: page(
      'woodwork: videos',
      `<h1>Results for woodwork</h1><div id="contents">${VIDEOS.map(
        (
          [title, time, channel, views, ago],
          index,
        ) => `<div class="video-renderer"><a class="thumbnail" href="/watch?v=${index}a"><img src="/t/${index}.jpg" alt=""><span class="badge-time">${time}</span></a>
      <div class="text-wrapper"><h3><a id="video-title" href="/watch?v=${index}a" title="${title}">${title}</a></h3>
      <div class="metadata-line"><span>${views}</span><span>${ago}</span></div><div class="channel-info"><a href="/@${channel.replace(' ', '')}">${channel}</a></div></div></div>`,
      ).join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      title | url:url | channel | views:integer | duration
      Sharpen a plane iron in five minutes | /watch?v=0a | Bench Talk | 214310 | 5:12
      I built a boat in my kitchen | /watch?v=1a | Small Harbour | 1902114 | 28:40
      Dovetails without a jig | /watch?v=2a | Bench Talk | 87556 | 12:03
    `),
  },
  {
    type: 'standings with short headers',
    html: page(
      'Standings',
      `<h1>Standings</h1><table class="tbl"><thead><tr><th>Team</th><th><abbr title="Wins">W</abbr></th><th><abbr title="Losses">L</abbr></th><th title="Winning percentage">PCT</th><th title="Current streak">STRK</th></tr></thead><tbody>${CLUBS.map(
        ([team, wins, losses, share, streak], index) =>
          `<tr><td><span class="pos">${index + 1}</span> <a href="/team/${index}"><img src="/b/${index}.png" alt=""> ${team}</a></td><td>${wins}</td><td>${losses}</td><td>${share}</td><td>${streak}</td></tr>`,
      ).join('')}</tbody></table>`,
    ),
    multiple: true,
    ...records(`
      team | wins:integer | losses:integer | streak
      Harbour City | 21 | 7 | W4
      North Valley | 18 | 10 | L1
      Eastgate Rovers | 11 | 17 | W1
    `),
  },
  {
    type: 'questions that fold out',
    html: page(
      'Questions',
      `<h1>Questions</h1><div class="accordion" id="a1">${HELP.map(
        ([question, answer], index) =>
          `<div class="accordion-item"><h2 class="accordion-header"><button class="accordion-button" type="button" aria-expanded="true" aria-controls="c${index}">${question}</button></h2><div id="c${index}" class="accordion-collapse collapse show"><div class="accordion-body"><p>${answer}</p></div></div></div>`,
      ).join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      question | answer
      Can I change my booking? | Yes, up to two days before arrival, at no cost.
      Do you take dogs? | One dog per room is welcome. Please tell us when you book.
      Where can I park? | There are eight places in the yard, and a garage across the road.
    `),
  },
  {
    type: 'stays with good and bad sides',
    html: page(
      'Hotel Lindenhof: guest reviews',
      `<h1>Hotel Lindenhof</h1><h2>Guest reviews</h2><div class="b817090550">${STAYS.map(
        ([
          who,
          country,
          title,
          score,
          date,
          room,
          good,
          bad,
        ]) => `<div class="c402354066"><div class="a3b8729ab1">
      <div class="e6208ee469">${who[0]}</div><div class="ab93752862"><div class="a3332d346a">${who}</div>
      <div><img src="/flags/${country.slice(0, 2)}.png" alt=""><span class="afac1f68d9">${country}</span></div></div>
      <ul><li>${room}</li><li>2 nights · ${date.split(' ')[0]} 2024</li></ul></div><div class="c7a2b3">
      <span class="f4552b6561">Reviewed: ${date}</span><div class="f6431b446c" aria-label="Scored ${score}">${score}</div>
      <h3>${title}</h3><div><span aria-label="Liked"><svg></svg></span><span>${good}</span></div>
      <div><span aria-label="Disliked"><svg></svg></span><span>${bad}</span></div>
      <button>Helpful</button><button>Not helpful</button></div></div>`,
      ).join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      reviewer | country | review_title | score:number | review_date:date | liked | disliked
      Marta | Spain | Quiet and spotless | 9.2 | 2024-03-12 | The bed was great and breakfast had fresh bread. | No lift to the third floor.
      Jonas | Norway | Good for one night | 7.5 | 2024-02-27 | Close to the station and easy to find. | Thin walls.
      Chiara | Italy | Exceptional | 10 | 2024-02-03 | The staff made the children feel at home. | Parking is expensive.
      Owen | Ireland | Not again | 4.1 | 2024-01-19 | The view over the river is lovely. | Cold shower on both mornings.
    `),
  },
  {
    type: 'comments below a post',
    html: page(
      'Bread for beginners',
      `<article><h1>Bread for beginners</h1><p>Flour, water, salt and time are all that you need for this loaf.</p></article>
      <section id="comments"><h2 class="comments-title">3 thoughts on “Bread for beginners”</h2><ol class="comment-list">${COMMENTS.map(
        (
          [who, stamp, shown, text],
          index,
        ) => `<li id="comment-${index}" class="comment even thread-even depth-1"><article id="div-comment-${index}" class="comment-body">
      <footer class="comment-meta"><div class="comment-author vcard"><img alt="" src="/avatar/${index}.jpg" class="avatar avatar-56 photo">
      <b class="fn"><a href="https://${who.split(' ')[0]}.example" rel="external nofollow ugc" class="url">${who}</a></b> <span class="says">says:</span></div>
      <div class="comment-metadata"><a href="/bread/#comment-${index}"><time datetime="${stamp}">${shown}</time></a></div></footer>
      <div class="comment-content"><p>${text}</p></div><div class="reply"><a rel="nofollow" class="comment-reply-link" href="/bread/?replytocom=${index}" aria-label="Reply to ${who}">Reply</a></div></article></li>`,
      ).join('')}</ol></section>`,
    ),
    multiple: true,
    ...records(`
      commenter | posted_at:date | comment | permalink:url
      Greta | 2024-04-02 | I tried this with rye flour and it worked. Thank you! | /bread/#comment-0
      Piet van Dam | 2024-04-02 | Mine did not rise. How warm should the water be? | /bread/#comment-1
      Lucia | 2024-04-05 | Second loaf in one week, and the crust is perfect. | /bread/#comment-2
    `),
  },
];
