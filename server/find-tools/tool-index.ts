import MiniSearch from 'minisearch';
import { stemmer } from 'stemmer';
import { isObject, type JsonObject } from '../../shared/base/json.ts';
import { cachedIn, valueIn } from '../../shared/base/maps.ts';
import type { SelectableTool } from '../core/registry/selector.ts';
import lexicon from './lexicon.json';

/** Words that occur in every text or every question. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  'a all an and are as at be by can do does for from how i in is it its me my not of on one or that the these this to use what when where which with you your'.split(
    ' ',
  ),
);

/** A word in a full-text index's form; null for words that occur in every text or every question. */
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

/** Forms that no rule of endings covers: form and word. */
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
  return cachedIn(stems, word, STEMS_MAX, () =>
    word.length > 2 ? stemmer(IRREGULAR.get(word) ?? word) : word,
  );
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

/** Words of `same` are synonyms. The left side of `leads` may mean its right side, but not the reverse. */
function build(): ReadonlyMap<string, ReadonlySet<string>> {
  const built = new Map<string, Set<string>>();
  const add = (key: string, stems: readonly string[]): void => {
    const others = valueIn(built, key, () => new Set());
    for (const stem of stems) if (stem !== key) others.add(stem);
  };
  for (const row of lexicon.same) {
    const stems = row.split(' ').map(stemOf);
    for (const stem of stems) add(stem, stems);
  }
  for (const [said, meant] of Object.entries(lexicon.leads))
    add(stemKey(splitWords(said)), meant.split(' ').map(stemOf));
  return built;
}

const stemKey = (words: readonly string[]): string => words.map(stemOf).join(' ');

/** Stems of words that this may mean. The list is read on first use. */
const meaningsOf = (key: string): ReadonlySet<string> => (byKey ??= build()).get(key) ?? NONE;

interface Concept {
  /**
   * Stem of the word itself. An expression (`get rid of`) and a word of every question (`who`) have none:
   * only their meanings count.
   */
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
    const key = stemKey(isWhole ? phrase : joinParticle(words, at));
    const meanings = meaningsOf(key);
    if (meanings.size > 0) concepts.set(key, { term: null, meanings });
    for (const term of phrase.filter((word) => !isStopWord(word)).map(stemOf))
      if (!concepts.has(term)) concepts.set(term, { term, meanings: meaningsOf(term) });
    at += phrase.length;
  }
  return [...concepts.values()];
}

/** A word and the first particle that follows it at a distance; nothing if none does. */
function joinParticle(words: readonly string[], at: number): readonly string[] {
  const first = at + 2;
  const particle = words.slice(first, first + APART).find((word) => PARTICLES.has(word));
  return particle === undefined ? [] : [words[at] ?? '', particle];
}

/** Words of the longest expression that begins here; one if none does. */
function expressionAt(words: readonly string[], at: number): number {
  for (let length = Math.min(EXPRESSION_WORDS, words.length - at); length > 1; length -= 1)
    if (meaningsOf(stemKey(words.slice(at, at + length))).size > 0) return length;
  return 1;
}

/** Fields of a tool, and how much a word in each counts. Tuned on the `dev` queries of bench/selection and on those of tests/find-tools/contract/find-tools.test.ts. */
const FIELDS = {
  name: 3,
  title: 1.5,
  keywords: 3,
  category: 1,
  summary: 2,
  description: 1,
  parameters: 0.7,
  parameterTexts: 0.3,
};

const MEANING = 0.5;
const PREFIX = 0.5;
const SLIP = 0.3;
/** A tool with only part of the request's words loses by this power of its share. */
const COVERAGE = 0.8;
/** Shorter words begin too many others. */
const PART_LENGTH = 4;

const SUMMARY_LENGTH = 200;
const TEXT_LENGTH = 600;
const PARAMETERS_MAX = 64;
const PARAMETER_LENGTH = 120;

