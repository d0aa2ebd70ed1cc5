import { records } from './case.ts';
import { publicPage, wrapper, type PublicCase } from './public-case.ts';

const PRACTICES = { repository: 'w3c/aria-practices', licence: 'W3C-20150513' } as const;

const MICROFORMATS = { repository: 'microformats/tests', licence: 'CC0-1.0' } as const;

const EXAMPLES = {
  repository: 'schemaorg/schemaorg',
  licence: 'Apache-2.0',
  path: 'data/examples.txt',
} as const;

const RECIPES = { repository: 'hhursev/recipe-scrapers', licence: 'MIT' } as const;

/** Pages of the development set. */
export const PUBLIC_DEV: readonly PublicCase[] = [
  // The page has a second list, of routes.
  // The page has a second list of the same parts, for narrow windows.
  publicPage(
    'link aggregator',
    { repository: 'gleb-akhmerov/purifier', licence: 'GPL-3.0', path: 'test_data/Hacker News.html' },
    wrapper(`
      tr.athing
      title = .titlelink
      url:url = .titlelink@href
      points:integer = + .score
      author = + .hnuser
    `),
  ),
  publicPage(
    'quotes',
    { repository: 'siqialex/scrapy_demo', licence: 'none stated', path: 'quotes-2.html', isStripped: true },
    wrapper(`
      .quote
      text = .text
      author = .author
      tags:list = .tag*
    `),
  ),
  publicPage(
    'classified ads',
    { repository: 'alansarluv/explore-web-scraping', licence: 'none stated', path: 'test.html' },
    wrapper(`
      li.result-row
      title = .result-title
      url:url = .result-title@href
      date:date = time@datetime
    `),
  ),
  publicPage(
    'trending repositories',
    { repository: 'karakanb/gh-trending-parser', licence: 'MIT', path: 'test_content/gh.html' },
    wrapper(`
      article.Box-row
      repository_url:url = h2 a@href
      description = p
      programming_language = [itemprop=programmingLanguage]
      stars:integer = a[href$="/stargazers"]
      forks:integer = a[href$="/forks"]
    `),
  ),
  publicPage(
    'sortable table',
    { ...PRACTICES, path: 'content/patterns/table/examples/sortable-table.html' },
    wrapper(`
      table.sortable tbody tr
      first_name = td:nth-child(1)
      lastName = td:nth-child(2)
      company = td:nth-child(3)
      favourite_number:integer = td:nth-child(5)
    `),
  ),
  publicPage(
    'data grid',
    { ...PRACTICES, path: 'content/patterns/grid/examples/data-grids.html', scope: '#ex1-grid' },
    wrapper(`
      #ex1-grid tr:has(td)
      type = td:nth-child(2)
      description = td:nth-child(3)
      amount:number = td:nth-child(4)
      balance:number = td:nth-child(5)
    `),
  ),
  publicPage(
    'microformats product',
    { ...MICROFORMATS, path: 'tests/microformats-v1/hproduct/aggregate.html' },
    records(`
      name | price:number | rating:number | review_count:integer | photo:url
      Raspberry Pi | 29.95 | 9.2 | 178 | http://upload.wikimedia.org/wikipedia/commons/thumb/3/3d/RaspberryPi.jpg/320px-RaspberryPi.jpg
    `),
  ),
  publicPage(
    'microformats review',
    { ...MICROFORMATS, path: 'tests/microformats-v1/hreview/vcard.html' },
    records(`
      summary | rating:number | reviewer | reviewed:date
      Crepes on Cole is awesome | 5 | Tantek | 2005-04-18
    `),
  ),
  publicPage(
    'microformats calendar',
    { ...MICROFORMATS, path: 'tests/microformats-v1/hcalendar/combining.html' },
    records(`
      summary | url:url | locality | street_address
      IndieWebCamp 2012 | http://indiewebcamp.com/2012 | Portland | 920 SW 3rd Ave. Suite 400
    `),
  ),
  publicPage(
    'job posting',
    { ...EXAMPLES, example: { id: 'eg-0028', part: 'PRE-MARKUP' } },
    records(`
      title | location | industry | salary:number | hours
      Software Engineer | Kirkland WA | Computer Software | 100000 | Full-time, 40 hours per week
    `),
  ),
  publicPage(
    'definition list',
    { ...EXAMPLES, example: { id: 'eg-0175', part: 'PRE-MARKUP' } },
    records(`
      name | isbn13 | publisher | language | adult_content:boolean
      Holt Physical Science | 9780030426599 | Holt, Rinehart and Winston | English US | false
    `),
  ),
  publicPage(
    'product in microdata',
    { ...EXAMPLES, example: { id: 'eg-0010', part: 'MICRODATA' } },
    records(`
      name | price:number | rating:number | review_count:integer | in_stock:boolean
      Kenmore White 17" Microwave | 1000 | 3.5 | 11 | true
    `),
  ),
  publicPage(
    'recipe site',
    { ...RECIPES, path: 'tests/test_data/thecookingguy.com/thecookingguy_1.testhtml', isStripped: true },
    records(`
      title | servings:integer
      Creamy Lemon Chicken | 6
    `),
  ),
  publicPage(
    'lamp shop',
    {
      repository: 'scrapy/scrapely',
      licence: 'BSD-3-Clause',
      path: 'tests/samples/samples_scraper_loadstore_1.html',
    },
    records(`
      name | colour | bulb | email:email
      Mesmeri Halo Chrome | Chrome | 1 x 300W (R7s) |
    `),
  ),
  publicPage(
    'recipe with values above their labels',
    { ...RECIPES, path: 'tests/test_data/usapears.org/usapears_1.testhtml', isStripped: true },
    records(`
      recipe_name | prep_time | cook_time | servings:integer | ingredients:list
      Sauteed Bosc Pears | 10 | 15 | 6 | 2 tablespoons butter; ¼ teaspoon cinnamon; ¼ teaspoon ground nutmeg; ¼ teaspoon ground allspice; 6 Bosc USA Pears, peeled, cored, and quartered; Juice of ½ lemon (about 3 tablespoons); 1 ½ cup nonfat vanilla yogurt or frozen yogurt; ½ cup chopped, toasted California walnuts
    `),
  ),
  publicPage(
    'recipe with labels of a form',
    {
      ...RECIPES,
      path: 'tests/test_data/womensweeklyfood.com.au/womensweeklyfood_2.testhtml',
      isStripped: true,
    },
    records(`
      title | cookTime | makes:integer | summary | published:date
      Pulled pork sliders with apple slaw and chipotle mayo | 2H 30M | 12 | Sweet slaw and smoky mayo give these burgers a gorgeous edge. | 2021-09-30
    `),
  ),
];
