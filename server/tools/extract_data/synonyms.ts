import { normaliseName } from '../../../shared/extract/names.ts';
import type { FieldPlan, Form } from '../../../shared/extract/plan.ts';

/**
 * Synonyms: properties of schema.org, and the terms of shops, papers and tables. A field named by one word of
 * a line is also found by the others.
 */
const GROUPS: readonly (readonly [Form, string])[] = [
  [
    'title',
    'name, title, headline, heading, product name, item name, product, item, label, alternate name, full name, subject, fn, track, song, song title, track name',
  ],
  [
    'prose',
    'description, summary, abstract, excerpt, blurb, snippet, teaser, intro, about, synopsis, overview, details, short desc, short description',
  ],
  [
    'prose',
    'text, body, content, article body, review body, review text, comment text, message, message body',
  ],
  ['money', 'price, cost, unit price, sale price, current price, low price, offer price, price amount'],
  ['money', 'old price, original price, list price, regular price, was price, high price, msrp, rrp'],
  ['money', 'fee, entry fee, admission, admission fee, fare, rent, monthly rent'],
  ['money', 'total, order total, grand total, subtotal, total amount, total price, amount due'],
  ['money', 'salary, base salary, wage, pay, compensation'],
  ['text', 'currency, price currency, salary currency, currency code'],
  ['url', 'url, link, href, permalink, uri, web address, website, homepage, page url, same as'],
  [
    'image',
    'image, picture, photo, thumbnail, img, thumbnail url, image url, main image, cover, cover image, logo, avatar, poster',
  ],
  [
    'rating',
    'rating, rating value, star, score, average rating, avg rating, scored, aggregate rating, review rating, review score, stars rating, average',
  ],
  ['text', 'review count, rating count, review, number of review, number of rating, vote, rating number'],
  ['stock', 'availability, in stock, stock, stock status, available, is available, is in stock'],
  ['text', 'brand, manufacturer, maker, make, vendor'],
  [
    'text',
    'sku, item number, item no, article no, article number, product id, part number, mpn, model number, item no',
  ],
  ['text', 'gtin, ean, upc, barcode, gtin13, gtin12, gtin8'],
  [
    'text',
    'category, genre, section, article section, topic, department, product type, type, kicker, eyebrow',
  ],
  [
    'text',
    'author, creator, writer, byline, by, written by, posted by, user, username, user name, nickname, nick, reviewer, commenter, submitter, submitted by, opened by, handle',
  ],
  ['text', 'organizer, organiser, host, hosted by, organized by, organised by, presented by, presenter'],
  ['text', 'instructor, teacher, taught by, lecturer, tutor'],
  ['text', 'publisher, site name, source, provider, published by'],
  [
    'date',
    'date, published, date published, publication date, publish date, published at, published time, posted, date posted, pubdate, created, created at, date created, upload date, issued, release date, released, launch date',
  ],
  ['date', 'modified, updated, date modified, modified time, last modified, last updated, updated at'],
  ['date', 'start date, start, starts, dtstart, start time, begin, from, event date'],
  ['date', 'end date, end, ends, dtend, end time, until, to'],
  ['date', 'valid through, deadline, closing date, expires, expiry date, apply by'],
  ['date', 'birth date, born, date of birth, birthday, bday'],
  ['email', 'email, mail, e mail, email address, contact email'],
  ['phone', 'phone, telephone, tel, phone number, mobile, mobile number, contact number'],
  ['phone', 'fax, fax number'],
  ['text', 'address, adr, street address, location, venue, place, headquarter'],
  ['text', 'destination, to, arrival airport, arrival city'],
  ['text', 'origin, from, departure airport, departure city'],
  ['text', 'city, town, locality, address locality'],
  ['text', 'country, nation, address country, country name'],
  ['text', 'region, state, province, address region'],
  ['text', 'postal code, zip, zip code, postcode, plz'],
  ['text', 'latitude, lat'],
  ['text', 'longitude, lng, lon, long'],
  ['text', 'company, organization, organisation, hiring organization, employer, company name, org'],
  ['text', 'quantity, qty, amount, number of item, unit'],
  ['text', 'id, identifier, number, no, nr, code, ref, reference'],
  ['text', 'language, lang, in language'],
  ['text', 'keyword, tag, topic tag, label list, chip, badge'],
  ['text', 'isbn, isbn13, isbn10'],
  ['text', 'page, number of page, page count, page number'],
  ['text', 'duration, length, runtime, running time, total time, time required'],
  ['text', 'prep time, preparation time, prep, preparation'],
  ['text', 'cook time, cooking time, cook, cooking'],
  ['text', 'ingredient, recipe ingredient'],
  ['text', 'instruction, recipe instruction, step, method, direction'],
  ['text', 'serving, serve, yield, recipe yield, portion'],
  ['text', 'calory, kcal, energy, nutrition'],
  ['text', 'color, colour, swatch, available color'],
  ['text', 'size, dimension'],
  ['text', 'weight, mass'],
  ['text', 'material, fabric'],
  ['text', 'condition, item condition'],
  ['text', 'rank, position, place in list'],
  ['text', 'population, inhabitant, number of inhabitant'],
  ['text', 'area, surface, surface area'],
  ['text', 'capital, capital city'],
  ['text', 'director, directed by'],
  ['text', 'actor, cast, starring'],
  ['title', 'question, q'],
  ['prose', 'answer, accepted answer, a'],
  ['text', 'year built, built, built in, construction year'],
  ['text', 'price level, price range, price tier'],
  ['text', 'comment count, comment, number of comment, num comment'],
  ['text', 'like, like count, number of like, upvote, heart'],
  ['text', 'departure time, departure, depart, departs'],
  ['text', 'arrival time, arrival, arrive, arrives'],
  ['text', 'job type, employment type, contract type, contract, employment'],
  [
    'text',
    'year, release year, model year, publication year, year published, published, released, first published',
  ],
  ['text', 'status, event status, order status, state, badge, pill'],
  ['date', 'order date, order placed, date ordered, ordered, purchase date, purchased'],
  ['text', 'transmission, gearbox'],
  ['text', 'fuel, fuel type'],
  ['text', 'bedroom, bed, bd, bds, br, bdrm'],
  ['text', 'bathroom, bath, ba'],
  ['text', 'sqft, square foot, sq ft, floor area, living area'],
  ['text', 'artist, band, performer'],
  ['text', 'airline, carrier'],
  ['text', 'version, release, latest version'],
  ['text', 'view, view count'],
];

