import { records } from './case.ts';
import { publicPage, snapshot, wrapper, type PublicCase } from './public-case.ts';

/** Pages of the development set. */
export const PUBLIC_DEV_SNAPSHOTS: readonly PublicCase[] = [
  publicPage(
    'bottles of a brewery',
    snapshot('dev/0597'),
    wrapper(`
      .product-card:has(.product-card-price-holder)
      name = h5
      price:number = .product-card-price-holder
      product_url:url = .product-card-img-holder a@href
    `),
  ),
  publicPage(
    'locks of a maker',
    snapshot('dev/4119'),
    wrapper(`
      #searchResult .product-card
      model = h4
      name = .product-card-name
      price:number = .product-card-price
      url:url = a@href
    `),
  ),
  publicPage(
    'news with their sources',
    snapshot('dev/0082'),
    wrapper(`
      ul.list-papers > li
      headline = h4 a
      url:url = h4 a@href
      date:date = time@datetime
      source = .views-field-field-article-date em a
    `),
  ),
  publicPage(
    'articles of a trade site',
    snapshot('dev/0259'),
    wrapper(`
      article.list-item
      title = h1.title a
      url:url = h1.title a@href
      type = .type a
      summary = .list-details > p
    `),
  ),
  publicPage(
    'feed of a community of developers',
    snapshot('dev/3014'),
    wrapper(
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
  ),
  publicPage(
    'espresso machines',
    snapshot('dev/4818'),
    wrapper(
      `
      #search-result-items .product-tile
      name = .product-name a
      price:number = .product-price
      url:url = .product-name a@href
      review_count:integer = .TTreviewcount
    `,
      { review_count: '\\((\\d+)\\)' },
    ),
  ),
  publicPage(
    'shelves of a furniture shop',
    snapshot('dev/0647'),
    wrapper(
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
  ),
  publicPage(
    'project mat',
    snapshot('dev/3022'),
    records(`
      name | price:number | rating:number | review_count:integer
      Magnetic Project Mat | 19.95 | 4.9 | 1316
    `),
  ),
  publicPage(
    'case with a number of its maker',
    snapshot('dev/3039'),
    records(`
      name | price:number
      Portman Lights P1 Retro Or EVO - 4 Units Roadcase | 1772
    `),
  ),
  publicPage(
    'sofa',
    snapshot('dev/0605'),
    records(`
      name | sku | price:number
      Atelier Sofa | 345808 | 4345
    `),
  ),
  publicPage(
    'seeds in several sizes',
    snapshot('dev/0592'),
    records(`
      product_name | price_from:number
      Organic EU Sunflower Seeds | 2.98
    `),
  ),
  publicPage(
    'posts of a board in tables',
    snapshot('dev/0525'),
    wrapper(
      `
      table[id^="post2"]
      author = .bigusername
      posted_at:date = td.thead
      post_number:integer = td.thead strong
      join_date = td.alt2
    `,
      { posted_at: '^(.*), ', join_date: 'Join Date: (\\w+ \\d{4})' },
    ),
  ),
  publicPage(
    'categories with counts',
    snapshot('dev/4509'),
    wrapper(
      `
      li.product-category
      category = h2
      product_count:integer = mark
      category_url:url = a@href
    `,
      { category: '^(.*?)\\s*\\(', product_count: '\\((\\d+)\\)' },
    ),
  ),
  publicPage(
    'events of a ticket site',
    snapshot('dev/2913'),
    wrapper(`
      [class*="event_card_list"] > li, ul > li:has(section.discover-vertical-event-card)
      event_name = .event-card-details h3
      event_url:url = .event-card-details a.event-card-link@href
      price:number = [class*="priceWrapper"] p
    `),
  ),
  publicPage(
    'trails of an area',
    snapshot('dev/4629'),
    wrapper(`
      tr.trail-row
      name = td a strong
      difficulty = td.hidden-sm-down .difficulty-text
      length_miles:number = .imperial
      url:url = td a@href
    `),
    { scope: 'tr.trail-row' },
  ),
  publicPage(
    'hub of a news agency',
    snapshot('dev/2965'),
    wrapper(`
      .PageList-items-item .PagePromo, .PageListStandardD .PagePromo, .PageListStandardE .PagePromo
      headline = .PagePromo-title
      url:url = .PagePromo-title a@href
    `),
    {
      scope: '.PageList-items-item .PagePromo, .PageListStandardD .PagePromo, .PageListStandardE .PagePromo',
    },
  ),
  publicPage(
    'dress in many currencies',
    snapshot('dev/0600'),
    records(`
      name | price:number | sold_by
      Iris Rust Hemp Dress | 132.34 | Poetry in Stitches
    `),
  ),
  publicPage(
    'posts of a support forum',
    snapshot('dev/0548'),
    wrapper(`
      article.cPost
      author = aside h3
      date:date = time@datetime
      body = .cPost_contentWrap .ipsType_richText
    `),
  ),
  publicPage(
    'tool with specifications',
    snapshot('dev/2982'),
    records(`
      name | price:number | rating:number | review_count:integer | condition | material | part_number
      Jimmy | 7.95 | 4.9 | 358 | New | 301 Stainless Steel | IF145-259-1
    `),
  ),
  publicPage(
    'homes for sale on a map',
    snapshot('dev/1572'),
    wrapper(`
      .HomeCardContainer:has(.bp-Homecard__Content)
      price:number = .bp-Homecard__Price--value
      beds:integer = .bp-Homecard__Stats--beds
      baths:number = .bp-Homecard__Stats--baths
      sqft:integer = .bp-Homecard__LockedStat--value
      address = .bp-Homecard__Address
      url:url = a.bp-Homecard__Address@href
    `),
  ),
  publicPage(
    'reduced hair dryer',
    snapshot('dev/0595'),
    records(`
      name | price:number | original_price:number
      Karmin G3 Pro Hair Dryer | 101.97 | 169.95
    `),
  ),
  publicPage(
    'product tiles of hashed classes',
    snapshot('dev/2951'),
    wrapper(
      `
      li.VcGDfKKy_dvNbxUqm29K
      brand = .nL0nEPe34KFncpRNS29I
      name = .Xpx0MUGhB7jSm5UvK2EY
      url:url = a.tS6GbfEJ9cTyCftpIpEO@href
      rating:number = .cdr-rating__caption-sr_15-1-0
      review_count:integer = .cdr-rating__caption-sr_15-1-0
    `,
      { rating: 'rating of ([\\d.]+)', review_count: '^(\\d+) review' },
    ),
  ),
  publicPage(
    'silver buckle',
    snapshot('dev/0598'),
    records(`
      name | price:number | sku
      Engraved Silver Fashion Belt Buckle | 335 | TXSB06
    `),
  ),
  publicPage(
    'repositories of a topic',
    snapshot('dev/2910'),
    wrapper(`
      article.border:has(h3)
      name = h3 a.text-bold
      url:url = h3 a.text-bold@href
      description = .color-bg-default p.color-fg-muted
      topics:list = a.topic-tag*
    `),
  ),
  publicPage(
    'furniture tiles',
    snapshot('dev/2925'),
    wrapper(
      `
      .plp-mastercard
      name = .plp-price-module__product-name
      description = .plp-price-module__information .plp-typography-label-m
      price:number = .plp-price-module__primary-currency-price .plp-price__sr-text
      rating:number = .plp-rating__stars@aria-label
      review_count:integer = .plp-price-module__rating-label-count
      url:url = a.plp-price-link-wrapper@href
    `,
      { price: '([\\d.,]+)\\s*$', rating: '([\\d.]+) out', review_count: '(\\d+)' },
    ),
  ),
  publicPage(
    'directory of podcasts',
    snapshot('dev/4378'),
    wrapper(`
      .card.sticky-action
      title = .card-content .card-title
      url:url = .card-image a@href
      description = .card-reveal p
    `),
  ),
  publicPage(
    'spare parts in utility classes',
    snapshot('dev/0652'),
    wrapper(
      `
      article.group:has(p.line-clamp-3)
      name = h3
      description = p.line-clamp-3
      price:number = [data-testid="price"]
      rating:number = [data-testid="reviewStars"] [role="img"]@aria-label
      review_count:integer = [data-testid="reviewStars"] > span
      url:url = a[href*="/products/"]@href
    `,
      { rating: '([\\d.]+) out', review_count: '([\\d,]+)$' },
    ),
    { scope: 'article.group:has(p.line-clamp-3)' },
  ),
  publicPage(
    'chart of films',
    snapshot('dev/2906'),
    wrapper(`
      li.ipc-metadata-list-summary-item
      rank:integer = .ipc-signpost__text
      title = h3.ipc-title__text
      year:integer = .cli-title-metadata > span
      rating:number = .ipc-rating-star--rating
      url:url = a.ipc-title-link-wrapper@href
    `),
  ),
  publicPage(
    'posts of a bulletin board',
    snapshot('dev/0536'),
    wrapper(`
      div.post.has-profile
      author = .postprofile [class^="username"]
      posted_at:date = p.author time@datetime
      title = h3 a
      text = .content
      post_count:integer = .profile-posts a
    `),
  ),
  publicPage(
    'posts of a science forum',
    snapshot('dev/0516'),
    wrapper(`
      article.message
      username = .message-name
      date:date = time.u-dt@datetime
      message = .bbWrapper
    `),
  ),
];
