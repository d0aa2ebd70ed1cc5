import { publicPage, snapshot, wrapper, type PublicCase } from './public-case.ts';

/** Drawn by a hash of their numbers. Held out: the selectors were written before a round of rules, and the pages were scored once before it and once after. */
export const PUBLIC_NEXT: readonly PublicCase[] = [
  publicPage(
    'watches of a shop',
    snapshot('test/4437'),
    wrapper(`
      .col-6:has(> .card .card-body a.text-body)
      product_name = .card-body a.text-body
      item_number = .text-uppercase:not(.badge)
      sale_price:number = .text-primary
      product_url:url = .card-body a.text-body@href
      rating:number
    `),
  ),
  publicPage(
    'concerts of an area',
    snapshot('test/5335'),
    wrapper(`
      li.event-listings-element
      eventName = .artists strong
      venue = .venue-link
      city = .city-name
      date:date = time@datetime
      price:number
    `),
  ),
  publicPage(
    'topics of an older board',
    snapshot('test/5134'),
    wrapper(`
      .main-item
      topic = h3.hn a
      topicUrl:url = h3.hn a@href
      author = .item-starter cite
      replies:integer = .info-replies strong
      views:integer = .info-views strong
      category
    `),
  ),
  publicPage(
    'internships in utility classes',
    snapshot('test/5302'),
    wrapper(`
      div.group.relative:has(h3)
      job_title = h3
      company = p.text-gray-600
      location = .line-clamp-1
      salary
      job_url:url = a.absolute@href
    `),
  ),
  publicPage(
    'comments of a discussion',
    snapshot('test/5104'),
    wrapper(`
      .CommentHeader
      username = .Username
      posted_at:date = time@datetime
      post_count:integer = .PostCount b
      permalink:url = a.Permalink@href
      likes:integer
    `),
  ),
  publicPage(
    'exhibitions of a museum',
    snapshot('test/5277'),
    wrapper(`
      li#carousel-card
      exhibitionTitle = h3
      location = .order-7 p, .flex.flex-col > p
      exhibitionUrl:url = h3 a@href
      ticketPrice:number
    `),
  ),
  publicPage(
    'bicycle lights, some reduced',
    snapshot('test/4410'),
    wrapper(`
      .product
      name = .pdp-link .link
      salePrice:number = .sales .value
      brand
      inStock:boolean
    `),
  ),
  publicPage(
    'posts of a photography blog',
    snapshot('test/5604'),
    wrapper(`
      .summary-item
      title = .summary-title-link
      publishedDate:date = time@datetime
      url:url = .summary-title-link@href
      commentCount:integer
    `),
  ),
  publicPage(
    'meetings of a transit board',
    { repository: 'City-Bureau/city-scrapers', licence: 'MIT', path: 'tests/files/chi_transit.html' },
    wrapper(`
      tr:has(> td[id*="tdMeetingName"])
      meetingName = td:nth-child(3)
      date:date = td:nth-child(1)
      location = td:nth-child(4)
      chairperson
    `),
  ),
];
