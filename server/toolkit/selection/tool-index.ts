import { stemmer } from 'stemmer';
import { isObject, type JsonObject } from '../../../shared/json.ts';
import { editDistance } from '../../core/registry/nearest.ts';
import type { SelectableTool } from '../../core/registry/selector.ts';
import lexicon from './lexicon.json';

/** Words that occur in every text or every question. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  'a all an and are as at be by can do does for from how i in is it its me my not of on one or that the these this to use what when where which with you your'.split(
    ' ',
  ),
);

/** A word as a full-text index keeps it; null for words that occur in every text or every question. */
export function toTerm(word: string): string | null {
  const term = word.toLowerCase();
  return STOP_WORDS.has(term) ? null : term;
}

/** Words of requests, in addition to those of every text. */
const SAID = new Set(
  'about am any been before could did had has have if into just let like make need no now only our out please shall should so some such than their them then there they those too us using want was we were while who why will would'.split(
    ' ',
  ),
);

/** Words of a text in lower case: names are split at case, underscores and hyphens. */
export const splitWords = (text: string): readonly string[] =>
  text
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** Forms that no rule of endings leads back: form and word. */
const IRREGULAR = new Map(
  'bought buy broke break broken break brought bring built build began begin begun begin caught catch chose choose chosen choose children child drawn draw drew draw driven drive drove drive eaten eat fell fall forgot forget forgotten forget found find gave give given give gone go went go held hold heard hear hidden hide hid hide indices index kept keep knew know known know leant lend lent lend lost lose made make matrices matrix meant mean men man met meet mice mouse paid pay people person ran run rose rise risen rise said say sang sing sent send shown show shut shut slept sleep sold sell spent spend spoke speak spoken speak stole steal stolen steal taken take took take taught teach thought think threw throw thrown throw told tell understood understand women woman woke wake won win wore wear worn wear written write wrote write'
    .split(' ')
    .flatMap((form, at, all) => (at % 2 === 0 ? [[form, all[at + 1] ?? form] as const] : [])),
);

/** Stemming takes most of the time of an index, and tools repeat their words. */
const STEMS_MAX = 10_000;
const stems = new Map<string, string>();

/** The stem of a word; two letters have none. */
export function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stem = word.length > 2 ? stemmer(IRREGULAR.get(word) ?? word) : word;
  if (stems.size >= STEMS_MAX) stems.clear();
  stems.set(word, stem);
  return stem;
}

/** A word that every text or every request has. */
export const isStopWord = (word: string): boolean => STOP_WORDS.has(word) || SAID.has(word);

/** The words of a text as stems (Porter), without stop words. */
const toTerms = (text: string): readonly string[] =>
  splitWords(text)
    .filter((word) => !isStopWord(word))
    .map(stemOf);

/** Longest expression on the left of `leads`, in words. */
const EXPRESSION_WORDS = 3;

const NONE: ReadonlySet<string> = new Set();
let byKey: ReadonlyMap<string, ReadonlySet<string>> | undefined;

/** Words of `same` stand for each other. Who says what is on the left of `leads` may mean what is on its right, and not the other way round. */
function build(): ReadonlyMap<string, ReadonlySet<string>> {
  const built = new Map<string, Set<string>>();
  const add = (key: string, stems: readonly string[]): void => {
    const others = built.get(key) ?? new Set();
    for (const stem of stems) if (stem !== key) others.add(stem);
    built.set(key, others);
  };
  for (const row of lexicon.same) {
    const stems = row.split(' ').map(stemOf);
    for (const stem of stems) add(stem, stems);
  }
  for (const [said, meant] of Object.entries(lexicon.leads))
    add(keyOf(splitWords(said)), meant.split(' ').map(stemOf));
  return built;
}

const keyOf = (words: readonly string[]): string => words.map(stemOf).join(' ');

/** Stems of words that who says this may mean. The list is read when it is first asked. */
const meaningsOf = (key: string): ReadonlySet<string> => (byKey ??= build()).get(key) ?? NONE;

interface Concept {
  /** Stem of the word that was said. An expression (`get rid of`) and a word of every question (`who`) have none: only what they mean counts. */
  readonly term: string | null;
  /** Stems of words that mean it too. */
  readonly meanings: ReadonlySet<string>;
}

/** `take the label off`. */
const PARTICLES = new Set('away back down off out up'.split(' '));
const APART = 4;

/** An expression, the longest first, counts in addition to its words. */
function conceptsOf(text: string): readonly Concept[] {
  const words = splitWords(text);
  const concepts = new Map<string, Concept>();
  for (let at = 0; at < words.length;) {
    const phrase = words.slice(at, at + expressionAt(words, at));
    const isWhole = phrase.length > 1 || phrase.every(isStopWord);
    const key = keyOf(isWhole ? phrase : partedAt(words, at));
    const meanings = meaningsOf(key);
    if (meanings.size > 0) concepts.set(key, { term: null, meanings });
    for (const term of phrase.filter((word) => !isStopWord(word)).map(stemOf))
      if (!concepts.has(term)) concepts.set(term, { term, meanings: meaningsOf(term) });
    at += phrase.length;
  }
  return [...concepts.values()];
}

