import { z } from 'zod';
import { normaliseName } from '../../shared/libraries/values/names.ts';
import { FORMS, type FieldPlan, type Form } from '../../shared/libraries/values/plan.ts';
import lines from './synonyms.json';

/**
 * Synonyms: properties of schema.org, and the terms of shops, papers and tables. A field named by one word of
 * a line is also found by the others.
 */
const GROUPS = z.array(z.object({ form: z.enum(FORMS), words: z.string() })).parse(lines);

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
for (const { form, words: line } of GROUPS) {
  const words = [...new Set(line.split(', ').map(normaliseName))];
  for (const word of words) byWord.set(word, [...(byWord.get(word) ?? []), { form, words }]);
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
export function synonymsOf(names: readonly string[], things = NO_THINGS) {
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
