import { records } from './case.ts';
import { wrapper, type PublicCase } from './public-case.ts';

const EXAMPLES = {
  repository: 'schemaorg/schemaorg',
  licence: 'Apache-2.0',
  path: 'data/examples.txt',
} as const;
const MICROFORMATS = { repository: 'microformats/tests', licence: 'CC0-1.0' } as const;
const PRACTICES = { repository: 'w3c/aria-practices', licence: 'W3C-20150513' } as const;
const RECIPES = { repository: 'hhursev/recipe-scrapers', licence: 'MIT' } as const;

/** Public pages of the development set. */
export const PUBLIC_DEV: readonly PublicCase[] = [
  {
    type: 'link aggregator',
    repository: 'gleb-akhmerov/purifier',
    licence: 'GPL-3.0',
    path: 'test_data/Hacker News.html',
    multiple: true,
    ...wrapper(`
      tr.athing
      title = .titlelink
      url:url = .titlelink@href
      points:integer = + .score
      author = + .hnuser
    `),
  },
  {
    type: 'quotes',
    repository: 'siqialex/scrapy_demo',
    licence: 'none stated',
    path: 'quotes-2.html',
    isStripped: true,
    multiple: true,
    ...wrapper(`
      .quote
      text = .text
      author = .author
      tags:list = .tag*
    `),
  },
  {
    type: 'classified ads',
    repository: 'alansarluv/explore-web-scraping',
    licence: 'none stated',
    path: 'test.html',
    multiple: true,
    ...wrapper(`
      li.result-row
      title = .result-title
      url:url = .result-title@href
      date:date = time@datetime
    `),
  },
  {
    type: 'trending repositories',
    repository: 'karakanb/gh-trending-parser',
    licence: 'MIT',
    path: 'test_content/gh.html',
    multiple: true,
    ...wrapper(`
      article.Box-row
      repository_url:url = h2 a@href
      description = p
      programming_language = [itemprop=programmingLanguage]
      stars:integer = a[href$="/stargazers"]
      forks:integer = a[href$="/forks"]
    `),
  },
  {
    type: 'sortable table',
    ...PRACTICES,
    path: 'content/patterns/table/examples/sortable-table.html',
    multiple: true,
    ...wrapper(`
      table.sortable tbody tr
      first_name = td:nth-child(1)
      lastName = td:nth-child(2)
      company = td:nth-child(3)
      favourite_number:integer = td:nth-child(5)
    `),
  },
  {
    type: 'data grid',
    ...PRACTICES,
    path: 'content/patterns/grid/examples/data-grids.html',
    scope: '#ex1-grid',
    multiple: true,
    ...wrapper(`
      #ex1-grid tr:has(td)
      type = td:nth-child(2)
      description = td:nth-child(3)
      amount:number = td:nth-child(4)
      balance:number = td:nth-child(5)
    `),
  },
  {
    type: 'microformats product',
    ...MICROFORMATS,
    path: 'tests/microformats-v1/hproduct/aggregate.html',
    multiple: false,
    ...records(`
      name | price:number | rating:number | review_count:integer | photo:url
      Raspberry Pi | 29.95 | 9.2 | 178 | http://upload.wikimedia.org/wikipedia/commons/thumb/3/3d/RaspberryPi.jpg/320px-RaspberryPi.jpg
    `),
  },
  {
    type: 'microformats review',
    ...MICROFORMATS,
    path: 'tests/microformats-v1/hreview/vcard.html',
    multiple: false,
    ...records(`
      summary | rating:number | reviewer | reviewed:date
      Crepes on Cole is awesome | 5 | Tantek | 2005-04-18
    `),
  },
  {
    type: 'microformats calendar',
    ...MICROFORMATS,
    path: 'tests/microformats-v1/hcalendar/combining.html',
    multiple: false,
    ...records(`
      summary | url:url | locality | street_address
      IndieWebCamp 2012 | http://indiewebcamp.com/2012 | Portland | 920 SW 3rd Ave. Suite 400
    `),
  },
  {
    type: 'job posting',
    ...EXAMPLES,
    example: { id: 'eg-0028', part: 'PRE-MARKUP' },
    multiple: false,
    ...records(`
      title | location | industry | salary:number | hours
      Software Engineer | Kirkland WA | Computer Software | 100000 | Full-time, 40 hours per week
    `),
  },
  {
    type: 'definition list',
    ...EXAMPLES,
    example: { id: 'eg-0175', part: 'PRE-MARKUP' },
    multiple: false,
    ...records(`
      name | isbn13 | publisher | language | adult_content:boolean
      Holt Physical Science | 9780030426599 | Holt, Rinehart and Winston | English US | false
    `),
  },
  {
    type: 'product in microdata',
    ...EXAMPLES,
    example: { id: 'eg-0010', part: 'MICRODATA' },
    multiple: false,
    ...records(`
      name | price:number | rating:number | review_count:integer | in_stock:boolean
      Kenmore White 17" Microwave | 1000 | 3.5 | 11 | true
    `),
  },
  {
    type: 'recipe site',
    ...RECIPES,
    path: 'tests/test_data/thecookingguy.com/thecookingguy_1.testhtml',
    isStripped: true,
    multiple: false,
    ...records(`
      title | servings:integer
      Creamy Lemon Chicken | 6
    `),
  },
  {
    type: 'lamp shop',
    repository: 'scrapy/scrapely',
    licence: 'BSD-3-Clause',
    path: 'tests/samples/samples_scraper_loadstore_1.html',
    multiple: false,
    ...records(`
      name | colour | bulb | email:email
      Mesmeri Halo Chrome | Chrome | 1 x 300W (R7s) |
    `),
  },
];
