import { at, records } from './case.ts';
import { publicPage, wrapper, type PublicCase } from './public-case.ts';

const PRACTICES = { repository: 'w3c/aria-practices', licence: 'W3C-20150513' } as const;

const MICROFORMATS = { repository: 'microformats/tests', licence: 'CC0-1.0' } as const;

const EXAMPLES = {
  repository: 'schemaorg/schemaorg',
  licence: 'Apache-2.0',
  path: 'data/examples.txt',
} as const;

const RECIPES = { repository: 'hhursev/recipe-scrapers', licence: 'MIT' } as const;

const READABILITY = { repository: 'mozilla/readability', licence: 'Apache-2.0' } as const;

/** Held out: rules are not written for these. */
export const PUBLIC_HELD: readonly PublicCase[] = [
  publicPage(
    'table of roles',
    { ...PRACTICES, path: 'content/patterns/table/examples/table.html' },
    wrapper(`
      [role=table] [role=row]:has([role=cell])
      firstName = [role=cell]:nth-child(1)
      last_name = [role=cell]:nth-child(2)
      company = [role=cell]:nth-child(3)
      address = [role=cell]:nth-child(4)
    `),
  ),
  publicPage(
    'tree grid',
    { ...PRACTICES, path: 'content/patterns/treegrid/examples/treegrid-1.html', scope: '#treegrid' },
    wrapper(`
      #treegrid tbody tr
      subject = td:nth-child(1)
      summary = td:nth-child(2)
      email:email = td:nth-child(3)
    `),
  ),
  publicPage(
    'microformats 2 product',
    { ...MICROFORMATS, path: 'tests/microformats-v2/h-product/aggregate.html' },
    records(`
      name | price:number | average:number | photo:url
      Raspberry Pi | 29.95 | 9.2 | http://upload.wikimedia.org/wikipedia/commons/thumb/3/3d/RaspberryPi.jpg/320px-RaspberryPi.jpg
    `),
  ),
  publicPage(
    'microformats 2 recipe',
    { ...MICROFORMATS, path: 'tests/microformats-v2/h-recipe/all.html' },
    records(`
      name | published:date | author | ingredients:list
      Yorkshire Puddings | 2011-10-27 | Glenn Jones | 1 egg; 75g plain flour; 70ml milk; 60ml water; Pinch of salt
    `),
  ),
  publicPage(
    'microformats 2 event',
    { ...MICROFORMATS, path: 'tests/microformats-v2/h-event/combining.html' },
    records(`
      name | event_url:url | locality
      IndieWebCamp 2012 | http://indiewebcamp.com/2012 | Portland
    `),
  ),
  publicPage(
    'microformats 2 feed',
    { ...MICROFORMATS, path: 'tests/microformats-v2/h-feed/simple.html', scope: '.h-entry' },
    records(`
      name | url:url | updated:date
      microformats.org at 7 | http://microformats.org/2012/06/25/microformats-org-at-7 | 2012-06-25
    `),
  ),
  publicPage(
    'contact in microformats',
    { ...MICROFORMATS, path: 'tests/microformats-v1/hcard/single.html' },
    records(`
      birthday:date | role | location | phone
      2000-01-01 | Designer | Brighton |
    `),
  ),
  publicPage(
    'résumé',
    { ...MICROFORMATS, path: 'tests/microformats-v1/hresume/work.html', scope: '.experience' },
    records(`
      title | organisation | url:url
      Director | World Wide Web Foundation | http://www.webfoundation.org/
    `),
  ),
  publicPage(
    'book in microdata',
    { ...EXAMPLES, example: { id: 'eg-0462', part: 'MICRODATA' } },
    records(`
      name | author | price:number | isbn | pages:integer | published:date
      The Catcher in the Rye | J.D. Salinger | 6.99 | 0316769487 | 224 | 1991-05-01
    `),
  ),
  publicPage(
    'recipe in JSON-LD',
    { ...EXAMPLES, example: { id: 'eg-0013', part: 'JSON' } },
    records(`
      name | author | recipe_yield | date_published:date
      Mom's World Famous Banana Bread | John Smith | 1 loaf | 2009-05-08
    `),
  ),
  publicPage(
    'event by class names',
    { ...EXAMPLES, example: { id: 'eg-0012', part: 'PRE-MARKUP' } },
    records(`
      event_title | price:number | address | ticket_url:url
      Typhoon with Radiation City | 13 | 7 S. Broadway Denver, CO 80209 | http://www.ticketfly.com/purchase/309433
    `),
  ),
  publicPage(
    'question page',
    { ...EXAMPLES, example: { id: 'eg-0186', part: 'PRE-MARKUP' }, required: ['title'] },
    records(`
      title | price:number | sku
      What is attr_accessor in Ruby? |  |
    `),
  ),
  publicPage(
    'guest reviews',
    { repository: 'scrapinghub/mdr', licence: 'MIT', path: 'tests/samples/fragment2.html' },
    wrapper(`
      .panel-body > .row:has(.review-text)
      reviewer = .name a
      review = .expandable-content
    `),
  ),
  publicPage(
    'recipe with details',
    { ...RECIPES, path: 'tests/test_data/nhs.uk/nhshealthierfamilies_1.testhtml', isStripped: true },
    records(`
      prep | cook
      10 mins | 25 mins
    `),
  ),
  publicPage(
    'lamp shop, another page',
    {
      repository: 'scrapy/scrapely',
      licence: 'BSD-3-Clause',
      path: 'tests/samples/samples_scraper_loadstore_0.html',
    },
    records(`
      name | materials | telephone
      Copper Shade by Tom Dixon | Solid Plastic polycarbonate globe with metalised copper finish |
    `),
  ),
  publicPage(
    'magazine article',
    { ...READABILITY, path: 'test/test-pages/ars-1/source.html', isStripped: true },
    records(`
      headline | author | isbn
      Just-released Minecraft exploit makes it easy to crash game servers | Dan Goodin |
    `),
  ),
];
