import { DATE_FIELD, EMAIL_FIELD, LIST_FIELD, URL_FIELD } from './case.ts';
import type { PublicCase } from './public-case.ts';

const EXAMPLES = {
  repository: 'schemaorg/schemaorg',
  licence: 'Apache-2.0',
  path: 'data/examples.txt',
} as const;
const MICROFORMATS = { repository: 'microformats/tests', licence: 'CC0-1.0' } as const;
const PRACTICES = { repository: 'w3c/aria-practices', licence: 'W3C-20150513' } as const;
const RECIPES = { repository: 'hhursev/recipe-scrapers', licence: 'MIT' } as const;
const READABILITY = { repository: 'mozilla/readability', licence: 'Apache-2.0' } as const;

/** Public pages that are held out: rules are not written for these. */
export const PUBLIC_HELD: readonly PublicCase[] = [
  {
    type: 'table of roles',
    ...PRACTICES,
    path: 'content/patterns/table/examples/table.html',
    fields: { firstName: 'string', last_name: 'string', company: 'string', address: 'string' },
    multiple: true,
    gold: {
      rows: '[role=table] [role=row]:has([role=cell])',
      fields: {
        firstName: '[role=cell]:nth-child(1)',
        last_name: '[role=cell]:nth-child(2)',
        company: '[role=cell]:nth-child(3)',
        address: '[role=cell]:nth-child(4)',
      },
    },
  },
  {
    type: 'tree grid',
    ...PRACTICES,
    path: 'content/patterns/treegrid/examples/treegrid-1.html',
    scope: '#treegrid',
    fields: { subject: 'string', summary: 'string', email: EMAIL_FIELD },
    multiple: true,
    gold: {
      rows: '#treegrid tbody tr',
      fields: { subject: 'td:nth-child(1)', summary: 'td:nth-child(2)', email: 'td:nth-child(3)' },
    },
  },
  {
    type: 'microformats 2 product',
    ...MICROFORMATS,
    path: 'tests/microformats-v2/h-product/aggregate.html',
    fields: { name: 'string', price: 'number', average: 'number', photo: URL_FIELD },
    multiple: false,
    gold: [
      {
        name: 'Raspberry Pi',
        price: 29.95,
        average: 9.2,
        photo:
          'http://upload.wikimedia.org/wikipedia/commons/thumb/3/3d/RaspberryPi.jpg/320px-RaspberryPi.jpg',
      },
    ],
  },
  {
    type: 'microformats 2 recipe',
    ...MICROFORMATS,
    path: 'tests/microformats-v2/h-recipe/all.html',
    fields: { name: 'string', published: DATE_FIELD, author: 'string', ingredients: LIST_FIELD },
    multiple: false,
    gold: [
      {
        name: 'Yorkshire Puddings',
        published: '2011-10-27',
        author: 'Glenn Jones',
        ingredients: ['1 egg', '75g plain flour', '70ml milk', '60ml water', 'Pinch of salt'],
      },
    ],
  },
  {
    type: 'microformats 2 event',
    ...MICROFORMATS,
    path: 'tests/microformats-v2/h-event/combining.html',
    fields: { name: 'string', event_url: URL_FIELD, locality: 'string' },
    multiple: false,
    gold: [{ name: 'IndieWebCamp 2012', event_url: 'http://indiewebcamp.com/2012', locality: 'Portland' }],
  },
  {
    type: 'microformats 2 feed',
    ...MICROFORMATS,
    path: 'tests/microformats-v2/h-feed/simple.html',
    scope: '.h-entry',
    fields: { name: 'string', url: URL_FIELD, updated: DATE_FIELD },
    multiple: false,
    gold: [
      {
        name: 'microformats.org at 7',
        url: 'http://microformats.org/2012/06/25/microformats-org-at-7',
        updated: '2012-06-25',
      },
    ],
  },
  {
    type: 'contact in microformats',
    ...MICROFORMATS,
    path: 'tests/microformats-v1/hcard/single.html',
    fields: { birthday: DATE_FIELD, role: 'string', location: 'string', phone: 'string' },
    multiple: false,
    gold: [{ birthday: '2000-01-01', role: 'Designer', location: 'Brighton' }],
  },
  {
    type: 'résumé',
    ...MICROFORMATS,
    path: 'tests/microformats-v1/hresume/work.html',
    scope: '.experience',
    fields: { title: 'string', organisation: 'string', url: URL_FIELD },
    multiple: false,
    gold: [
      { title: 'Director', organisation: 'World Wide Web Foundation', url: 'http://www.webfoundation.org/' },
    ],
  },
  {
    type: 'book in microdata',
    ...EXAMPLES,
    example: { id: 'eg-0462', part: 'MICRODATA' },
    fields: {
      name: 'string',
      author: 'string',
      price: 'number',
      isbn: 'string',
      pages: 'integer',
      published: DATE_FIELD,
    },
    multiple: false,
    gold: [
      {
        name: 'The Catcher in the Rye',
        author: 'J.D. Salinger',
        price: 6.99,
        isbn: '0316769487',
        pages: 224,
        published: '1991-05-01',
      },
    ],
  },
  {
    type: 'recipe in JSON-LD',
    ...EXAMPLES,
    example: { id: 'eg-0013', part: 'JSON' },
    fields: { name: 'string', author: 'string', recipe_yield: 'string', date_published: DATE_FIELD },
    multiple: false,
    gold: [
      {
        name: "Mom's World Famous Banana Bread",
        author: 'John Smith',
        recipe_yield: '1 loaf',
        date_published: '2009-05-08',
      },
    ],
  },
  {
    type: 'event by class names',
    ...EXAMPLES,
    example: { id: 'eg-0012', part: 'PRE-MARKUP' },
    fields: { event_title: 'string', price: 'number', address: 'string', ticket_url: URL_FIELD },
    multiple: false,
    gold: [
      {
        event_title: 'Typhoon with Radiation City',
        price: 13,
        address: '7 S. Broadway Denver, CO 80209',
        ticket_url: 'http://www.ticketfly.com/purchase/309433',
      },
    ],
  },
  {
    type: 'question page',
    ...EXAMPLES,
    example: { id: 'eg-0186', part: 'PRE-MARKUP' },
    fields: { title: 'string', price: 'number', sku: 'string' },
    required: ['title'],
    multiple: false,
    gold: [{ title: 'What is attr_accessor in Ruby?' }],
  },
  {
    type: 'guest reviews',
    repository: 'scrapinghub/mdr',
    licence: 'MIT',
    path: 'tests/samples/fragment2.html',
    fields: { reviewer: 'string', review: 'string' },
    multiple: true,
    gold: {
      rows: '.panel-body > .row:has(.review-text)',
      fields: { reviewer: '.name a', review: '.expandable-content' },
    },
  },
  {
    type: 'recipe with details',
    ...RECIPES,
    path: 'tests/test_data/nhs.uk/nhshealthierfamilies_1.testhtml',
    isStripped: true,
    fields: { prep: 'string', cook: 'string' },
    multiple: false,
    gold: [{ prep: '10 mins', cook: '25 mins' }],
  },
  {
    type: 'lamp shop, another page',
    repository: 'scrapy/scrapely',
    licence: 'BSD-3-Clause',
    path: 'tests/samples/samples_scraper_loadstore_0.html',
    fields: { name: 'string', materials: 'string', telephone: 'string' },
    multiple: false,
    gold: [
      {
        name: 'Copper Shade by Tom Dixon',
        materials: 'Solid Plastic polycarbonate globe with metalised copper finish',
      },
    ],
  },
  {
    type: 'magazine article',
    ...READABILITY,
    path: 'test/test-pages/ars-1/source.html',
    isStripped: true,
    fields: { headline: 'string', author: 'string', isbn: 'string' },
    multiple: false,
    gold: [
      {
        headline: 'Just-released Minecraft exploit makes it easy to crash game servers',
        author: 'Dan Goodin',
      },
    ],
  },
];
