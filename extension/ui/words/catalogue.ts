import { languageOfFile, shownLocale, type Language } from './locale.ts';
import { say, type Sentence, type SentencePart } from './sentence.ts';

/** Texts by what `{count}` is: a number itself (`0`), else its plural category in the language. */
interface Forms {
  readonly other: string;
  readonly [form: string]: string;
}
export type Template = string | Forms;

/** Texts of a catalogue by their path in it: `tools.goto`. */
type Section = Readonly<Record<string, Template>>;
/** A language's file: sections by the name of their catalogue. */
export type Translation = Readonly<Record<string, Section>>;

type PlacesIn<T> = T extends `${string}{${infer Place}}${infer Rest}` ? Place | PlacesIn<Rest> : never;
type Values<T extends Template, Value> = {
  readonly [Place in PlacesIn<T extends string ? T : T[keyof T]>]: T extends string
    ? Value
    : Place extends 'count'
      ? number
      : Value;
};

/** A text with places for values, which a call fills. */
export interface Message<V, Result> {
  (...values: [keyof V] extends [never] ? [] : [values: V]): Result;
  readonly template: Template;
  readonly translate: (template: Template, language: Language) => Message<V, Result>;
}

const PLACE = /\{(\w+)\}/;

const formOf = (forms: Forms, language: Language, count: unknown): string =>
  forms[String(count)] ?? forms[new Intl.PluralRules(language).select(Number(count))] ?? forms.other;

/** @param join the words around places, and the values at them, in order */
function message<Value, Result>(
  template: Template,
  language: Language,
  join: (words: readonly string[], values: readonly (Value | string)[]) => Result,
): Message<Readonly<Record<string, Value | number>>, Result> {
  const write = (values: Readonly<Record<string, Value | number>> = {}): Result => {
    const form = typeof template === 'string' ? template : formOf(template, language, values['count']);
    const pieces = form.split(PLACE);
    const places = pieces.filter((_piece, at) => at % 2 === 1);
    const shown = places.map((place) => {
      const value = values[place] ?? '';
      return typeof value === 'number' ? value.toLocaleString(shownLocale()) : value;
    });
    return join(
      pieces.filter((_piece, at) => at % 2 === 0),
      shown,
    );
  };
  const translate = (other: Template, spoken: Language) => message(other, spoken, join);
  return Object.assign(write, { template, translate });
}

/** A text with places: `text('Open {url}')`. */
export function text<const T extends Template>(template: T): Message<Values<T, string | number>, string>;
export function text(template: Template) {
  return message<string, string>(template, 'en', (words, values) => String.raw({ raw: words }, ...values));
}

/** Our own words, in which values may be quotes of what an agent or a page wrote. */
export function sentence<const T extends Template>(
  template: T,
): Message<Values<T, SentencePart | number>, Sentence>;
export function sentence(template: Template) {
  return message<SentencePart, Sentence>(template, 'en', (words, values) => say(words, ...values));
}

type AnyText = string | Message<never, unknown>;

/** A tree like the given one, with another text in place of each. */
export function mapTexts<T>(tree: T, replace: (one: AnyText, path: string) => unknown, path?: string): T;
export function mapTexts(tree: object, replace: (one: AnyText, path: string) => unknown, path = ''): object {
  const entries = Object.entries(tree).map(([key, one]: [string, AnyText | object]) => {
    const to = path === '' ? key : `${path}.${key}`;
    return [key, isText(one) ? replace(one, to) : mapTexts(one, replace, to)] as const;
  });
  return Array.isArray(tree) ? entries.map(([, one]) => one) : Object.fromEntries(entries);
}

const isText = (one: AnyText | object): one is AnyText => typeof one === 'string' || 'template' in one;

/** Texts by language. English ones are in code, and shown until another language has been added. */
export interface Catalogue<T> {
  (language: Language): T;
  /** Its name in a language's file. */
  readonly section: string;
  /** Its own texts, without those that it shares. */
  readonly english: unknown;
}

const translations = new Map<Language, Translation>();

export const addTranslation = (language: Language, translation: Translation): void =>
  void translations.set(language, { ...translations.get(language), ...translation });

/**
 * Adds a catalogue's texts in every language, for a program that loads nothing later.
 * @param files sections by the path of their file, as a glob import gives them
 */
export function addSection(section: string, files: Readonly<Record<string, Section>>): void {
  for (const [path, texts] of Object.entries(files))
    addTranslation(languageOfFile(path), { [section]: texts });
}

/** @param shared texts that it also has, where it has none of the same name */
export function catalogue<T extends object, S extends object = object>(
  section: string,
  english: T,
  shared?: Catalogue<S>,
): Catalogue<Omit<S, keyof T> & T>;
export function catalogue(section: string, english: object, shared?: Catalogue<object>): Catalogue<object> {
  const spoken = new Map<Language, object>();
  const texts = (language: Language): object => {
    const known = spoken.get(language);
    if (known !== undefined) return known;
    const translation = translations.get(language)?.[section];
    const own = translation === undefined ? english : mapTexts(english, translated(translation, language));
    const all = { ...shared?.(language), ...own };
    if (translation !== undefined || language === 'en') spoken.set(language, all);
    return all;
  };
  return Object.assign(texts, { section, english });
}

const translated =
  (translation: Section, language: Language) =>
  (one: AnyText, path: string): unknown => {
    const template = translation[path];
    if (template === undefined) return one;
    return typeof one === 'string' ? template : one.translate(template, language);
  };
