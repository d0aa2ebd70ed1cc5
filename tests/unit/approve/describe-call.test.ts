import { cardTexts } from '../../../extension/words/en/card.ts';
import { expect, it } from 'vitest';
import { describeCall } from '../../../extension/panel/ask/describe-call.ts';
import { readArgs, writeArgs } from '../../../extension/panel/ask/args-editor.tsx';
import { STEP_KINDS } from '../../../shared/act/step-words.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { MANIFESTS } from '../../../shared/tools/index.ts';

const SHOP = { title: 'The tool', url: 'https://shop.example/cart' };

/** The sentences of a call, with « » around quotes. */
const words = (tool: string, args: JsonObject | null, more: object = { tab: {} }): string[] =>
  describeCall({ ...SHOP, tool, args, ...more }, cardTexts('en')).map((sentence) =>
    sentence.map((part) => (typeof part === 'string' ? part : `«${part.quote}»`)).join(''),
  );

const act = (...steps: (string | JsonObject)[]): string[] => words('interact', { steps });

it.each([
  ['click text="Pay now"', 'Click «Pay now».'],
  ['click role=button[name="Pay €240.00"]', 'Click the button «Pay €240.00».'],
  ['click css=#pay >> text=OK', 'Click the element at «css=#pay >> text=OK».'],
  ['Shift+click e1', 'Holding «Shift»: Click element «e1» of the page.'],
  [{ do: 'click', target: 'e1', modifiers: ['Alt'] }, 'Holding «Alt»: Click element «e1» of the page.'],
  ['fill label="Card holder" Ada Lovelace', 'Fill the field «Card holder» with «Ada Lovelace».'],
  ['press e4 Enter', 'Press «Enter» in element «e4» of the page.'],
  ['upload e7 /cv.pdf', 'Give the page a copy of «/cv.pdf» through element «e7» of the page.'],
  ['dialog dismiss', "Press Cancel in the page's dialog."],
  ['dialog accept delete atlas', "Answer the page's dialog with «delete atlas»."],
  ['delete everything', 'Unknown step: «delete everything». It will be refused.'],
])('%s', (step, sentence) => expect(act(step)).toEqual([sentence]));

it.each(STEP_KINDS)('has a sentence for %s', (kind) => {
  const [sentence] = act({ do: kind, target: 'e1', value: 'v', to: 'e2' });
  expect(sentence).toMatch(/^[A-Z].*\.$/);
  expect(sentence).not.toContain('does not know');
});

it('says what fields are set to, before the steps', () => {
  const fields = { Email: 'a@b.example', 'I agree': true, News: false, Pin: 'secret:PIN' };
  expect(words('interact', { fields, steps: ['submit'] })).toEqual([
    'Fill the field «Email» with «a@b.example».',
    'Check the field «I agree».',
    'Uncheck the field «News».',
    'Fill the field «Pin» with your secret «PIN». The agent does not see it.',
    'Submit the form.',
  ]);
});

it('a crawl says where it starts, how far it goes and when it stops', () => {
  const url = 'https://a.example/';
  const urls = [url, 'https://b.example/'];
  expect(words('crawl', { url, urls, scope: 'origin', max_pages: 200, max_depth: 1 })).toEqual([
    'Follow the links from «https://a.example/», and read every page that they lead to.',
    'It also starts at «https://b.example/».',
    'It stays on the sites that it starts at.',
    'It reads no page that is more than 1 link away from where it starts.',
    'It stops after 200 pages.',
  ]);
});

const touching = MANIFESTS.filter(({ faces }) => faces.extension).map(({ name }) => name);
it.each(touching)('every tool %s has sentences of its own, whatever its arguments', (tool) => {
  for (const args of [{}, { url: 5, steps: 'x', fields: [], action: 7, query: {} }]) {
    const sentences = words(tool, args);
    expect(sentences.length).toBeGreaterThan(0);
    expect(sentences.join()).not.toMatch(/undefined|\[object/);
  }
});

it('a page is opened in a new tab only by a call without one', () => {
  expect(words('navigate', {}, { tab: null })).toEqual(['Open «https://shop.example/cart» in a new tab.']);
  expect(words('navigate', {})).toEqual(['Open «https://shop.example/cart».']);
});

it.each<[string, JsonObject, Record<string, string>, string]>([
  ['dialog', { action: 'accept' }, { 'the dialog': 'Buy?' }, 'The dialog says: «Buy?»'],
  ['interact', { steps: ['dialog accept'] }, { 'the dialog': 'Buy?' }, 'The dialog says: «Buy?»'],
  ['interact', { steps: ['click text=e'] }, { 'text=e': 'button Pay me' }, 'Click «button Pay me».'],
  ['interact', { fields: { To: 'a' } }, { 'field To': 'box Tone' }, 'Fill «box Tone» with «a».'],
  ['evaluate', { code: '(to) => fetch(to)', args: ['b.example'] }, {}, 'With «["b.example"]»'],
])('%s of %j, where the page has %j', (tool, args, shown, sentence) => {
  const elements = Object.entries(shown).map(([target, line]) => [target, { line, leads: null }]);
  expect(words(tool, args, { elements: Object.fromEntries(elements) }).at(-1)).toBe(sentence);
});

it('every tool has a general form for a tool that it does not know, and for arguments that are not shown', () => {
  expect(words('mill_count', { a: 1 })).toEqual(['Use the tool «The tool».']);
  expect(words('toString', {})).toEqual(['Use the tool «The tool».']);
  expect(words('interact', null)).toEqual([
    'Use the tool «The tool».',
    'The arguments are too large to show, so it is not known what exactly will happen.',
  ]);
});

const lines = { tab: 't1', steps: ['click e1', 'fill e2 a'] };

it('editing writes steps as lines, and everything else as JSON', () => {
  expect(writeArgs('interact', lines)).toEqual({ form: 'lines', text: 'click e1\nfill e2 a' });
  expect(writeArgs('interact', { ...lines, fields: {} }).form).toBe('json');
  expect(writeArgs('interact', { steps: [{ do: 'click', target: 'e1' }] }).form).toBe('json');
  expect(writeArgs('interact', { steps: ['type e1 a\nb'] }).form).toBe('json');
  expect(writeArgs('fetch', { url: 'x' })).toEqual({ form: 'json', text: '{\n  "url": "x"\n}' });
  const answer = { form: 'lines', text: 'dialog accept' } as const;
  expect(readArgs(lines, answer, cardTexts('en'))).toEqual({ args: { tab: 't1', steps: ['dialog accept'] } });
});

it.each([
  ['lines', 'click e1\nexplode e2', /^2: "explode" is not a step/],
  ['json', '{ "url": ', /^This is not JSON/],
  ['json', '["a"]', /have to be an object/],
  ['json', `"${'x'.repeat(40_000)}"`, /too long/],
] as const)('editing says what is wrong with %s %#', (form, text, problem) => {
  const read = readArgs(lines, { form, text }, cardTexts('en'));
  expect('problem' in read && read.problem).toMatch(problem);
});
