import { records } from './case.ts';
import { publicPage, snapshot, wrapper, type PublicCase } from './public-case.ts';

/** Pages of the development set. */
export const MORE_PUBLIC_DEV_SNAPSHOTS: readonly PublicCase[] = [
  publicPage(
    'questions of a course site',
    snapshot('dev/0132'),
    wrapper(`
      .in-page-faq
      question = .faq__question
      answer = .faq__answer
    `),
  ),
  publicPage(
    'listing of an auction site',
    snapshot('dev/2888'),
    records(`
      price:number | condition | shipping:number | located_in
      18 | Used | 15.47 | Belvidere, IL, United States
    `),
  ),
  publicPage(
    'sold out keyboard',
    snapshot('dev/4169'),
    records(`
      name | price:number | color | in_stock:boolean
      Keychron K2 HE 75% Wireless Mechanical Keyboard | 139.99 | Black | false
    `),
  ),
  publicPage(
    'guitar with facts in a list',
    snapshot('dev/2947'),
    records(`
      name | rating:number | review_count:integer | item_number | available_since | colour
      Fender Player II Strat RW BCG | 4.7 | 10 | 595247 | July 2024 | Birch Green
    `),
  ),
  publicPage(
    'short reviews of a shop',
    snapshot('dev/0642'),
    wrapper(`
      .category-review-card
      review_title = .category-review-card_title
      review_text = .category-review-card_review
      reviewer = .category-review-card_author
    `),
  ),
  publicPage(
    'monitor arms',
    snapshot('dev/4035'),
    wrapper(
      `
      .product-item
      name = .details .title
      price:number = .original-price
      url:url = a@href
      screen_size = .price-container
    `,
      { price: '\\$([\\d.,]+)', screen_size: 'Screen Size: (Up to [\\d.]+")' },
    ),
  ),
  publicPage(
    'wallets of a shop',
    snapshot('dev/0635'),
    wrapper(`
      .product-list-item:has(.product-list-item-title)
      title = .product-list-item-title
      price:number = .product-list-item-price
      url:url = a.product-list-item-link@href
    `),
  ),
  publicPage(
    'rental with ratings',
    snapshot('dev/4200'),
    records(`
      name | price:number | rating:number | review_count:integer
      Osprey Atmos AG 65 Backpack Rental | 39 | 4.8 | 5
    `),
  ),
  publicPage(
    'remote job board',
    snapshot('dev/4354'),
    wrapper(`
      li.new-listing-container:has(a.listing-link--unlocked)
      job_title = .new-listing__header__title__text
      company = .new-listing__company-name
      location = .new-listing__company-headquarters
      job_url:url = a.listing-link--unlocked@href
    `),
  ),
  publicPage(
    'list of books by votes',
    snapshot('dev/2908'),
    wrapper(
      `
      table.tableList tr
      rank:integer = td.number
      title = a.bookTitle
      author = a.authorName
      average_rating:number = .minirating
      ratings_count:integer = .minirating
      url:url = a.bookTitle@href
    `,
      { average_rating: '([\\d.]+) avg', ratings_count: '([\\d,]+) rating' },
    ),
  ),
  publicPage(
    'desk of a theme shop',
    snapshot('dev/4789'),
    records(`
      name | price:number | review_count:integer | color
      CHANGEdesk - Adjustable Height Standing Desk Conversion | 169.99 | 14 | Black
    `),
  ),
  publicPage(
    'microphone with parts of a price',
    snapshot('dev/2894'),
    records(`
      price:number | item_id | review_count:integer | in_stock:boolean
      549 | SM7dB | 18 | true
    `),
  ),
  publicPage(
    'index of a blog without cards',
    snapshot('dev/2900'),
    wrapper(`
      p.blogtitle:has(.date)
      title = a
      date:date = .date
      author = .author
      url:url = a@href
    `),
  ),
  publicPage(
    'replies with generated classes',
    snapshot('dev/0577'),
    wrapper(`
      .thread-post:has([data-testid="username"])
      username = [data-testid="username"]
      profile_url:url = a[data-testid="username-link"]@href
    `),
  ),
  publicPage(
    'backpack of a theme shop',
    snapshot('dev/4024'),
    records(`
      name | price:number
      Maelstrom 40L Hiking Backpack | 39.99
    `),
  ),
  publicPage('headphones with help between label and value', snapshot('dev/2990'), {
    fields: {
      name: 'string',
      price: 'number',
      original_price: 'number',
      rating: 'number',
      review_count: 'integer',
      cup_style: 'string',
      driver_type: 'string',
    },
    gold: [
      {
        name: 'Hifiman Sundara Headphones | 2020 Edition',
        price: 179,
        original_price: 299,
        rating: 4.6,
        review_count: 82,
        cup_style: 'Open-Back',
        driver_type: 'Planar Magnetic',
      },
    ],
  }),
  publicPage(
    'courses with labels for screen readers',
    snapshot('dev/4343'),
    wrapper(`
      .views-row:has(h3.field__item)
      title = h3.field__item
      url:url = h3.field__item a@href
      price:number = [class*="extra-field-pr"] .field__item
      duration = [class*="extra-field-du"] .field__item
      subject = .topics--teaser a
    `),
  ),
  publicPage(
    'new papers',
    snapshot('dev/2916'),
    wrapper(
      `
      dl#articles > dt
      title = + .list-title
      authors:list = + .list-authors a*
      arxiv_id = a[title="Abstract"]
      pdf_url:url = a[title="Download PDF"]@href
    `,
      { title: '^Title: (.*)$', arxiv_id: 'arXiv:(\\S+)' },
    ),
  ),
  publicPage(
    'garden accessories',
    snapshot('test/4360'),
    wrapper(`
      ol.products > li.product-item
      productName = .product-item-name a
      price:number = .price-box .price
      productUrl:url = .product-item-name a@href
    `),
  ),
  publicPage(
    'running shoes with generated class names',
    snapshot('test/4461'),
    wrapper(`
      div:has(> div > a > h2.product-card-name--9ffy7)
      product_name = .product-card-name--9ffy7
      product_url:url = a:has(.product-card-name--9ffy7)@href
    `),
  ),
  publicPage(
    'computer mice',
    snapshot('test/4061'),
    wrapper(`
      #productGrid .product-card
      name = .product-card-title
      price:number = .price
      link:url = a.product-card-link@href
    `),
  ),
  publicPage(
    'tutors with their fees',
    snapshot('test/4923'),
    wrapper(
      `
      a.tutor-card
      tutor_name = .tutor-name
      headline = .tutor-title
      rating:number = #rating-value
      review_count:integer = #total-ratings
      profile_url:url = @href
    `,
      { review_count: '([\\d,]+)' },
    ),
  ),
  publicPage(
    'threads of a forum',
    snapshot('test/5097'),
    wrapper(`
      .structItem--thread
      threadTitle = .structItem-title a:last-of-type
      threadUrl:url = .structItem-title a:last-of-type@href
      author = .structItem-parts .username
      startDate:date = .structItem-startDate time@datetime
      replies:integer = .structItem-cell--meta dd
    `),
  ),
  publicPage(
    'posts with a pane for the author',
    snapshot('test/5072'),
    wrapper(`
      article.cPost
      author_name = aside .cAuthorPane_author a
      posted_at:date = time@datetime
    `),
  ),
  publicPage(
    'replies that are two siblings each',
    snapshot('test/5151'),
    wrapper(`
      .bbp-body > .bbp-reply-header
      author = + .bbp-author-name
      posted:date = .bbp-reply-post-date
      permalink:url = .bbp-reply-permalink@href
    `),
  ),
  publicPage(
    'events of a city',
    snapshot('test/5341'),
    wrapper(`
      article.c-event-teaser
      event_name = .c-event-teaser__title a
      event_url:url = .c-event-teaser__title a@href
      location = .c-event-teaser__subtitle .field--name-field-place
    `),
  ),
  publicPage(
    'guides of a manual in a table',
    snapshot('test/5427'),
    wrapper(`
      table tbody tr
      contribution = td:first-child
      description = td:nth-child(2)
      guide_url:url = a@href
    `),
  ),
  publicPage(
    'mouse with a sale price',
    snapshot('test/4062'),
    records(`
      product_name | sale_price:number | rating:number | review_count:integer
      MX Vertical | 79.99 | 4.2 | 379
    `),
  ),
];