/** A `product_price` is a price. */
const THINGS = new Set(
  'product item article book job event post movie film recipe listing page result story news property hotel restaurant course video song album game app company person invoice order ticket issue bug task episode package repository vehicle car listing paper report document booking transaction'.split(
    ' ',
  ),
);

interface Group {
  readonly form: Form;
  readonly words: readonly string[];
}

const byWord = new Map<string, Group[]>();
for (const [form, line] of GROUPS) {
  const words = [...new Set(line.split(', ').map(normaliseName))];
  for (const word of words) byWord.set(word, [...(byWord.get(word) ?? []), { form, words }]);
}

interface Meaning {
  readonly synonyms: readonly string[];
  readonly form: Form | null;
  readonly bound: FieldPlan['bound'];
}

/** Pages call a `parcel_number` "No." */
const ATTRIBUTES = new Set('number id no code date status type total amount level'.split(' '));

/**
 * Prefixes that two or more names of a schema share, and that mean nothing else: `invoice_number`,
 * `invoice_date`.
 */
export function thingsOf(names: readonly string[]): ReadonlySet<string> {
  const firsts = names
    .map(normaliseName)
    .filter((name) => name.includes(' '))
    .map((name) => name.split(' ')[0] ?? '');
  return new Set(firsts.filter((first, index) => firsts.indexOf(first) !== index && !byWord.has(first)));
}

const NO_THINGS: ReadonlySet<string> = new Set();

/**
 * Synonyms of normalised names, without the names themselves, and how to look for such a field.
 * @param things first words of the schema's compounds, see {@link thingsOf}
 */
export function synonymsOf(names: readonly string[], things = NO_THINGS): Meaning {
  const { rest, bound } = splitBound(names[0] ?? '');
  const asked = [...names, ...(bound === null ? [] : [rest])];
  const found = asked.flatMap((name) => [...groupsOf(name), ...groupsOf(attributeOf(name, things) ?? '')]);
  const words = [
    ...found.flatMap((group) => group.words),
    ...(bound === null ? [] : [rest]),
    ...ofSubject(names[0] ?? ''),
    ...shorterNames(names[0] ?? ''),
  ];
  const synonyms = [...new Set(words)].filter((word) => !names.includes(word));
  return {
    synonyms,
    form: found[0]?.form ?? formOfLastWord(bound === null ? (names[0] ?? '') : rest),
    bound,
  };
}

/** Tables call a `customer name` "Customer", `is paid` "Paid", and a `guest count` "Guests". */
function shorterNames(name: string): string[] {
  const found = /^(?:(?:is|has|was|num|number of) (.+)|(.+) (?:name|title|count))$/.exec(name);
  return [found?.[1] ?? found?.[2] ?? ''].filter((word) => word !== '');
}

/** `parcel number` of a schema about parcels → `number`. */
function attributeOf(name: string, things: ReadonlySet<string>): string | null {
  const [first = '', ...rest] = name.split(' ');
  const attribute = rest.join(' ');
  return things.has(first) && ATTRIBUTES.has(attribute) && !byWord.has(name) ? attribute : null;
}

