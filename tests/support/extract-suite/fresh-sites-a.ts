import { at, day, page, records, type SuiteCase } from './case.ts';

const TOPICS = [
  ['Which bread knife?', 'Gear', 12, 840, 'oskar', 'ines'],
  ['Starter smells of apples', 'Help', 31, 2207, 'wren', 'oskar'],
  ['Show us your ovens', 'Pictures', 204, 18950, 'ines', 'teo'],
] as const;

const POSTS = [
  [
    'Nell Archer',
    '@nell',
    '2024-05-01T07:30:00Z',
    '6h',
    'The heron is back on the weir this morning.',
    4,
    12,
    88,
  ],
  [
    'River Trust',
    '@rivertrust',
    '2024-04-30T16:00:00Z',
    'Apr 30',
    'Volunteers wanted for Saturday. Bring boots and a friend.',
    9,
    41,
    130,
  ],
  [
    'Bo Lindqvist',
    '@bo_l',
    '2024-04-29T20:10:00Z',
    'Apr 29',
    'Measured 14.2 degrees at the mill today.',
    0,
    2,
    17,
  ],
] as const;

const STORES = [
  ['Riverside', '12 Quay Street', 'Bristol BS1 4RH', '0117 555 0140', 'Open until 8 pm', '0.8 mi'],
  ['Station Road', '88 Station Road', 'Bath BA1 1SX', '01225 555 016', 'Closed', '11.2 mi'],
  ['Old Market', '3 Market Square', 'Wells BA5 2RF', '01749 555 077', 'Open until 6 pm', '19 mi'],
] as const;

/** Pages laid out as frameworks, forums and shops do. Held out: no rule is written for them. */
export const FRESH_SITES_A: readonly SuiteCase[] = [
  {
    type: 'house with values before labels',
    html: page(
      '41 Orchard Way',
      `<div class="ds"><div class="price-row"><span class="amount">$612,000</span><span class="pay">Est. $3,905/mo</span></div><h1>41 Orchard Way, Salem, OR 97301</h1>
      <div class="stats"><span><b>3</b> <span>beds</span></span><span><b>2.5</b> <span>baths</span></span><span><b>1,940</b> <span>sqft</span></span></div>
      <div class="facts"><div><i></i><span>Single family residence</span></div><div><i></i><span>Built in 1987</span></div><div><i></i><span>7,405 Square Feet Lot</span></div><div><i></i><span>$315 price/sqft</span></div></div>
      <h2>What is special</h2><p>A quiet house with a south garden, two apple trees and a workshop that has its own power.</p></div>`,
    ),
    multiple: false,
    ...records(`
      address | price:number | beds:integer | baths:number | sqft:integer | year_built:integer | description
      41 Orchard Way, Salem, OR 97301 | 612000 | 3 | 2.5 | 1940 | 1987 | A quiet house with a south garden, two apple trees and a workshop that has its own power.
    `),
  },
  {
    type: 'topics of a forum',
    html: page(
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
    multiple: true,
    ...records(`
      topic | topic_url:url | category | replies:integer | views:integer
      Which bread knife? | /t/0 | Gear | 12 | 840
      Starter smells of apples | /t/1 | Help | 31 | 2207
      Show us your ovens | /t/2 | Pictures | 204 | 18950
    `),
  },
  {
    type: 'posts of a feed',
    html: page(
      'Home',
      `<h1 class="sr-only">Home</h1><div role="feed">${POSTS.map(
        (
          [name, handle, stamp, ago, text, replies, boosts, likes],
          index,
        ) => `<article class="css-1"><div class="css-2"><a href="/${handle}"><img src="/a/${index}.png" alt=""></a></div><div><div class="css-3"><a href="/${handle}"><span class="css-4">${name}</span></a> <span class="css-5">${handle}</span> <a href="/${handle}/status/${index}"><time datetime="${stamp}">${ago}</time></a></div>
      <div class="css-6" lang="en">${text}</div><div role="group" class="css-7"><button aria-label="${replies} Replies. Reply"><svg></svg><span>${replies}</span></button><button aria-label="${boosts} reposts. Repost"><svg></svg><span>${boosts}</span></button><button aria-label="${likes} Likes. Like"><svg></svg><span>${likes}</span></button></div></div></article>`,
      ).join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      author | posted_at:date | text | likes:integer
      Nell Archer | 2024-05-01 | The heron is back on the weir this morning. | 88
      River Trust | 2024-04-30 | Volunteers wanted for Saturday. Bring boots and a friend. | 130
      Bo Lindqvist | 2024-04-29 | Measured 14.2 degrees at the mill today. | 17
    `),
  },
  {
    type: 'recipe with values above labels',
    html: page(
      'Lentil soup',
      `<article><h1 class="t">Lentil soup with lemon</h1><p class="by">By <a href="/cooks/nadia">Nadia Haddad</a> | Updated May 3, 2024</p>
      <p class="lede">A bright soup that is ready before the rice is, and better on the second day.</p>
      <div class="stats"><div><strong>10 min</strong><span>Prep time</span></div><div><strong>35 min</strong><span>Cook time</span></div><div><strong>4</strong><span>Servings</span></div></div>
      <h2>Ingredients</h2><ul><li>250 g red lentils</li><li>1 onion, chopped</li><li>1 lemon</li></ul>
      <h2>Method</h2><ol><li>Soften the onion in oil.</li><li>Add the lentils and a litre of water.</li><li>Simmer, then stir in the lemon.</li></ol></article>`,
    ),
    multiple: false,
    ...records(`
      title | author | prep_time | cook_time | servings:integer | ingredients:list | instructions:list
      Lentil soup with lemon | Nadia Haddad | 10 min | 35 min | 4 | 250 g red lentils; 1 onion, chopped; 1 lemon | Soften the onion in oil.; Add the lentils and a litre of water.; Simmer, then stir in the lemon.
    `),
  },
  {
    type: 'stores near a place',
    html: page(
      'Find a store',
      `<h1>Find a store</h1><div class="locator-results">${STORES.map(
        (
          [name, street, town, phone, open, far],
          index,
        ) => `<div class="Teaser"><h2 class="Teaser-title"><a class="Teaser-titleLink" href="/stores/${index}"><span>${name}</span></a></h2><div class="Teaser-miles">${far}</div><div class="Teaser-open">${open}</div>
      <address class="c-address"><div class="c-AddressRow">${street}</div><div class="c-AddressRow">${town}</div></address><div class="Phone Phone--main"><div class="Phone-label"><span class="sr-only">phone</span></div><div class="Phone-numberWrapper"><a class="Phone-link" href="tel:${phone.replaceAll(' ', '')}">${phone}</a></div></div><a class="Teaser-directions" href="https://maps.example/?q=${index}">Get directions</a></div>`,
      ).join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      store_name | address | phone | store_url:url | directions_url:url
      Riverside | 12 Quay Street Bristol BS1 4RH | 0117 555 0140 | /stores/0 | https://maps.example/?q=0
      Station Road | 88 Station Road Bath BA1 1SX | 01225 555 016 | /stores/1 | https://maps.example/?q=1
      Old Market | 3 Market Square Wells BA5 2RF | 01749 555 077 | /stores/2 | https://maps.example/?q=2
    `),
  },
];
