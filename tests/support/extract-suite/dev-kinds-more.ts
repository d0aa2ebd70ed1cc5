import { at, DATE_FIELD, day, page, records, type SuiteCase } from './case.ts';

/** Kinds of pages that say less than is asked, or say it of something else as well. */
export const DEV_KINDS_MORE: readonly SuiteCase[] = [
  {
    type: 'homes for sale',
    html: page(
      'Homes',
      `<h1>Homes for sale</h1><ul>${[
        ['425,000', '3', '2', '1,540', '18 Elm Ct, Salem, OR 97301', 'House for sale'],
        ['289,900', '2', '1', '910', '7 Bay St #4, Salem, OR 97302', 'Condo for sale'],
        ['612,500', '4', '3', '2,310', '90 Ridge Way, Salem, OR 97304', 'House for sale'],
      ]
        .map(
          ([price, beds, baths, size, address, kind], i) =>
            `<li><article><a href="/home/${i}"><address>${address}</address></a><div><span data-test="property-card-price">$${price}</span></div>
      <ul><li><b>${beds}</b> <abbr>bds</abbr></li><li><b>${baths}</b> <abbr>ba</abbr></li><li><b>${size}</b> <abbr>sqft</abbr></li></ul><div>${kind}</div><img src="/h/${i}.jpg" alt=""></article></li>`,
        )
        .join('')}</ul>`,
    ),
    multiple: true,
    ...records(`
      price:number | address | url:url | image:url | year_built:integer
      425000 | 18 Elm Ct, Salem, OR 97301 | /home/0 | /h/0.jpg |
      289900 | 7 Bay St #4, Salem, OR 97302 | /home/1 | /h/1.jpg |
      612500 | 90 Ridge Way, Salem, OR 97304 | /home/2 | /h/2.jpg |
    `),
  },
  {
    type: 'recipes of a blog',
    html: page(
      'Soups',
      `<h1>Soups</h1><div class="posts">${[
        ['Pea soup', 'Green and quick, for a cold day.', '4.8', '132', '35 minutes'],
        ['Leek soup', 'Creamy without any cream at all.', '4.1', '57', '50 minutes'],
        ['Corn chowder', 'Sweet corn, smoky bacon and a potato.', '4.6', '88', '1 hour'],
      ]
        .map(
          ([name, text, stars, votes, time], i) =>
            `<article class="post"><a class="thumb" href="/r/${i}" aria-hidden="true" tabindex="-1"><img src="/s/${i}.jpg" alt="${name}"></a>
      <h2 class="entry-title"><a href="/r/${i}" rel="bookmark">${name}</a></h2><div class="wprm"><span class="wprm-rating-average">${stars}</span> from <span class="wprm-rating-count">${votes}</span> votes</div>
      <div class="time"><span class="label">Total Time</span><span>${time}</span></div><p>${text}</p><a href="/r/${i}">Read more</a></article>`,
        )
        .join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      title | url:url | rating:number | rating_count:integer | total_time | description | author
      Pea soup | /r/0 | 4.8 | 132 | 35 minutes | Green and quick, for a cold day. |
      Leek soup | /r/1 | 4.1 | 57 | 50 minutes | Creamy without any cream at all. |
      Corn chowder | /r/2 | 4.6 | 88 | 1 hour | Sweet corn, smoky bacon and a potato. |
    `),
  },
  {
    type: 'answer without a byline, with comments',
    html: page(
      'How to prune roses',
      `<article><h1>How to prune roses</h1><p>Cut above an outward bud, at a slant, in late winter.</p><p>Remove what is dead first.</p></article>
      <section id="comments"><h2>2 comments</h2><div class="comment"><b class="comment-author">Bea</b> <time datetime="2024-03-01">1 March 2024</time><p>Thanks, this helped me a lot.</p></div>
      <div class="comment"><b class="comment-author">Uwe</b> <time datetime="2024-03-02">2 March 2024</time><p>What about climbing roses?</p></div></section>`,
    ),
    multiple: false,
    ...records(`
      title | author | published:date | comment_count:integer
      How to prune roses |  |  | 2
    `),
  },
  {
    type: 'version notes',
    html: page(
      'Release notes 4.2.0',
      `<div class="release"><div><span class="label label-latest">Latest</span></div><h1>Viewer 4.2.0</h1><div class="who"><a href="/u/noor">noor</a> released this
      <relative-time datetime="2024-04-11T08:00:00Z">Apr 11, 2024</relative-time></div><div><a href="/tree/v4.2.0"><span>v4.2.0</span></a> <a href="/commit/8f31c2a"><code>8f31c2a</code></a></div>
      <h2>Fixed</h2><ul><li>Window is blank after resume</li><li>Crash on empty files</li></ul><h2>Added</h2><ul><li>Dark theme</li><li>Zoom by pinch</li></ul>
      <details open><summary>Assets <span>2</span></summary><ul><li><a href="/d/viewer.zip">viewer.zip</a> <span>14.2 MB</span></li><li><a href="/d/viewer.tar.gz">viewer.tar.gz</a> <span>12.9 MB</span></li></ul></details></div>`,
    ),
    multiple: false,
    ...records(`
      title | released_at:date | fixed:list | added:list | downloads:integer
      Viewer 4.2.0 | 2024-04-11 | Window is blank after resume; Crash on empty files | Dark theme; Zoom by pinch |
    `),
  },
  {
    type: 'timetable of a station',
    html: page(
      'Departures',
      `<h1>Departures</h1><table class="board"><thead><tr><th>Time</th><th>To</th><th>Train</th><th>Platform</th><th>Remarks</th></tr></thead><tbody>${[
        ['08:14', 'Basel SBB', 'IC 1061', '7', ''],
        ['08:22', 'Chur', 'RE 4812', '3', 'about 5 min late'],
        ['08:31', 'Luzern', 'IR 2319', '9', ''],
      ]
        .map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
        .join('')}</tbody></table>`,
    ),
    multiple: true,
    ...records(`
      departure_time | destination | train_number | platform | remarks
      08:14 | Basel SBB | IC 1061 | 7 |
      08:22 | Chur | RE 4812 | 3 | about 5 min late
      08:31 | Luzern | IR 2319 | 9 |
    `),
  },
  {
    type: 'purchases with their parts',
    html: page(
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
    fields: {
      order_placed: DATE_FIELD,
      total: 'number',
      items: {
        type: 'array',
        items: {
          type: 'object',
          properties: { item: { type: 'string' }, quantity: { type: 'integer' }, price: { type: 'number' } },
        },
      },
    },
    multiple: true,
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
  {
    type: 'products with variants',
    html: page(
      'T-shirts',
      `<h1>T-shirts</h1><div class="grid">${[
        ['Basic tee', '12.00', '12.00', 'White, Black', 'New'],
        ['Heavy tee', '24.00', '19.20', 'Navy, Sand, Olive', '-20%'],
        ['Pocket tee', '18.00', '18.00', 'Grey', ''],
      ]
        .map(
          ([name, old, now, colours, flag], i) =>
            `<div class="tile"><a class="tile__media" href="/p/${i}"><img data-src="/img/${i}.jpg" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="${name}"></a>
      ${flag === '' ? '' : `<span class="flag">${flag}</span>`}<a href="/p/${i}" class="tile__name">${name}</a>
      <div class="tile__price">${old === now ? `<span>$${now}</span>` : `<span class="sr-only">Regular price</span><s>$${old}</s> <span class="sr-only">Sale price</span><span>$${now}</span>`}</div>
      <ul class="swatches">${colours
        ?.split(', ')
        .map((colour) => `<li><a href="/p/${i}?c=${colour}">${colour}</a></li>`)
        .join('')}</ul></div>`,
        )
        .join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      name | price:number | url:url | image:url | colors:list
      Basic tee | 12 | /p/0 | /img/0.jpg | White; Black
      Heavy tee | 19.2 | /p/1 | /img/1.jpg | Navy; Sand; Olive
      Pocket tee | 18 | /p/2 | /img/2.jpg | Grey
    `),
  },
];
