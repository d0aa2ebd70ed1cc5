import { DATE_FIELD, LIST_FIELD, URL_FIELD } from './case.ts';
import { SNAPSHOTS, type PublicCase } from './public-case.ts';

const page = (id: string): string => `test/html/${id}.html.gz`;

const RECIPES = {
  repository: 'hhursev/recipe-scrapers',
  licence: 'MIT',
  isStripped: true,
} as const;

/**
 * Snapshots of the benchmark's other half, drawn by a hash of their numbers. Held out: the selectors were
 * written before a round of rules, and the pages were scored once after it.
 */
export const PUBLIC_UNSEEN: readonly PublicCase[] = [
  {
    ...SNAPSHOTS,
    type: 'garden accessories',
    path: page('4360'),
    fields: { productName: 'string', price: 'number', productUrl: URL_FIELD },
    multiple: true,
    gold: {
      rows: 'ol.products > li.product-item',
      fields: {
        productName: '.product-item-name a',
        price: '.price-box .price',
        productUrl: '.product-item-name a@href',
      },
    },
  },
  {
    ...SNAPSHOTS,
    type: 'running shoes with generated class names',
    path: page('4461'),
    fields: { product_name: 'string', product_url: URL_FIELD },
    multiple: true,
    gold: {
      rows: 'div:has(> div > a > h2.product-card-name--9ffy7)',
      fields: {
        product_name: '.product-card-name--9ffy7',
        product_url: 'a:has(.product-card-name--9ffy7)@href',
      },
    },
  },
  {
    ...SNAPSHOTS,
    type: 'computer mice',
    path: page('4061'),
    fields: { name: 'string', price: 'number', link: URL_FIELD },
    multiple: true,
    gold: {
      rows: '#productGrid .product-card',
      fields: { name: '.product-card-title', price: '.price', link: 'a.product-card-link@href' },
    },
  },
  {
    ...SNAPSHOTS,
    type: 'tutors with their fees',
    path: page('4923'),
    fields: {
      tutor_name: 'string',
      headline: 'string',
      rating: 'number',
      review_count: 'integer',
      profile_url: URL_FIELD,
    },
    multiple: true,
    gold: {
      rows: 'a.tutor-card',
      fields: {
        tutor_name: '.tutor-name',
        headline: '.tutor-title',
        rating: '#rating-value',
        review_count: '#total-ratings',
        profile_url: '@href',
      },
      patterns: { review_count: '([\\d,]+)' },
    },
  },
  {
    ...SNAPSHOTS,
    type: 'threads of a forum',
    path: page('5097'),
    fields: {
      threadTitle: 'string',
      threadUrl: URL_FIELD,
      author: 'string',
      startDate: DATE_FIELD,
      replies: 'integer',
    },
    multiple: true,
    gold: {
      rows: '.structItem--thread',
      fields: {
        threadTitle: '.structItem-title a:last-of-type',
        threadUrl: '.structItem-title a:last-of-type@href',
        author: '.structItem-parts .username',
        startDate: '.structItem-startDate time@datetime',
        replies: '.structItem-cell--meta dd',
      },
    },
  },
  {
    ...SNAPSHOTS,
    type: 'posts with a pane for the author',
    path: page('5072'),
    fields: { author_name: 'string', posted_at: DATE_FIELD },
    multiple: true,
    gold: {
      rows: 'article.cPost',
      fields: { author_name: 'aside .cAuthorPane_author a', posted_at: 'time@datetime' },
    },
  },
  {
    ...SNAPSHOTS,
    type: 'replies that are two siblings each',
    path: page('5151'),
    fields: { author: 'string', posted: DATE_FIELD, permalink: URL_FIELD },
    multiple: true,
    gold: {
      rows: '.bbp-body > .bbp-reply-header',
      fields: {
        author: '+ .bbp-author-name',
        posted: '.bbp-reply-post-date',
        permalink: '.bbp-reply-permalink@href',
      },
    },
  },
  {
    ...SNAPSHOTS,
    type: 'events of a city',
    path: page('5341'),
    fields: { event_name: 'string', event_url: URL_FIELD, location: 'string' },
    multiple: true,
    gold: {
      rows: 'article.c-event-teaser',
      fields: {
        event_name: '.c-event-teaser__title a',
        event_url: '.c-event-teaser__title a@href',
        location: '.c-event-teaser__subtitle .field--name-field-place',
      },
    },
  },
  {
    ...SNAPSHOTS,
    type: 'guides of a manual in a table',
    path: page('5427'),
    fields: { contribution: 'string', description: 'string', guide_url: URL_FIELD },
    multiple: true,
    gold: {
      rows: 'table tbody tr',
      fields: { contribution: 'td:first-child', description: 'td:nth-child(2)', guide_url: 'a@href' },
    },
  },
  {
    ...SNAPSHOTS,
    type: 'mouse with a sale price',
    path: page('4062'),
    fields: { product_name: 'string', sale_price: 'number', rating: 'number', review_count: 'integer' },
    multiple: false,
    gold: [{ product_name: 'MX Vertical', sale_price: 79.99, rating: 4.2, review_count: 379 }],
  },
  {
    ...RECIPES,
    type: 'recipe with values above their labels',
    path: 'tests/test_data/usapears.org/usapears_1.testhtml',
    fields: {
      recipe_name: 'string',
      prep_time: 'string',
      cook_time: 'string',
      servings: 'integer',
      ingredients: LIST_FIELD,
    },
    multiple: false,
    gold: [
      {
        recipe_name: 'Sauteed Bosc Pears',
        prep_time: '10',
        cook_time: '15',
        servings: 6,
        ingredients: [
          '2 tablespoons butter',
          '¼ teaspoon cinnamon',
          '¼ teaspoon ground nutmeg',
          '¼ teaspoon ground allspice',
          '6 Bosc USA Pears, peeled, cored, and quartered',
          'Juice of ½ lemon (about 3 tablespoons)',
          '1 ½ cup nonfat vanilla yogurt or frozen yogurt',
          '½ cup chopped, toasted California walnuts',
        ],
      },
    ],
  },
  {
    ...RECIPES,
    type: 'recipe with labels of a form',
    path: 'tests/test_data/womensweeklyfood.com.au/womensweeklyfood_2.testhtml',
    fields: {
      title: 'string',
      cookTime: 'string',
      makes: 'integer',
      summary: 'string',
      published: DATE_FIELD,
    },
    multiple: false,
    gold: [
      {
        title: 'Pulled pork sliders with apple slaw and chipotle mayo',
        cookTime: '2H 30M',
        makes: 12,
        summary: 'Sweet slaw and smoky mayo give these burgers a gorgeous edge.',
        published: '2021-09-30',
      },
    ],
  },
];
