import { at, page, records, type SuiteCase } from './case.ts';

/** Lists of further kinds of pages, written as their sites lay them out. */
export const DEV_KINDS: readonly SuiteCase[] = [
  {
    type: 'support tickets',
    html: page(
      'Tickets',
      `<h1>Tickets</h1><div class="toolbar">3 open <button>New ticket</button></div><ul class="ticket-list">${[
        ['4410', 'Cannot print labels', 'Open', 'High', 'Ines Roth', '2024-05-02', '2 hours ago'],
        ['4409', 'Refund is missing', 'Pending', 'Low', 'Tom Beck', '2024-05-01', 'yesterday'],
        ['4402', 'Change of address', 'Solved', 'Normal', 'Li Na', '2024-04-28', '5 days ago'],
      ]
        .map(
          ([id, title, state, priority, who, date, ago]) =>
            `<li class="ticket"><span class="badge badge-${state?.toLowerCase()}">${state}</span>
      <a class="ticket-link" href="/t/${id}"><span class="num">#${id}</span> <span class="subject">${title}</span></a>
      <div class="sub"><span class="prio">Priority: ${priority}</span> · requested by <a href="/u/${who?.split(' ')[0]}">${who}</a> ·
      <time datetime="${date}T10:00:00Z">${ago}</time></div></li>`,
        )
        .join('')}</ul>`,
    ),
    multiple: true,
    ...records(`
      ticket_id | subject | url:url | status | priority | requester | created_at:date
      #4410 | Cannot print labels | /t/4410 | Open | High | Ines Roth | 2024-05-02
      #4409 | Refund is missing | /t/4409 | Pending | Low | Tom Beck | 2024-05-01
      #4402 | Change of address | /t/4402 | Solved | Normal | Li Na | 2024-04-28
    `),
  },
  {
    type: 'guest book entries',
    html: page(
      'What guests say',
      `<h1>What guests say</h1><div class="comments">${[
        [
          'Anna',
          'Lisbon',
          '9.0',
          'Lovely place, quiet and clean. We will come back.',
          'Reviewed: 3 March 2024',
        ],
        [
          'Peter',
          'Graz',
          '6.5',
          'The room was small, but the breakfast was very good.',
          'Reviewed: 11 February 2024',
        ],
        [
          'Mio',
          'Osaka',
          '8.0',
          'Friendly people at the desk, and close to the station.',
          'Reviewed: 2 January 2024',
        ],
      ]
        .map(
          ([name, from, score, text, date]) =>
            `<div class="c-item"><div class="c-side"><b>${name}</b><br><span>${from}</span></div><div class="c-main">
      <div class="c-score">${score}</div><p>${text}</p><span class="c-date">${date}</span></div></div>`,
        )
        .join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      name | score:number | review_text | date:date
      Anna | 9 | Lovely place, quiet and clean. We will come back. | 2024-03-03
      Peter | 6.5 | The room was small, but the breakfast was very good. | 2024-02-11
      Mio | 8 | Friendly people at the desk, and close to the station. | 2024-01-02
    `),
  },
  {
    type: 'forum thread',
    html: page(
      'Best glue for wood?',
      `<h1>Best glue for wood?</h1><div id="posts">${[
        ['oakfan', 'Mar 4, 2024 at 9:12 AM', 'Which glue holds oak best outdoors?', '#1', '3'],
        ['joiner7', 'Mar 4, 2024 at 11:40 AM', 'I use epoxy, it survives rain and frost.', '#2', '12'],
        ['mel', 'Mar 5, 2024 at 8:05 AM', 'Polyurethane works too and costs less.', '#3', '5'],
      ]
        .map(
          ([who, when, text, no, likes]) =>
            `<article class="message"><div class="message-user"><h4 class="message-name"><a class="username" href="/members/${who}">${who}</a></h4>
      <h5 class="userTitle">Member</h5></div><div class="message-main"><header><ul><li><a href="/p/${no?.slice(1)}"><time>${when}</time></a></li>
      <li><a href="/p/${no?.slice(1)}">${no}</a></li></ul></header><div class="message-body"><div class="bbWrapper">${text}</div></div>
      <footer><a href="/like">Like</a> <span>${likes} likes</span></footer></div></article>`,
        )
        .join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      author | date:date | body | likes:integer
      oakfan | 2024-03-04 | Which glue holds oak best outdoors? | 3
      joiner7 | 2024-03-04 | I use epoxy, it survives rain and frost. | 12
      mel | 2024-03-05 | Polyurethane works too and costs less. | 5
    `),
  },
  {
    type: 'hotel list',
    html: page(
      'Hotels in Porto',
      `<h1>Porto: 3 properties found</h1>${[
        ['Casa Azul', 'Ribeira, Porto', '8.7', '1,204', '€ 96', '€ 120', 'Free cancellation'],
        ['Foz Inn', 'Foz do Douro, Porto', '7.9', '310', '€ 71', '', 'Breakfast included'],
        ['Torre Hotel', 'Baixa, Porto', '9.2', '2,871', '€ 154', '€ 180', 'Free cancellation'],
      ]
        .map(
          ([name, place, score, reviews, price, old, perk]) =>
            `<div data-testid="property-card"><a href="/hotel/${name?.split(' ')[0]}"><img src="/i/${name?.split(' ')[0]}.jpg" alt=""></a>
      <div><h3><a href="/hotel/${name?.split(' ')[0]}"><div data-testid="title">${name}</div></a></h3>
      <a href="/map"><span data-testid="address">${place}</span> <span>Show on map</span></a>
      <div data-testid="review-score"><div aria-label="Scored ${score}">${score}</div><div><div>Very good</div><div>${reviews} reviews</div></div></div>
      <div class="perk">${perk}</div></div><div class="pay"><div>1 night, 2 adults</div>${old === '' ? '' : `<del>${old}</del>`}
      <span data-testid="price-and-discounted-price">${price}</span><div>+€ 6 taxes and charges</div></div></div>`,
        )
        .join('')}`,
    ),
    multiple: true,
    ...records(`
      name | address | review_score:number | review_count:integer | price:number | link:url
      Casa Azul | Ribeira, Porto | 8.7 | 1204 | 96 | /hotel/Casa
      Foz Inn | Foz do Douro, Porto | 7.9 | 310 | 71 | /hotel/Foz
      Torre Hotel | Baixa, Porto | 9.2 | 2871 | 154 | /hotel/Torre
    `),
  },
  {
    type: 'library catalogue',
    html: page(
      'Search results',
      `<h1>Results 1 - 3 of 3</h1><ol class="results">${[
        ['The Salt Path', 'Winn, Raynor', '2018', 'Book', 'Available', 'Main library 796.51 WIN'],
        [
          'Salt: a world history',
          'Kurlansky, Mark',
          '2002',
          'Book',
          'Checked out',
          'North branch 553.63 KUR',
        ],
        ['Salt fat acid heat', 'Nosrat, Samin', '2017', 'eBook', 'Available', 'Online'],
      ]
        .map(
          ([title, who, year, format, state, shelf], i) =>
            `<li><input type="checkbox" aria-label="Select"><div class="title"><a href="/rec/${i}">${title}</a></div><div>by <a href="/a/${i}">${who}</a></div>
      <div>Published: ${year}</div><div><strong>Format:</strong> ${format}</div><div>Call number: ${shelf}</div>
      <div class="avail">Availability: <span>${state}</span></div></li>`,
        )
        .join('')}</ol>`,
    ),
    multiple: true,
    ...records(`
      title | author | publication_year:integer | format | call_number | availability | isbn
      The Salt Path | Winn, Raynor | 2018 | Book | Main library 796.51 WIN | Available |
      Salt: a world history | Kurlansky, Mark | 2002 | Book | North branch 553.63 KUR | Checked out |
      Salt fat acid heat | Nosrat, Samin | 2017 | eBook | Online | Available |
    `),
  },
  {
    type: 'playlist',
    html: page(
      'Night drive',
      `<h1>Night drive</h1><p>3 songs, 11 min</p><div role="grid">${[
        ['Low Tide', 'The Harbours', 'Northern Light', '3:41'],
        ['Glass', 'Ada Veil', 'Panes', '4:02'],
        ['Slow Train', 'Mono Lake', 'Rails', '3:17'],
      ]
        .map(
          ([track, artist, album, length], i) =>
            `<div role="row"><div role="gridcell">${i + 1}</div><div role="gridcell"><a class="track" href="/track/${i}">${track}</a><span><a href="/artist/${i}">${artist}</a></span></div>
      <div role="gridcell"><a href="/album/${i}">${album}</a></div><div role="gridcell"><span class="duration">${length}</span></div></div>`,
        )
        .join('')}</div>`,
    ),
    multiple: true,
    ...records(`
      track | artist | album | duration
      Low Tide | The Harbours | Northern Light | 3:41
      Glass | Ada Veil | Panes | 4:02
      Slow Train | Mono Lake | Rails | 3:17
    `),
  },
  {
    type: 'price comparison',
    html: page(
      'Kettle K2: compare prices',
      `<h1>Kettle K2</h1><ul class="offers">${[
        ['ShopOne', '31.90', 'Free delivery', 'In stock'],
        ['Kitchenland', '29.50', '+ £4.95 delivery', 'Out of stock'],
        ['Brewers', '33.00', '+ £1.00 delivery', 'In stock'],
      ]
        .map(
          ([shop, price, delivery, stock]) =>
            `<li class="offer"><span class="offer-merchant"><img src="/m/${shop}.png" alt="${shop}"></span><span class="offer-price">£${price}</span>
      <span class="offer-delivery">${delivery}</span><span class="offer-stock">${stock}</span><a rel="nofollow" href="/go/${shop}">Go to shop</a></li>`,
        )
        .join('')}</ul>`,
    ),
    multiple: true,
    ...records(`
      price:number | delivery_cost:number | in_stock:boolean | url:url
      31.9 | 0 | true | /go/ShopOne
      29.5 | 4.95 | false | /go/Kitchenland
      33 | 1 | true | /go/Brewers
    `),
  },
  {
    type: 'sports results',
    html: page(
      'Results',
      `<h1>Results</h1><h2>Saturday 6 April 2024</h2><ul>${[
        ['Rovers', '2', '1', 'United', 'FT'],
        ['Albion', '0', '0', 'City', 'FT'],
        ['Wanderers', '3', '4', 'Athletic', 'AET'],
      ]
        .map(
          ([home, a, b, away, state]) =>
            `<li class="match"><span class="team team--home"><abbr title="${home} FC">${home}</abbr></span> <span class="score score--home">${a}</span>
      <span class="score score--away">${b}</span> <span class="team team--away"><abbr title="${away} FC">${away}</abbr></span> <span class="status">${state}</span></li>`,
        )
        .join('')}</ul>`,
    ),
    multiple: true,
    ...records(`
      home_team | away_team | home_score:integer | away_score:integer | status
      Rovers | United | 2 | 1 | FT
      Albion | City | 0 | 0 | FT
      Wanderers | Athletic | 3 | 4 | AET
    `),
  },
  {
    type: 'business directory',
    html: page(
      'Plumbers',
      `<h1>Plumbers in Leeds</h1>${[
        ['1', 'Ace Pipes', '12 Mill St, Leeds', '0113 496 0011', 'ace@pipes.example', '4.5'],
        ['2', 'Drip Stop', '4 Low Rd, Leeds', '0113 496 0022', '', '3.9'],
        ['3', 'Bath & Boiler', '77 Park Ln, Leeds', '0113 496 0033', 'hi@bb.example', '4.8'],
      ]
        .map(
          ([n, name, address, phone, mail, stars]) =>
            `<div class="result"><div class="v-card"><h2 class="n">${n}. <a class="business-name" href="/b/${n}">${name}</a></h2>
      <div class="ratings"><span aria-label="${stars} out of 5 stars"></span><span class="count">(${Number(n) * 11})</span></div>
      <div class="phones phone primary"><a href="tel:${phone?.replaceAll(' ', '')}">Call</a> ${phone}</div><div class="adr">${address}</div>
      <div class="links"><a class="track-visit-website" href="https://shop${n}.example/">Website</a> ${mail === '' ? '' : `<a href="mailto:${mail}">Email</a>`}</div></div></div>`,
        )
        .join('')}`,
    ),
    multiple: true,
    ...records(`
      business_name | phone | address | email:email | website:url | rating:number
      Ace Pipes | 0113 496 0011 | 12 Mill St, Leeds | ace@pipes.example | https://shop1.example/ | 4.5
      Drip Stop | 0113 496 0022 | 4 Low Rd, Leeds |  | https://shop2.example/ | 3.9
      Bath & Boiler | 0113 496 0033 | 77 Park Ln, Leeds | hi@bb.example | https://shop3.example/ | 4.8
    `),
  },
];
