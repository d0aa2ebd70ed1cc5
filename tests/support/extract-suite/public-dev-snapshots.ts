import { records } from './case.ts';
import { page, SNAPSHOTS, wrapper, type PublicCase } from './public-case.ts';

/** Pages that were saved as browsers showed them. Development set. */
export const PUBLIC_DEV_SNAPSHOTS: readonly PublicCase[] = [
  {
    ...SNAPSHOTS,
    type: 'events of a ticket site',
    path: page('2913'),
    multiple: true,
    ...wrapper(`
      [class*="event_card_list"] > li, ul > li:has(section.discover-vertical-event-card)
      event_name = .event-card-details h3
      event_url:url = .event-card-details a.event-card-link@href
      price:number = [class*="priceWrapper"] p
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'trails of an area',
    // The page has a second list, of routes.
    scope: 'tr.trail-row',
    path: page('4629'),
    multiple: true,
    ...wrapper(`
      tr.trail-row
      name = td a strong
      difficulty = td.hidden-sm-down .difficulty-text
      length_miles:number = .imperial
      url:url = td a@href
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'hub of a news agency',
    path: page('2965'),
    multiple: true,
    scope: '.PageList-items-item .PagePromo, .PageListStandardD .PagePromo, .PageListStandardE .PagePromo',
    ...wrapper(`
      .PageList-items-item .PagePromo, .PageListStandardD .PagePromo, .PageListStandardE .PagePromo
      headline = .PagePromo-title
      url:url = .PagePromo-title a@href
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'dress in many currencies',
    path: page('0600'),
    multiple: false,
    ...records(`
      name | price:number | sold_by
      Iris Rust Hemp Dress | 132.34 | Poetry in Stitches
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'posts of a support forum',
    path: page('0548'),
    multiple: true,
    ...wrapper(`
      article.cPost
      author = aside h3
      date:date = time@datetime
      body = .cPost_contentWrap .ipsType_richText
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'tool with specifications',
    path: page('2982'),
    multiple: false,
    ...records(`
      name | price:number | rating:number | review_count:integer | condition | material | part_number
      Jimmy | 7.95 | 4.9 | 358 | New | 301 Stainless Steel | IF145-259-1
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'homes for sale on a map',
    path: page('1572'),
    multiple: true,
    ...wrapper(`
      .HomeCardContainer:has(.bp-Homecard__Content)
      price:number = .bp-Homecard__Price--value
      beds:integer = .bp-Homecard__Stats--beds
      baths:number = .bp-Homecard__Stats--baths
      sqft:integer = .bp-Homecard__LockedStat--value
      address = .bp-Homecard__Address
      url:url = a.bp-Homecard__Address@href
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'reduced hair dryer',
    path: page('0595'),
    multiple: false,
    ...records(`
      name | price:number | original_price:number
      Karmin G3 Pro Hair Dryer | 101.97 | 169.95
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'product tiles of hashed classes',
    path: page('2951'),
    multiple: true,
    ...wrapper(
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
  },
  {
    ...SNAPSHOTS,
    type: 'silver buckle',
    path: page('0598'),
    multiple: false,
    ...records(`
      name | price:number | sku
      Engraved Silver Fashion Belt Buckle | 335 | TXSB06
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'repositories of a topic',
    path: page('2910'),
    multiple: true,
    ...wrapper(`
      article.border:has(h3)
      name = h3 a.text-bold
      url:url = h3 a.text-bold@href
      description = .color-bg-default p.color-fg-muted
      topics:list = a.topic-tag*
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'furniture tiles',
    path: page('2925'),
    multiple: true,
    ...wrapper(
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
  },
  {
    ...SNAPSHOTS,
    type: 'directory of podcasts',
    path: page('4378'),
    multiple: true,
    ...wrapper(`
      .card.sticky-action
      title = .card-content .card-title
      url:url = .card-image a@href
      description = .card-reveal p
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'spare parts in utility classes',
    // The page has a second list of the same parts, for narrow windows.
    scope: 'article.group:has(p.line-clamp-3)',
    path: page('0652'),
    multiple: true,
    ...wrapper(
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
  },
  {
    ...SNAPSHOTS,
    type: 'chart of films',
    path: page('2906'),
    multiple: true,
    ...wrapper(`
      li.ipc-metadata-list-summary-item
      rank:integer = .ipc-signpost__text
      title = h3.ipc-title__text
      year:integer = .cli-title-metadata > span
      rating:number = .ipc-rating-star--rating
      url:url = a.ipc-title-link-wrapper@href
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'posts of a bulletin board',
    path: page('0536'),
    multiple: true,
    ...wrapper(`
      div.post.has-profile
      author = .postprofile [class^="username"]
      posted_at:date = p.author time@datetime
      title = h3 a
      text = .content
      post_count:integer = .profile-posts a
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'posts of a science forum',
    path: page('0516'),
    multiple: true,
    ...wrapper(`
      article.message
      username = .message-name
      date:date = time.u-dt@datetime
      message = .bbWrapper
    `),
  },
];
