import { at, records } from './case.ts';
import { page, SNAPSHOTS, wrapper, type PublicCase } from './public-case.ts';

/** Snapshots that were drawn at random. Held out until they were scored twice; pages of development since. */
export const PUBLIC_BLIND: readonly PublicCase[] = [
  {
    ...SNAPSHOTS,
    type: 'bottles of a brewery',
    path: page('0597'),
    multiple: true,
    ...wrapper(`
      .product-card:has(.product-card-price-holder)
      name = h5
      price:number = .product-card-price-holder
      product_url:url = .product-card-img-holder a@href
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'locks of a maker',
    path: page('4119'),
    multiple: true,
    ...wrapper(`
      #searchResult .product-card
      model = h4
      name = .product-card-name
      price:number = .product-card-price
      url:url = a@href
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'news with their sources',
    path: page('0082'),
    multiple: true,
    ...wrapper(`
      ul.list-papers > li
      headline = h4 a
      url:url = h4 a@href
      date:date = time@datetime
      source = .views-field-field-article-date em a
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'articles of a trade site',
    path: page('0259'),
    multiple: true,
    ...wrapper(`
      article.list-item
      title = h1.title a
      url:url = h1.title a@href
      type = .type a
      summary = .list-details > p
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'feed of a community of developers',
    path: page('3014'),
    multiple: true,
    ...wrapper(
      `
      .crayons-story:has(.crayons-story__title)
      title = .crayons-story__title a
      url:url = .crayons-story__title a@href
      author = .crayons-story__meta .crayons-story__secondary
      published_date:date = time@datetime
      reactions:integer = .aggregate_reactions_counter
      reading_time = .crayons-story__save small
    `,
      { reactions: '(\\d+)' },
    ),
  },
  {
    ...SNAPSHOTS,
    type: 'espresso machines',
    path: page('4818'),
    multiple: true,
    ...wrapper(
      `
      #search-result-items .product-tile
      name = .product-name a
      price:number = .product-price
      url:url = .product-name a@href
      review_count:integer = .TTreviewcount
    `,
      { review_count: '\\((\\d+)\\)' },
    ),
  },
  {
    ...SNAPSHOTS,
    type: 'shelves of a furniture shop',
    path: page('0647'),
    multiple: true,
    ...wrapper(
      `
      .plp-mastercard
      name = .plp-price-module__product-name
      price:number = .plp-price__sr-text
      rating:number = .plp-rating__stars@aria-label
      review_count:integer = .plp-price-module__rating-label-count
      url:url = a@href
    `,
      {
        price: '\\$\\s*([\\d.,]+)',
        rating: 'Review: ([\\d.]+)',
        review_count: '\\((\\d+)\\)',
      },
    ),
  },
  {
    ...SNAPSHOTS,
    type: 'project mat',
    path: page('3022'),
    multiple: false,
    ...records(`
      name | price:number | rating:number | review_count:integer
      Magnetic Project Mat | 19.95 | 4.9 | 1316
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'case with a number of its maker',
    path: page('3039'),
    multiple: false,
    ...records(`
      name | price:number
      Portman Lights P1 Retro Or EVO - 4 Units Roadcase | 1772
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'sofa',
    path: page('0605'),
    multiple: false,
    ...records(`
      name | sku | price:number
      Atelier Sofa | 345808 | 4345
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'seeds in several sizes',
    path: page('0592'),
    multiple: false,
    ...records(`
      product_name | price_from:number
      Organic EU Sunflower Seeds | 2.98
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'posts of a board in tables',
    path: page('0525'),
    multiple: true,
    ...wrapper(
      `
      table[id^="post2"]
      author = .bigusername
      posted_at:date = td.thead
      post_number:integer = td.thead strong
      join_date = td.alt2
    `,
      { posted_at: '^(.*), ', join_date: 'Join Date: (\\w+ \\d{4})' },
    ),
  },
  {
    ...SNAPSHOTS,
    type: 'categories with counts',
    path: page('4509'),
    multiple: true,
    ...wrapper(
      `
      li.product-category
      category = h2
      product_count:integer = mark
      category_url:url = a@href
    `,
      { category: '^(.*?)\\s*\\(', product_count: '\\((\\d+)\\)' },
    ),
  },
];
