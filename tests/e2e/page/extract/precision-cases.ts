import { DATE_FIELD, URL_FIELD } from '../../../support/extract-suite/case.ts';
import type { ExtractCases } from './cases.ts';

const times = (count: number, one: (n: number) => string): string =>
  Array.from({ length: count }, (_, index) => one(index + 1)).join('');

/** What looks like a value of a field, and is not one: the field stays out of the record. */
export const PRECISION_CASES: ExtractCases = {
  'values of something else': {
    'the rank that most cards show below a portrait is not an author': [
      `<main>${times(
        6,
        (n) =>
          `<article><h3>Reply number ${n}</h3><div><img src="/a.png" alt=""><b>${n === 4 ? 'Staff' : 'Members'}</b></div></article>`,
      )}</main>`,
      { title: 'string', author: 'string' },
      [1, 2, 3, 4, 5, 6].map((n) => ({ title: `Reply number ${n}` })),
    ],
    'a class that only begins with a synonym says something about it': [
      `<main>${times(
        3,
        (n) =>
          `<article><h3>Reply number ${n}</h3><span class="author-pane-rank">Veteran ${n}</span></article>`,
      )}</main>`,
      { title: 'string', author_name: 'string' },
      [1, 2, 3].map((n) => ({ title: `Reply number ${n}` })),
    ],
    'the link of an author is not that of the record': [
      `<main>${times(
        3,
        (n) =>
          `<section><h3>Release ${n}.0 of June</h3><img class="avatar" src="/a${n}.png" alt=""><a href="/person-${n}">person-${n}</a></section>`,
      )}</main>`,
      { title: 'string', author: 'string', url: URL_FIELD },
      [1, 2, 3].map((n) => ({ title: `Release ${n}.0 of June`, author: `person-${n}` })),
    ],
    'a date is not a deadline, nor a price a deposit': [
      `<main>${times(
        3,
        (n) =>
          `<article><h3><a href="/flat/${n}">Flat ${n}</a></h3><time datetime="2024-05-0${n}">May</time><p>$${n}00</p></article>`,
      )}</main>`,
      { title: 'string', url: URL_FIELD, application_deadline: DATE_FIELD, deposit: 'number' },
      [1, 2, 3].map((n) => ({ title: `Flat ${n}`, url: `http://page.test/flat/${n}` })),
    ],
    'a rating is not a count of ratings': [
      `<main>${times(
        3,
        (n) => `<article><h3>Drill ${n}</h3><p><span>4.${n} (${n}8)</span></p></article>`,
      )}</main>`,
      {
        title: 'string',
        rating: { type: 'object', properties: { value: { type: 'number' }, count: { type: 'integer' } } },
      },
      [1, 2, 3].map((n) => ({ title: `Drill ${n}` })),
    ],
    'a price that a utility class strikes through is the old one': [
      `<main>${times(
        3,
        (n) =>
          `<article><h3>Watch ${n}</h3><p><span class="line-through">$${n}99</span> <span>$${n}49</span></p></article>`,
      )}</main>`,
      { title: 'string', sale_price: 'number' },
      [1, 2, 3].map((n) => ({ title: `Watch ${n}`, sale_price: `$${n}49` })),
    ],
  },
  'records of something else': {
    'cells of one grid that hold things of another kind': [
      `<main><ol>${times(
        4,
        (n) =>
          `<li class="grid-item"><article class="event-teaser"><h3 class="event-teaser__title"><a href="/e/${n}">Event ${n}</a></h3><p class="place">Hall ${n}</p></article></li>`,
      )}</ol><ol>${times(
        3,
        (n) =>
          `<li class="grid-item"><article class="news-teaser"><h3 class="news-teaser__title"><a href="/n/${n}">News ${n}</a></h3></article></li>`,
      )}</ol></main>`,
      { event_name: 'string', place: 'string' },
      [1, 2, 3, 4].map((n) => ({ event_name: `Event ${n}`, place: `Hall ${n}` })),
    ],
  },
};