/** A question favours tools that read. */
const ASKS = new Set('what which who whose show how where when did does is are has'.split(' '));
const READS = 'get list search find retrieve read'.split(' ').map(stemOf);
const ASKED = 0.1;

/**
 * An index over the text of tools. Words match by stem, synonym and prefix; a word that no tool has matches similar
 * ones.
 */
export class ToolIndex {
  readonly #index = new MiniSearch({
    fields: Object.keys(FIELDS),
    tokenize: (text) => text.split(' '),
    processTerm: (term) => term,
    searchOptions: { boost: FIELDS, weights: { prefix: PREFIX, fuzzy: SLIP } },
  });
  readonly #known: ReadonlySet<string>;
  /** Numbers by whole names: a name may consist of words that every text has, such as `who_am_i`. */
  readonly #names: ReadonlyMap<string, number>;

  constructor(tools: readonly SelectableTool[]) {
    const entries = tools.map(fieldsOf);
    this.#index.addAll(entries.map((fields, id) => ({ ...fields, id })));
    this.#known = new Set(entries.flatMap((fields) => Object.values(fields).join(' ').split(' ')));
    this.#names = new Map(tools.map(({ name }, number) => [joinWords(name), number]));
  }

  /** Scores of the tools that have something of `text`, by their numbers. */
  search(text: string): ReadonlyMap<number, number> {
    const concepts = conceptsOf(text).map(({ term, meanings }) => [
      ...(term === null ? [] : [{ term, weight: 1 }]),
      ...[...meanings].map((meaning) => ({ term: meaning, weight: MEANING })),
    ]);
    const [first = ''] = splitWords(text);
    const asked = ASKS.has(first) ? READS.map((term) => ({ term, weight: ASKED })) : [];
    const terms = [...concepts.flat(), ...asked];
    const isSaid = (at: number): boolean => terms[at]?.weight === 1;
    const found = this.#index.search(terms.map(({ term }) => term).join(' '), {
      boostTerm: (_, at) => terms[at]?.weight ?? 0,
      prefix: (term, at) => isSaid(at) && term.length >= PART_LENGTH,
      fuzzy: (term, at) => isSaid(at) && !this.#known.has(term) && slipsIn(term),
    });
    const scores = new Map<number, number>();
    // MiniSearch multiplies a score by the number of terms that were found, which rewards a word with many meanings.
    for (const { id, score, queryTerms } of found) {
      const covered = concepts.filter((concept) =>
        concept.some(({ term }) => queryTerms.includes(term)),
      ).length;
      if (covered > 0)
        scores.set(Number(id), (score / queryTerms.length) * (covered / concepts.length) ** COVERAGE);
    }
    const named = this.#names.get(joinWords(text));
    // A request that is a tool's name means that tool.
    if (named !== undefined && first !== '') scores.set(named, 1 + Math.max(...scores.values(), 0));
    return scores;
  }
}

/** How many letters of a word may be others. */
function slipsIn({ length }: string): number | false {
  if (length < PART_LENGTH || length > 32) return false;
  return length < 8 ? 1 : 2;
}

const joinWords = (text: string): string => splitWords(text).join(' ');

function fieldsOf(tool: SelectableTool): Record<keyof typeof FIELDS, string> {
  const { name, title = '', description, inputSchema, keywords = '', category = '' } = tool;
  const [summary = ''] = description
    .slice(0, SUMMARY_LENGTH)
    .trimStart()
    .split(/(?<=[.!?])\s|\n/u);
  const rest = description.trimStart().slice(summary.length, TEXT_LENGTH);
  const parameters = parametersOf(inputSchema);
  const termsOf = (...texts: readonly string[]): string => texts.flatMap(toTerms).join(' ');
  return {
    name: termsOf(name),
    title: termsOf(title),
    keywords: termsOf(keywords),
    category: termsOf(category),
    summary: termsOf(summary),
    description: termsOf(rest),
    parameters: termsOf(...parameters.map(([parameter]) => parameter)),
    parameterTexts: termsOf(...parameters.map(([, text]) => text)),
  };
}

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
