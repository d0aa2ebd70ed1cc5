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

/** Public pages of the development set. */
export const PUBLIC_DEV: readonly PublicCase[] = [
  {
    type: 'link aggregator',
    repository: 'gleb-akhmerov/purifier',
    licence: 'GPL-3.0',
    path: 'test_data/Hacker News.html',
    fields: { title: 'string', url: URL_FIELD, points: 'integer', author: 'string' },
    multiple: true,
    gold: {
      rows: 'tr.athing',
      fields: { title: '.titlelink', url: '.titlelink@href', points: '+ .score', author: '+ .hnuser' },
    },
  },
  {
    type: 'quotes',
    repository: 'siqialex/scrapy_demo',
    licence: 'none stated',
    path: 'quotes-2.html',
    isStripped: true,
    fields: { text: 'string', author: 'string', tags: LIST_FIELD },
    multiple: true,
    gold: { rows: '.quote', fields: { text: '.text', author: '.author', tags: '.tag*' } },
  },
  {
    type: 'classified ads',
    repository: 'alansarluv/explore-web-scraping',
    licence: 'none stated',
    path: 'test.html',
    fields: { title: 'string', url: URL_FIELD, date: DATE_FIELD },
    multiple: true,
    gold: {
      rows: 'li.result-row',
      fields: { title: '.result-title', url: '.result-title@href', date: 'time@datetime' },
    },
  },
  {
    type: 'trending repositories',
    repository: 'karakanb/gh-trending-parser',
    licence: 'MIT',
    path: 'test_content/gh.html',
    fields: {
      repository_url: URL_FIELD,
      description: 'string',
      programming_language: 'string',
      stars: 'integer',
      forks: 'integer',
    },
    multiple: true,
    gold: {
      rows: 'article.Box-row',
      fields: {
        repository_url: 'h2 a@href',
        description: 'p',
        programming_language: '[itemprop=programmingLanguage]',
        stars: 'a[href$="/stargazers"]',
        forks: 'a[href$="/forks"]',
      },
    },
  },
  {
    type: 'sortable table',
    ...PRACTICES,
    path: 'content/patterns/table/examples/sortable-table.html',
    fields: { first_name: 'string', lastName: 'string', company: 'string', favourite_number: 'integer' },
    multiple: true,
    gold: {
      rows: 'table.sortable tbody tr',
      fields: {
        first_name: 'td:nth-child(1)',
        lastName: 'td:nth-child(2)',
        company: 'td:nth-child(3)',
        favourite_number: 'td:nth-child(5)',
      },
    },
  },
  {
    type: 'data grid',
    ...PRACTICES,
    path: 'content/patterns/grid/examples/data-grids.html',
    scope: '#ex1-grid',
    fields: { type: 'string', description: 'string', amount: 'number', balance: 'number' },
    multiple: true,
    gold: {
      rows: '#ex1-grid tr:has(td)',
      fields: {
        type: 'td:nth-child(2)',
        description: 'td:nth-child(3)',
        amount: 'td:nth-child(4)',
        balance: 'td:nth-child(5)',
      },
    },
  },
  {
    type: 'microformats product',
    ...MICROFORMATS,
    path: 'tests/microformats-v1/hproduct/aggregate.html',
    fields: { name: 'string', price: 'number', rating: 'number', review_count: 'integer', photo: URL_FIELD },
    multiple: false,
    gold: [
      {
        name: 'Raspberry Pi',
        price: 29.95,
        rating: 9.2,
        review_count: 178,
        photo:
          'http://upload.wikimedia.org/wikipedia/commons/thumb/3/3d/RaspberryPi.jpg/320px-RaspberryPi.jpg',
      },
    ],
  },
  {
    type: 'microformats review',
    ...MICROFORMATS,
    path: 'tests/microformats-v1/hreview/vcard.html',
    fields: { summary: 'string', rating: 'number', reviewer: 'string', reviewed: DATE_FIELD },
    multiple: false,
    gold: [{ summary: 'Crepes on Cole is awesome', rating: 5, reviewer: 'Tantek', reviewed: '2005-04-18' }],
  },
  {
    type: 'microformats calendar',
    ...MICROFORMATS,
    path: 'tests/microformats-v1/hcalendar/combining.html',
    fields: { summary: 'string', url: URL_FIELD, locality: 'string', street_address: 'string' },
    multiple: false,
    gold: [
      {
        summary: 'IndieWebCamp 2012',
        url: 'http://indiewebcamp.com/2012',
        locality: 'Portland',
        street_address: '920 SW 3rd Ave. Suite 400',
      },
    ],
  },
  {
    type: 'job posting',
    ...EXAMPLES,
    example: { id: 'eg-0028', part: 'PRE-MARKUP' },
    fields: { title: 'string', location: 'string', industry: 'string', salary: 'number', hours: 'string' },
    multiple: false,
    gold: [
      {
        title: 'Software Engineer',
        location: 'Kirkland WA',
        industry: 'Computer Software',
        salary: 100000,
        hours: 'Full-time, 40 hours per week',
      },
    ],
  },
  {
    type: 'definition list',
    ...EXAMPLES,
    example: { id: 'eg-0175', part: 'PRE-MARKUP' },
    fields: {
      name: 'string',
      isbn13: 'string',
      publisher: 'string',
      language: 'string',
      adult_content: 'boolean',
    },
    multiple: false,
    gold: [
      {
        name: 'Holt Physical Science',
        isbn13: '9780030426599',
        publisher: 'Holt, Rinehart and Winston',
        language: 'English US',
        adult_content: false,
      },
    ],
  },
  {
    type: 'product in microdata',
    ...EXAMPLES,
    example: { id: 'eg-0010', part: 'MICRODATA' },
    fields: {
      name: 'string',
      price: 'number',
      rating: 'number',
      review_count: 'integer',
      in_stock: 'boolean',
    },
    multiple: false,
    gold: [
      { name: 'Kenmore White 17" Microwave', price: 1000, rating: 3.5, review_count: 11, in_stock: true },
    ],
  },
  {
    type: 'recipe site',
    ...RECIPES,
    path: 'tests/test_data/thecookingguy.com/thecookingguy_1.testhtml',
    isStripped: true,
    fields: { title: 'string', servings: 'integer' },
    multiple: false,
    gold: [{ title: 'Creamy Lemon Chicken', servings: 6 }],
  },
  {
    type: 'lamp shop',
    repository: 'scrapy/scrapely',
    licence: 'BSD-3-Clause',
    path: 'tests/samples/samples_scraper_loadstore_1.html',
    fields: { name: 'string', colour: 'string', bulb: 'string', email: EMAIL_FIELD },
    multiple: false,
    gold: [{ name: 'Mesmeri Halo Chrome', colour: 'Chrome', bulb: '1 x 300W (R7s)' }],
  },
];