/** A word and the first particle that follows it at a distance; nothing where none does. */
function partedAt(words: readonly string[], at: number): readonly string[] {
  const first = at + 2;
  const particle = words.slice(first, first + APART).find((word) => PARTICLES.has(word));
  return particle === undefined ? [] : [words[at] ?? '', particle];
}

/** Words of the longest expression that begins here; one where none does. */
function expressionAt(words: readonly string[], at: number): number {
  for (let length = Math.min(EXPRESSION_WORDS, words.length - at); length > 1; length -= 1)
    if (meaningsOf(keyOf(words.slice(at, at + length))).size > 0) return length;
  return 1;
}

/**
 * Fields of a tool: how much a word in it counts, and how much its length takes away (`b` of BM25). Tuned on the `dev` queries of
 * bench/selection and on those of tests/contract/find-tools.test.ts.
 */
const FIELDS = {
  name: { weight: 4, lengthShare: 0.5 },
  title: { weight: 2, lengthShare: 0.5 },
  keywords: { weight: 3, lengthShare: 0.2 },
  category: { weight: 1, lengthShare: 0 },
  summary: { weight: 2, lengthShare: 0.6 },
  description: { weight: 0.7, lengthShare: 0.75 },
  parameters: { weight: 1, lengthShare: 0.7 },
  parameterTexts: { weight: 0.2, lengthShare: 0.8 },
} as const;

/** The terms of one tool in one field. */
interface FieldTerms {
  readonly weight: number;
  readonly lengthShare: number;
  readonly terms: readonly string[];
}

/** How soon more of the same word adds nothing (`k1` of BM25). */
const SATURATION = 1.6;
const MEANING = 0.6;
const PREFIX = 0.5;
const SUFFIX = 0.5;
const SLIP = 0.6;
/** Two words next to each other, in addition to each alone. */
const PAIR = 0.4;
/** Lightest field whose pairs count: those of long texts are half of the index, and find nothing more. */
const PAIRED = 1;
/** How much a tool loses that has only some of what was asked: the share that it has, to this power. */
const COVERAGE = 0.3;
/** Shorter words begin and end too many others. */
const PART_LENGTH = 4;

const SUMMARY_LENGTH = 200;
const TEXT_LENGTH = 600;
const PARAMETERS_MAX = 64;
const PARAMETER_LENGTH = 120;

/** A question favours tools that read. */
const ASKS = new Set('what which who whose show how where when did does is are has'.split(' '));
const READS = 'get list search find retrieve read'.split(' ').map(stemOf);
const ASKED = 0.3;

/** Scores by the number of a tool. */
type Scores = Map<number, number>;

/** An index over the text of tools: BM25F, each field by its own length. Words match their stems, meanings, beginnings and ends. */
export class ToolIndex {
  /** Term → the number of a tool → how much of the term it has. */
  readonly #postings = new Map<string, Scores>();
  /** The terms that are one word. */
  readonly #words: readonly string[];
  /** Numbers by whole names: one may be of words that every text has, such as `who_am_i`. */
  readonly #names: ReadonlyMap<string, number>;
  readonly #size: number;

  constructor(tools: readonly SelectableTool[]) {
    this.#size = tools.length;
    const entries = tools.map(fieldsOf);
    const lengths = averageLengths(entries);
    for (const [number, fields] of entries.entries())
      for (const [place, field] of fields.entries()) this.#add(number, field, lengths[place] ?? 1);
    this.#names = new Map(tools.map(({ name }, number) => [wordsOf(name), number]));
    this.#words = [...this.#postings.keys()].filter((term) => !term.includes(' '));
  }

