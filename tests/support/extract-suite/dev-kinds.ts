import { at, DATE_FIELD, EMAIL_FIELD, page, URL_FIELD, type SuiteCase } from './case.ts';

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
    fields: {
      ticket_id: 'string',
      subject: 'string',
      url: URL_FIELD,
      status: 'string',
      priority: 'string',
      requester: 'string',
      created_at: DATE_FIELD,
    },
    multiple: true,
    gold: [
      {
        ticket_id: '#4410',
        subject: 'Cannot print labels',
        url: at('/t/4410'),
        status: 'Open',
        priority: 'High',
        requester: 'Ines Roth',
        created_at: '2024-05-02',
      },
      {
        ticket_id: '#4409',
        subject: 'Refund is missing',
        url: at('/t/4409'),
        status: 'Pending',
        priority: 'Low',
        requester: 'Tom Beck',
        created_at: '2024-05-01',
      },
      {
        ticket_id: '#4402',
        subject: 'Change of address',
        url: at('/t/4402'),
        status: 'Solved',
        priority: 'Normal',
        requester: 'Li Na',
        created_at: '2024-04-28',
      },
    ],
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
    fields: { name: 'string', score: 'number', review_text: 'string', date: DATE_FIELD },
    multiple: true,
    gold: [
      {
        name: 'Anna',
        score: 9,
        review_text: 'Lovely place, quiet and clean. We will come back.',
        date: '2024-03-03',
      },
      {
        name: 'Peter',
        score: 6.5,
        review_text: 'The room was small, but the breakfast was very good.',
        date: '2024-02-11',
      },
      {
        name: 'Mio',
        score: 8,
        review_text: 'Friendly people at the desk, and close to the station.',
        date: '2024-01-02',
      },
    ],
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
    fields: { author: 'string', date: DATE_FIELD, body: 'string', likes: 'integer' },
    multiple: true,
    gold: [
      { author: 'oakfan', date: '2024-03-04', body: 'Which glue holds oak best outdoors?', likes: 3 },
      { author: 'joiner7', date: '2024-03-04', body: 'I use epoxy, it survives rain and frost.', likes: 12 },
      { author: 'mel', date: '2024-03-05', body: 'Polyurethane works too and costs less.', likes: 5 },
    ],
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
    fields: {
      name: 'string',
      address: 'string',
      review_score: 'number',
      review_count: 'integer',
      price: 'number',
      link: URL_FIELD,
    },
    multiple: true,
    gold: [
      {
        name: 'Casa Azul',
        address: 'Ribeira, Porto',
        review_score: 8.7,
        review_count: 1204,
        price: 96,
        link: at('/hotel/Casa'),
      },
      {
        name: 'Foz Inn',
        address: 'Foz do Douro, Porto',
        review_score: 7.9,
        review_count: 310,
        price: 71,
        link: at('/hotel/Foz'),
      },
      {
        name: 'Torre Hotel',
        address: 'Baixa, Porto',
        review_score: 9.2,
        review_count: 2871,
        price: 154,
        link: at('/hotel/Torre'),
      },
    ],
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
    fields: {
      title: 'string',
      author: 'string',
      publication_year: 'integer',
      format: 'string',
      call_number: 'string',
      availability: 'string',
      isbn: 'string',
    },
    multiple: true,
    gold: [
      {
        title: 'The Salt Path',
        author: 'Winn, Raynor',
        publication_year: 2018,
        format: 'Book',
        call_number: 'Main library 796.51 WIN',
        availability: 'Available',
      },
      {
        title: 'Salt: a world history',
        author: 'Kurlansky, Mark',
        publication_year: 2002,
        format: 'Book',
        call_number: 'North branch 553.63 KUR',
        availability: 'Checked out',
      },
      {
        title: 'Salt fat acid heat',
        author: 'Nosrat, Samin',
        publication_year: 2017,
        format: 'eBook',
        call_number: 'Online',
        availability: 'Available',
      },
    ],
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
    fields: { track: 'string', artist: 'string', album: 'string', duration: 'string' },
    multiple: true,
    gold: [
      { track: 'Low Tide', artist: 'The Harbours', album: 'Northern Light', duration: '3:41' },
      { track: 'Glass', artist: 'Ada Veil', album: 'Panes', duration: '4:02' },
      { track: 'Slow Train', artist: 'Mono Lake', album: 'Rails', duration: '3:17' },
    ],
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
    fields: { price: 'number', delivery_cost: 'number', in_stock: 'boolean', url: URL_FIELD },
    multiple: true,
    gold: [
      { price: 31.9, delivery_cost: 0, in_stock: true, url: at('/go/ShopOne') },
      { price: 29.5, delivery_cost: 4.95, in_stock: false, url: at('/go/Kitchenland') },
      { price: 33, delivery_cost: 1, in_stock: true, url: at('/go/Brewers') },
    ],
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
    fields: {
      home_team: 'string',
      away_team: 'string',
      home_score: 'integer',
      away_score: 'integer',
      status: 'string',
    },
    multiple: true,
    gold: [
      { home_team: 'Rovers', away_team: 'United', home_score: 2, away_score: 1, status: 'FT' },
      { home_team: 'Albion', away_team: 'City', home_score: 0, away_score: 0, status: 'FT' },
      { home_team: 'Wanderers', away_team: 'Athletic', home_score: 3, away_score: 4, status: 'AET' },
    ],
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
    fields: {
      business_name: 'string',
      phone: 'string',
      address: 'string',
      email: EMAIL_FIELD,
      website: URL_FIELD,
      rating: 'number',
    },
    multiple: true,
    gold: [
      {
        business_name: 'Ace Pipes',
        phone: '0113 496 0011',
        address: '12 Mill St, Leeds',
        email: 'ace@pipes.example',
        website: 'https://shop1.example/',
        rating: 4.5,
      },
      {
        business_name: 'Drip Stop',
        phone: '0113 496 0022',
        address: '4 Low Rd, Leeds',
        website: 'https://shop2.example/',
        rating: 3.9,
      },
      {
        business_name: 'Bath & Boiler',
        phone: '0113 496 0033',
        address: '77 Park Ln, Leeds',
        email: 'hi@bb.example',
        website: 'https://shop3.example/',
        rating: 4.8,
      },
    ],
  },
];
