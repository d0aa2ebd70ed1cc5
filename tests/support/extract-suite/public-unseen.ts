import { records } from './case.ts';
import { SNAPSHOTS, wrapper, type PublicCase } from './public-case.ts';

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
    multiple: true,
    ...wrapper(`
      ol.products > li.product-item
      productName = .product-item-name a
      price:number = .price-box .price
      productUrl:url = .product-item-name a@href
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'running shoes with generated class names',
    path: page('4461'),
    multiple: true,
    ...wrapper(`
      div:has(> div > a > h2.product-card-name--9ffy7)
      product_name = .product-card-name--9ffy7
      product_url:url = a:has(.product-card-name--9ffy7)@href
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'computer mice',
    path: page('4061'),
    multiple: true,
    ...wrapper(`
      #productGrid .product-card
      name = .product-card-title
      price:number = .price
      link:url = a.product-card-link@href
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'tutors with their fees',
    path: page('4923'),
    multiple: true,
    ...wrapper(
      `
      a.tutor-card
      tutor_name = .tutor-name
      headline = .tutor-title
      rating:number = #rating-value
      review_count:integer = #total-ratings
      profile_url:url = @href
    `,
      { review_count: '([\\d,]+)' },
    ),
  },
  {
    ...SNAPSHOTS,
    type: 'threads of a forum',
    path: page('5097'),
    multiple: true,
    ...wrapper(`
      .structItem--thread
      threadTitle = .structItem-title a:last-of-type
      threadUrl:url = .structItem-title a:last-of-type@href
      author = .structItem-parts .username
      startDate:date = .structItem-startDate time@datetime
      replies:integer = .structItem-cell--meta dd
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'posts with a pane for the author',
    path: page('5072'),
    multiple: true,
    ...wrapper(`
      article.cPost
      author_name = aside .cAuthorPane_author a
      posted_at:date = time@datetime
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'replies that are two siblings each',
    path: page('5151'),
    multiple: true,
    ...wrapper(`
      .bbp-body > .bbp-reply-header
      author = + .bbp-author-name
      posted:date = .bbp-reply-post-date
      permalink:url = .bbp-reply-permalink@href
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'events of a city',
    path: page('5341'),
    multiple: true,
    ...wrapper(`
      article.c-event-teaser
      event_name = .c-event-teaser__title a
      event_url:url = .c-event-teaser__title a@href
      location = .c-event-teaser__subtitle .field--name-field-place
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'guides of a manual in a table',
    path: page('5427'),
    multiple: true,
    ...wrapper(`
      table tbody tr
      contribution = td:first-child
      description = td:nth-child(2)
      guide_url:url = a@href
    `),
  },
  {
    ...SNAPSHOTS,
    type: 'mouse with a sale price',
    path: page('4062'),
    multiple: false,
    ...records(`
      product_name | sale_price:number | rating:number | review_count:integer
      MX Vertical | 79.99 | 4.2 | 379
    `),
  },
  {
    ...RECIPES,
    type: 'recipe with values above their labels',
    path: 'tests/test_data/usapears.org/usapears_1.testhtml',
    multiple: false,
    ...records(`
      recipe_name | prep_time | cook_time | servings:integer | ingredients:list
      Sauteed Bosc Pears | 10 | 15 | 6 | 2 tablespoons butter; ¼ teaspoon cinnamon; ¼ teaspoon ground nutmeg; ¼ teaspoon ground allspice; 6 Bosc USA Pears, peeled, cored, and quartered; Juice of ½ lemon (about 3 tablespoons); 1 ½ cup nonfat vanilla yogurt or frozen yogurt; ½ cup chopped, toasted California walnuts
    `),
  },
  {
    ...RECIPES,
    type: 'recipe with labels of a form',
    path: 'tests/test_data/womensweeklyfood.com.au/womensweeklyfood_2.testhtml',
    multiple: false,
    ...records(`
      title | cookTime | makes:integer | summary | published:date
      Pulled pork sliders with apple slaw and chipotle mayo | 2H 30M | 12 | Sweet slaw and smoky mayo give these burgers a gorgeous edge. | 2021-09-30
    `),
  },
];