/** A `profile url` is that of an author or user, as "author url" would be. */
function ofSubject(name: string): string[] {
  const [, subject] = /^(.+) (?:url|link)$/.exec(name) ?? [];
  const known = subject === undefined ? undefined : byWord.get(subject === 'profile' ? 'user' : subject);
  return known?.flatMap(({ words }) => words.map((word) => `${word} url`)) ?? [];
}

function groupsOf(name: string): readonly Group[] {
  const own = byWord.get(name);
  if (own !== undefined) return own;
  const inner = withoutThing(name) ?? withoutName(name);
  if (inner !== null) {
    const numbered = withoutTail(name).filter((word) => NUMBERED.has(word));
    return [
      ...(byWord.get(inner) ?? []),
      { form: byWord.get(inner)?.[0]?.form ?? 'text', words: [inner, ...numbered] },
    ];
  }
  const words = [...withoutTail(name), ...doneBy(name), ...doneOn(name)];
  return words.length === 0 ? [] : [{ form: formOfLastWord(name) ?? 'text', words }];
}

/** Things that a page names only by their number: `Order 114-220`. `Posts 12` is a count. */
const NUMBERED = new Set(['order', 'invoice', 'ticket', 'booking', 'issue', 'bug', 'case']);

const TAILS = new Set(['type', 'time', 'number', 'cost', 'id', 'amount']);

/** Pages call `departure time` and `fuel type` "Departure" and "Fuel". */
function withoutTail(name: string): string[] {
  const words = name.split(' ');
  return words.length > 1 && TAILS.has(words.at(-1) ?? '') ? [words.slice(0, -1).join(' ')] : [];
}

/** A `requester` is the person in "requested by", and an `assignee` the one in "assigned to". */
function doneBy(name: string): string[] {
  const [, done] = /^(\w{3,})ee$/.exec(name) ?? [];
  if (done !== undefined) return [`${done}ed to`];
  const [, stem] = /^(\w{3,})[eo]r$/.exec(name) ?? [];
  return stem === undefined ? [] : [`${IRREGULAR.get(stem) ?? `${stem}ed`} by`];
}

/** A `review date` is when something was "reviewed". */
function doneOn(name: string): string[] {
  const [, verb] = /^(\w{3,}) (?:date|on|at)$/.exec(name) ?? [];
  return verb === undefined
    ? []
    : [verb, /ed$/.test(verb) ? verb : verb.endsWith('e') ? `${verb}d` : `${verb}ed`];
}

const IRREGULAR = new Map([
  ['sell', 'sold'],
  ['writ', 'written'],
  ['mak', 'made'],
]);

const LOW = new Set(['min', 'minimum', 'low', 'lowest']);
const HIGH = new Set(['max', 'maximum', 'high', 'highest']);

/** `salary min` and `max price` ask for one end of a range. Established terms, such as `low price`, stay. */
function splitBound(name: string): { readonly rest: string; readonly bound: FieldPlan['bound'] } {
  const words = name.split(' ');
  const at = words.findIndex((word) => LOW.has(word) || HIGH.has(word));
  if (at < 0 || words.length < 2) return { rest: name, bound: null };
  const rest = words.filter((_, index) => index !== at).join(' ');
  return { rest, bound: LOW.has(words[at] ?? '') ? 'low' : 'high' };
}

/** Pages call a `company name` "company"; `plan name` is the title of a plan. */
function withoutName(name: string): string | null {
  const words = name.split(' ');
  if (words.length < 2 || words.at(-1) !== 'name') return null;
  const inner = words.slice(0, -1).join(' ');
  return byWord.has(inner) ? inner : null;
}

function withoutThing(name: string): string | null {
  const [first = '', ...rest] = name.split(' ');
  return rest.length > 0 && THINGS.has(first) ? rest.join(' ') : null;
}

/** `cover_image`, `detail_link` and `issue_title` end with their kind. */
function formOfLastWord(name: string): Form | null {
  const words = name.split(' ');
  const last = words.at(-1) ?? '';
  if (last === 'title' || last === 'headline') return 'title';
  if (last === 'name' && !PART_OF_NAME.has(words[0] ?? '')) return 'title';
  if (words.some((word) => IMAGE_WORDS.has(word))) return 'image';
  if (URL_WORDS.has(last)) return 'url';
  if (DATE_WORDS.has(last)) return 'date';
  if (last === 'email') return 'email';
  return words.some((word) => MONEY_WORDS.has(word)) ? 'money' : null;
}

const IMAGE_WORDS = new Set(['image', 'picture', 'photo', 'thumbnail', 'img', 'logo', 'avatar']);
const URL_WORDS = new Set(['url', 'link', 'href', 'permalink']);
const DATE_WORDS = new Set(['date', 'datetime']);
const MONEY_WORDS = new Set(['price', 'fee', 'fare', 'rent', 'salary', 'cost']);
/** A part of a name, or the name of something that has none of its own on most pages. */
const PART_OF_NAME = new Set('first last middle given family nick user file host domain display'.split(' '));
