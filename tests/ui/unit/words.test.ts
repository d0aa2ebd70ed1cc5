import { describe, expect, it, test } from 'vitest';
import { texts as widgets } from '../../../extension/widgets/common/words.ts';
import { formatNote, NOTES, wordNote, type Note } from '../../../shared/core/notes.ts';
import { isObject } from '../../../shared/base/json.ts';
import { cardTexts as card } from '../../../extension/ui/words/en/card.ts';
import { componentTexts as components } from '../../../extension/ui/words/en/components.ts';
import { faceTexts as faces } from '../../../extension/ui/words/en/faces.ts';
import { badgeTexts as badge, faultTexts as faults } from '../../../extension/ui/words/en/link.ts';
import { panelTexts as panel } from '../../../extension/ui/words/en/panel.ts';
import { partTexts as parts } from '../../../extension/ui/words/en/parts.ts';
import { popupTexts as popup, welcomeTexts as welcome } from '../../../extension/ui/words/en/popup.ts';
import { rulesTexts as rules } from '../../../extension/ui/words/en/rules.ts';
import { toolTexts as tools } from '../../../extension/ui/words/en/tools.ts';
import { formatDuration, formatIn, formatSize } from '../../../extension/ui/words/format.ts';
import '../../../extension/ui/words/zh-CN/index.ts';

const ALL = { card, components, faces, badge, faults, panel, parts, popup, welcome, rules, tools, widgets };

/** Texts that are the same in every language: names and examples. */
const SAME = new Set(['Spillway', 'null', 'https://shop.example.com/cart', 'claude-code']);

/** The texts of a catalogue by path. Functions get `2` for every argument, as text: it counts as a number. */
function textsOf(value: unknown, path: string): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') {
    const args: unknown[] = Array.from({ length: value.length }, () => '2');
    return textsOf(/ownRule|restart/.test(path) ? value(['2']) : value(...args), path);
  }
  if (Array.isArray(value)) return [[path, value.map(String).join('')]];
  return isObject(value) ? Object.entries(value).flatMap(([key, one]) => textsOf(one, `${path}.${key}`)) : [];
}

describe.each(Object.entries(ALL))('%s', (name, texts) => {
  const english = new Map(textsOf(texts('en'), name));

  it('says in Chinese what it says in English', () => {
    const chinese = textsOf(texts('zh-CN'), name);
    expect(chinese.map(([path]) => path).toSorted()).toEqual([...english.keys()].toSorted());
    const untranslated = chinese.filter(
      ([path, text]) =>
        !SAME.has(text) && (text === '' || !/\p{Script=Han}/u.test(text)) && english.get(path) !== '2',
    );
    expect(untranslated).toEqual([]);
  });
});

it.each([
  ['zh-CN', ['44毫秒', '4.2秒', '516 B', '4.2 kB']],
  ['en', ['44 ms', '4.2 s', '516 B', '4.2 kB']],
] as const)('sets units apart in %s', (language, shown) => {
  formatIn(language, language);
  expect([formatDuration(44), formatDuration(4_200), formatSize(516), formatSize(4_200)]).toEqual(shown);
});

it('counts one in the singular', () => {
  const { crawl, oc_connection_health: health, oc_evidence_bundle: evidence } = faces('en');
  const { tools: asked, quoted } = card('en');
  const sentences = [asked.crawlPages(1), asked.extractNext(1), quoted.size(2, 1)].flat();
  const counted = [crawl.left(1), health.times(1), evidence.secrets(1), ...sentences].join(' ');
  expect(counted).not.toMatch(/addresses were|times|secrets|lines|pages/);
});

test.each(Object.entries(NOTES))('the note %s is found by its text, and said in Chinese', (name, english) => {
  const places = [...english.matchAll(/\{(\w+)\}/g)].map(([place, key = '']) => [key, place] as const);
  const note = formatNote(name as Note, Object.fromEntries(places.map(([key]) => [key, `<${key}>`])));
  expect(wordNote(note, (found) => found)).toBe(name);
  const chinese = wordNote(note, components('zh-CN').noteOf);
  expect(chinese).toMatch(/\p{Script=Han}/u);
  for (const [key] of places) expect(chinese).toContain(`<${key}>`);
});
