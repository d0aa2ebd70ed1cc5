import { describe, expect, it, test } from 'vitest';
import { texts as widgets } from '../../../extension/widgets/common/words.ts';
import { formatNote, NOTES, wordNote, type Note } from '../../../shared/core/notes.ts';
import {
  mapTexts,
  addTranslation,
  type Catalogue,
  type Template,
} from '../../../extension/ui/words/catalogue.ts';
import { cardTexts } from '../../../extension/ui/words/en/card.ts';
import { commonTexts } from '../../../extension/ui/words/en/common.ts';
import { componentTexts } from '../../../extension/ui/words/en/components.ts';
import { faceTexts } from '../../../extension/ui/words/en/faces.ts';
import { kindTexts } from '../../../extension/ui/words/en/kinds.ts';
import { badgeTexts, faultTexts } from '../../../extension/ui/words/en/link.ts';
import { noteTexts } from '../../../extension/ui/general-render.tsx';
import { panelTexts } from '../../../extension/ui/words/en/panel.ts';
import {
  ledgerTexts,
  outputTexts,
  settingTexts,
  upstreamTexts,
} from '../../../extension/ui/words/en/parts.ts';
import { popupTexts, welcomeTexts } from '../../../extension/ui/words/en/popup.ts';
import { pickTexts, recordTexts } from '../../../extension/ui/words/en/record.ts';
import { rulesTexts } from '../../../extension/ui/words/en/rules.ts';
import { toolTexts } from '../../../extension/ui/words/en/tools.ts';
import { formatDuration, formatSize } from '../../../extension/ui/words/format.ts';
import { formatIn, languageOfFile, LANGUAGES, type Language } from '../../../extension/ui/words/locale.ts';
import chinese from '../../../extension/ui/words/zh-CN.json' with { type: 'json' };

type Sections = Readonly<Record<string, Readonly<Record<string, Template>>>>;

const FILES = import.meta.glob<Sections>('../../../extension/ui/words/*.json', {
  import: 'default',
  eager: true,
});

const CATALOGUES: readonly Catalogue<object>[] = [
  ...[cardTexts, commonTexts, componentTexts, faceTexts, kindTexts, badgeTexts, faultTexts, panelTexts],
  ...[popupTexts, welcomeTexts, pickTexts, recordTexts, rulesTexts, toolTexts, noteTexts, widgets],
  ...[ledgerTexts, outputTexts, settingTexts, upstreamTexts],
];

/** The templates of a catalogue by their path. */
function englishOf({ english }: Catalogue<object>): ReadonlyMap<string, Template> {
  const found = new Map<string, Template>();
  mapTexts(english, (one, path) => found.set(path, typeof one === 'string' ? one : one.template));
  return found;
}

const ENGLISH: ReadonlyMap<string, ReadonlyMap<string, Template>> = new Map(
  CATALOGUES.map((texts) => [texts.section, englishOf(texts)]),
);

const formsOf = (template: Template): readonly [form: string, text: string][] =>
  typeof template === 'string' ? [['other', template]] : Object.entries(template);

const placesIn = (template: Template): readonly string[] =>
  [...new Set(formsOf(template).flatMap(([, text]) => text.match(/\{\w+\}/g) ?? []))].toSorted();

/** The forms that a language needs for the counts that English tells apart. */
function neededForms(english: Template, language: Language): readonly string[] {
  if (typeof english === 'string') return ['other'];
  const numbers = Object.keys(english).filter((form) => /^\d/.test(form));
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  return [...numbers, ...('one' in english ? pluralCategories : ['other'])].toSorted();
}

/** Texts that are the same in every language: names, examples, and places alone. */
const SAME = /^(Spillway|null|https:\/\/shop\.example\.com\/cart|claude-code|\{\w+\})$/;

it('every language but English has a file', () => {
  const files = Object.keys(FILES).map((path) => /([^/]+)\.json$/.exec(path)?.[1]);
  expect(['en', ...files]).toEqual(LANGUAGES.map(([code]) => code));
});

describe.each(Object.entries(FILES))('%s', (path, translation) => {
  const language = languageOfFile(path);

  it('has the sections of the catalogues', () => {
    expect(Object.keys(translation).toSorted()).toEqual([...ENGLISH.keys()].toSorted());
  });

  it.each([...ENGLISH])('translates each text of %s once, with the same places', (section, english) => {
    const texts = translation[section] ?? {};
    expect(Object.keys(texts).toSorted()).toEqual([...english.keys()].toSorted());
    for (const [key, template] of english) {
      const translated = texts[key] ?? '';
      const forms = formsOf(translated);
      expect([key, placesIn(translated)]).toEqual([key, placesIn(template)]);
      expect([key, forms.map(([form]) => form).toSorted()]).toEqual([key, neededForms(template, language)]);
      expect([key, forms.filter(([, text]) => text.trim() === '')]).toEqual([key, []]);
    }
  });
});

test.each([...ENGLISH])('the texts of %s that are Chinese have Chinese characters', (section) => {
  const texts = Object.entries((chinese as Sections)[section] ?? {});
  const strange = texts.flatMap(([key, template]) =>
    formsOf(template).flatMap(([, text]) =>
      SAME.test(text) || /\p{Script=Han}/u.test(text) || /^[\W\d]*$/.test(text.replaceAll(/\{\w+\}/g, ''))
        ? []
        : [`${key}: ${text}`],
    ),
  );
  expect(strange).toEqual([]);
});

it.each([
  ['zh-CN', ['44毫秒', '4.2秒', '516 B', '4.2 kB']],
  ['en', ['44 ms', '4.2 s', '516 B', '4.2 kB']],
] as const)('sets units apart in %s', (language, shown) => {
  formatIn(language, language);
  expect([formatDuration(44), formatDuration(4_200), formatSize(516), formatSize(4_200)]).toEqual(shown);
});

it('counts in the forms of the language', () => {
  addTranslation('zh-CN', chinese);
  const { tools, quoted } = cardTexts('en');
  expect([1, 2, 1_200].map((count) => tools.crawlPages({ count }).join(''))).toEqual([
    'It stops after 1 page.',
    'It stops after 2 pages.',
    'It stops after 1,200 pages.',
  ]);
  expect(quoted.size({ characters: 2, count: 1 })).toBe('2 characters in 1 line.');
  expect(badgeTexts('en').connected({ count: 0 })).toBe('Spillway: connected, no agent at the moment');
  expect(badgeTexts('zh-CN').connected({ count: 1 })).toBe('Spillway：已连接，1 个服务器');
});

test.each(Object.entries(NOTES))('the note %s is found by its text, and said in Chinese', (name, english) => {
  const places = [...english.matchAll(/\{(\w+)\}/g)].map(([place, key = '']) => [key, place] as const);
  const note = formatNote(name as Note, Object.fromEntries(places.map(([key]) => [key, `<${key}>`])));
  expect(wordNote(note, (found) => found)).toBe(name);
  const translated = wordNote(note, (found) => chinese.notes[found as Note]);
  expect(translated).toMatch(/\p{Script=Han}/u);
  for (const [key] of places) expect(translated).toContain(`<${key}>`);
});
