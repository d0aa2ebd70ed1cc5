import { records } from './case.ts';
import { page, SNAPSHOTS, wrapper, type PublicCase } from './public-case.ts';

/** Pages that were saved as browsers showed them. Held out: no rule is written for them. */
export const PUBLIC_FRESH: readonly PublicCase[] = [
  {
    ...SNAPSHOTS,
    type: 'questions of a course site',
    path: page('0132'),
    multiple: true,
    ...wrapper(`
      .in-page-faq
      question = .faq__question
      answer = .faq__answer
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'listing of an auction site',
    path: page('2888'),
    multiple: false,
    ...records(`
      price:number | condition | shipping:number | located_in
      18 | Used | 15.47 | Belvidere, IL, United States
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'sold out keyboard',
    path: page('4169'),
    multiple: false,
    ...records(`
      name | price:number | color | in_stock:boolean
      Keychron K2 HE 75% Wireless Mechanical Keyboard | 139.99 | Black | false
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'guitar with facts in a list',
    path: page('2947'),
    multiple: false,
    ...records(`
      name | rating:number | review_count:integer | item_number | available_since | colour
      Fender Player II Strat RW BCG | 4.7 | 10 | 595247 | July 2024 | Birch Green
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'short reviews of a shop',
    path: page('0642'),
    multiple: true,
    ...wrapper(`
      .category-review-card
      review_title = .category-review-card_title
      review_text = .category-review-card_review
      reviewer = .category-review-card_author
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'monitor arms',
    path: page('4035'),
    multiple: true,
    ...wrapper(
      `
      .product-item
      name = .details .title
      price:number = .original-price
      url:url = a@href
      screen_size = .price-container
    `,
      { price: '\\$([\\d.,]+)', screen_size: 'Screen Size: (Up to [\\d.]+")' },
    ),
  },
  {
    ...SNAPSHOTS,
    type: 'wallets of a shop',
    path: page('0635'),
    multiple: true,
    ...wrapper(`
      .product-list-item:has(.product-list-item-title)
      title = .product-list-item-title
      price:number = .product-list-item-price
      url:url = a.product-list-item-link@href
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'rental with ratings',
    path: page('4200'),
    multiple: false,
    ...records(`
      name | price:number | rating:number | review_count:integer
      Osprey Atmos AG 65 Backpack Rental | 39 | 4.8 | 5
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'remote job board',
    path: page('4354'),
    multiple: true,
    ...wrapper(`
      li.new-listing-container:has(a.listing-link--unlocked)
      job_title = .new-listing__header__title__text
      company = .new-listing__company-name
      location = .new-listing__company-headquarters
      job_url:url = a.listing-link--unlocked@href
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'list of books by votes',
    path: page('2908'),
    multiple: true,
    ...wrapper(
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
  },
  {
    ...SNAPSHOTS,
    type: 'desk of a theme shop',
    path: page('4789'),
    multiple: false,
    ...records(`
      name | price:number | review_count:integer | color
      CHANGEdesk - Adjustable Height Standing Desk Conversion | 169.99 | 14 | Black
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'microphone with parts of a price',
    path: page('2894'),
    multiple: false,
    ...records(`
      price:number | item_id | review_count:integer | in_stock:boolean
      549 | SM7dB | 18 | true
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'index of a blog without cards',
    path: page('2900'),
    multiple: true,
    ...wrapper(`
      p.blogtitle:has(.date)
      title = a
      date:date = .date
      author = .author
      url:url = a@href
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'replies with generated classes',
    path: page('0577'),
    multiple: true,
    ...wrapper(`
      .thread-post:has([data-testid="username"])
      username = [data-testid="username"]
      profile_url:url = a[data-testid="username-link"]@href
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'backpack of a theme shop',
    path: page('4024'),
    multiple: false,
    ...records(`
      name | price:number
      Maelstrom 40L Hiking Backpack | 39.99
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'headphones with help between label and value',
    path: page('2990'),
    fields: {
      name: 'string',
      price: 'number',
      original_price: 'number',
      rating: 'number',
      review_count: 'integer',
      cup_style: 'string',
      driver_type: 'string',
    },
    multiple: false,
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
  },
  {
    ...SNAPSHOTS,
    type: 'courses with labels for screen readers',
    path: page('4343'),
    multiple: true,
    ...wrapper(`
      .views-row:has(h3.field__item)
      title = h3.field__item
      url:url = h3.field__item a@href
      price:number = [class*="extra-field-pr"] .field__item
      duration = [class*="extra-field-du"] .field__item
      subject = .topics--teaser a
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'new papers',
    path: page('2916'),
    multiple: true,
    ...wrapper(
      `
      dl#articles > dt
      title = + .list-title
      authors:list = + .list-authors a*
      arxiv_id = a[title="Abstract"]
      pdf_url:url = a[title="Download PDF"]@href
    `,
      { title: '^Title: (.*)$', arxiv_id: 'arXiv:(\\S+)' },
    ),
  },
];