  #add(number: number, { weight, lengthShare, terms }: FieldTerms, average: number): void {
    const share = weight / (1 - lengthShare + (lengthShare * terms.length) / average);
    const pairs = weight < PAIRED ? [] : pairsOf(terms);
    for (const term of [...terms, ...pairs]) {
      const postings = this.#postings.get(term) ?? new Map<number, number>();
      postings.set(number, (postings.get(number) ?? 0) + share);
      this.#postings.set(term, postings);
    }
  }

  /** Scores of the tools that have something of `text`. */
  search(text: string): Scores {
    const scores = this.#cover(conceptsOf(text));
    for (const pair of new Set(pairsOf(toTerms(text)))) addAll(scores, this.#best([[pair, PAIR]]));
    const [first = ''] = splitWords(text);
    if (ASKS.has(first) && scores.size > 0) addAll(scores, this.#best(READS.map((term) => [term, ASKED])));
    const named = this.#names.get(wordsOf(text));
    // A request that is the name of a tool means that tool.
    if (named !== undefined && first !== '') scores.set(named, 1 + Math.max(...scores.values(), 0));
    return scores;
  }

  #cover(concepts: readonly Concept[]): Scores {
    const scores: Scores = new Map();
    const covered: Scores = new Map();
    for (const concept of concepts) {
      const found = this.#scoreConcept(concept);
      addAll(scores, found);
      for (const number of found.keys()) covered.set(number, (covered.get(number) ?? 0) + 1);
    }
    for (const [number, score] of scores)
      scores.set(number, score * ((covered.get(number) ?? 0) / concepts.length) ** COVERAGE);
    return scores;
  }

  /** A tool gets the best of what a word may mean, not all of it. */
  #scoreConcept({ term, meanings }: Concept): Scores {
    const others = [...meanings].map((other) => [other, MEANING] as const);
    if (term === null) return this.#best(others);
    const found = this.#best([[term, 1], ...others, ...this.#parts(term)], this.#rarity(term));
    return found.size > 0 ? found : this.#best(this.#slips(term));
  }

  /** Words that begin or end with this one: `mongo` in `mongodb`, `mail` in `gmail`. */
  #parts(term: string): readonly (readonly [string, number])[] {
    if (term.length < PART_LENGTH) return [];
    return this.#words.flatMap((other) => {
      if (other === term) return [];
      if (other.startsWith(term)) return [[other, (PREFIX * term.length) / other.length]];
      return other.endsWith(term) ? [[other, SUFFIX]] : [];
    });
  }

  /** For a word that no tool has: words that differ by a slip of the pen. */
  #slips(term: string): readonly (readonly [string, number])[] {
    if (term.length < PART_LENGTH || term.length > 32) return [];
    const most = term.length < 8 ? 1 : 2;
    return this.#words
      .filter((other) => Math.abs(other.length - term.length) <= most && editDistance(term, other) <= most)
      .map((other) => [other, SLIP]);
  }

  /** How few tools have a word (IDF of BM25); no bound for one that none has. */
  #rarity(term: string): number {
    const { size = 0 } = this.#postings.get(term) ?? {};
    return size === 0 ? Infinity : Math.log(1 + (this.#size - size + 0.5) / (size + 0.5));
  }

  /** @param rarest a synonym is not worth more for being rarer than the word that was said */
  #best(terms: readonly (readonly [term: string, weight: number])[], rarest = Infinity): Scores {
    const best: Scores = new Map();
    for (const [term, weight] of terms) {
      const postings = this.#postings.get(term);
      if (postings === undefined) continue;
      const rarity = Math.min(this.#rarity(term), rarest);
      for (const [number, frequency] of postings) {
        const score = (weight * rarity * frequency * (SATURATION + 1)) / (frequency + SATURATION);
        if (score > (best.get(number) ?? 0)) best.set(number, score);
      }
    }
    return best;
  }
}

const wordsOf = (text: string): string => splitWords(text).join(' ');

const pairsOf = (terms: readonly string[]): readonly string[] =>
  terms.slice(1).map((term, place) => `${terms[place]} ${term}`);

function addAll(scores: Scores, more: Scores): void {
  for (const [number, score] of more) scores.set(number, (scores.get(number) ?? 0) + score);
}

/** The fields of a tool, in the same order for each. */
function fieldsOf(tool: SelectableTool): readonly FieldTerms[] {
  const { name, title = '', description, inputSchema, keywords = '', category = '' } = tool;
  const [summary = ''] = description
    .slice(0, SUMMARY_LENGTH)
    .trimStart()
    .split(/(?<=[.!?])\s|\n/u);
  const rest = description.trimStart().slice(summary.length, TEXT_LENGTH);
  const parameters = parametersOf(inputSchema);
  return [
    { ...FIELDS.name, terms: toTerms(name) },
    { ...FIELDS.title, terms: toTerms(title) },
    { ...FIELDS.keywords, terms: toTerms(keywords) },
    { ...FIELDS.category, terms: toTerms(category) },
    { ...FIELDS.summary, terms: toTerms(summary) },
    { ...FIELDS.description, terms: toTerms(rest) },
    { ...FIELDS.parameters, terms: parameters.flatMap(([parameter]) => toTerms(parameter)) },
    { ...FIELDS.parameterTexts, terms: parameters.flatMap(([, text]) => toTerms(text)) },
  ];
}

/** Names and descriptions of parameters. Schemas of other servers may hold anything. */
function parametersOf({ properties }: JsonObject): readonly (readonly [name: string, text: string])[] {
  if (!isObject(properties)) return [];
  return Object.entries(properties)
    .slice(0, PARAMETERS_MAX)
    .map(([name, schema]) => {
      const text = isObject(schema) ? schema['description'] : undefined;
      return [
        name.slice(0, PARAMETER_LENGTH),
        typeof text === 'string' ? text.slice(0, PARAMETER_LENGTH) : '',
      ];
    });
}

/** Mean number of terms in each field; 1 where no tool has any. */
const averageLengths = (entries: readonly (readonly FieldTerms[])[]): readonly number[] =>
  (entries[0] ?? []).map((_field, place) => {
    const sum = entries.reduce((total, fields) => total + (fields[place]?.terms.length ?? 0), 0);
    return sum / entries.length || 1;
  });
