import { cardTexts } from '../../../extension/ui/words/en/card.ts';
import { expect, it } from 'vitest';
import { describeCall, restOf } from '../../../extension/people/panel/describe-call.ts';
import { followsLinks } from '../../../extension/people/panel/describe-step.ts';
import { WIDGET_ROLES } from '../../../extension/dom/names/role.ts';
import { warningsOf } from '../../../extension/ui/quoted.tsx';
import { revealParts } from '../../../extension/ui/reveal-parts.ts';
import { readArgs, writeArgs } from '../../../extension/people/panel/args-editor.tsx';
import { STEP_KINDS } from '../../../shared/act/step-words.ts';
import type { JsonObject } from '../../../shared/base/json.ts';
import { MANIFESTS } from '../../../shared/core/tools/index.ts';

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
  ['upload e7', 'Give the page a copy of the files that you choose below through element «e7» of the page.'],
  ['upload e7 /cv.pdf', 'Give the page a copy of «/cv.pdf» through element «e7» of the page.'],
  ['dialog dismiss', 'Press Cancel in the page’s dialog.'],
  ['dialog accept delete atlas', 'Answer the page’s dialog with «delete atlas».'],
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
  ['interact', { steps: ['click text=e'] }, { 'text=e': 'button Pay me' }, 'Click the button «Pay me».'],
  [
    'interact',
    { steps: ['fill e1 3'] },
    { e1: 'spinbutton Quantity' },
    'Fill the field «Quantity» with «3».',
  ],
  ['interact', { steps: ['click e1'] }, { e1: '<div.card> Red' }, 'Click the element «Red».'],
  ['interact', { steps: ['click e1'] }, { e1: 'button' }, 'Click the button.'],
  ['interact', { steps: ['click e1'] }, { e1: '<div#a>' }, 'Click the element «<div#a>».'],
  ['interact', { steps: ['submit'] }, { 'the form': 'button Buy' }, 'Submit the form with the button «Buy».'],
  ['interact', { fields: { To: 'a' } }, { 'field To': 'combobox Team' }, 'Choose «a» in the list «Team».'],
])('%s of %j, where the page has %j', (tool, args, shown, sentence) => {
  const elements = Object.entries(shown).map(([target, line]) => [target, { line, leads: null }]);
  expect(words(tool, args, { elements: Object.fromEntries(elements) }).at(-1)).toBe(sentence);
});

/** Everything on a card that an agent or a page wrote. */
function shownOf(tool: string, args: JsonObject, elements: object = {}): string[] {
  const call = { ...SHOP, tool, args, tab: null, elements } as Parameters<typeof describeCall>[0];
  const sentences = describeCall(call, cardTexts('en'));
  const quotes = sentences.flat().flatMap((part) => (typeof part === 'string' ? [] : [part.quote]));
  return [...quotes, ...restOf(tool, args, sentences).map(([name, text]) => `${name} = ${text}`)];
}

const CODE = `alert(${'1+'.repeat(16_000)}1)`;
const HEADERS = { location: 'https://evil.example/', 'set-cookie': 'a=b' };
it.each<[string, JsonObject, string[]]>([
  ['evaluate', { code: CODE, args: [], world: 'page' }, [CODE, 'world = page', 'args = []']],
  [
    'evaluate',
    { code: 'f', args: ['f', { to: 'x' }], ref: 'e3' },
    ['f', 'args.0 = f', 'args.1.to = x', 'ref = e3'],
  ],
  [
    'intercept',
    { action: 'add', url: 'a/**', answer: { status: 302, headers: HEADERS, body: '' } },
    [
      'a/**',
      'answer.status = 302',
      'answer.headers.location = https://evil.example/',
      'answer.headers.set-cookie = a=b',
    ],
  ],
  [
    'intercept',
    { action: 'add', url: 'a', answer: { status: 200, body: 'x', file: '/f' } },
    ['answer.body = x', 'answer.file = /f'],
  ],
  [
    'intercept',
    { action: 'add', url: 'a', headers: { Cookie: 's=1', Origin: null } },
    ['headers.Cookie = s=1', 'headers.Origin = null'],
  ],
  [
    'intercept',
    { action: 'add', url: 'a', login: { username: 'u', password: 'secret:P' } },
    ['u', 'login.password = secret:P'],
  ],
  [
    'storage',
    {
      action: 'set',
      area: 'cookies',
      name: 'n',
      value: 'v',
      cookie: { domain: '.a.example', secure: false },
    },
    ['cookies: n', 'v', 'cookie.domain = .a.example', 'cookie.secure = false'],
  ],
  ['storage', { action: 'delete', area: 'local', all: true }, ['all = true']],
  [
    'emulate',
    { user_agent: 'UA', geolocation: { lat: 1 }, reset: false },
    ['user_agent = UA', 'geolocation.lat = 1'],
  ],
  ['emulate', { script: 'alert(1)' }, []],
  [
    'downloads',
    { action: 'take', id: 3, save_as: 'a.csv', overwrite: true },
    ['a.csv', 'id = 3', 'overwrite = true'],
  ],
  [
    'page_tool_call',
    { name: 'pay', arguments: { to: 'pay', dry: false, n: 0, 'a b': '' } },
    ['pay', 'arguments.to = pay', 'arguments.dry = false', 'arguments.n = 0', 'arguments.a b = '],
  ],
  ['clipboard', { action: 'write', text: 'rm -rf' }, ['rm -rf']],
  ['other_tool', { to: 'x', tab: 't1', deep: [{ a: 1 }] }, ['to = x', 'deep.0.a = 1']],
  ['interact', { steps: Array.from({ length: 100 }, (_, at) => `click text=s${at}`) }, ['s0', 's31', 's99']],
  [
    'crawl',
    { urls: Array.from({ length: 20 }, (_, at) => `https://${at}.example`) },
    [Array.from({ length: 19 }, (_, at) => `https://${at + 1}.example`).join('\n')],
  ],
])('the card of %s %j shows every argument that changes something', (tool, args, parts) => {
  expect(shownOf(tool, args)).toEqual(expect.arrayContaining(parts));
});

it('shows the point of a step, the whole name of an element, and the schema of a tool of the page', () => {
  const position = { x: 5, y: 7 };
  const steps = act({ do: 'drag', target: 'e1', to: 'e2', position, to_position: { x: 1, y: 2 } });
  expect(steps.join()).toMatch(/At 5, 7 pixels.* At 1, 2 pixels/);
  const whole = `button ${'Pay '.repeat(30)}€9`;
  const named = { e1: { line: 'button Pay …', whole, leads: null } };
  expect(shownOf('interact', { steps: ['click e1'] }, named)).toEqual([whole.slice('button '.length)]);
  const tool = { pay: { line: 'Pays', schema: '{"to":"who"}', leads: null } };
  expect(shownOf('page_tool_call', { name: 'pay' }, tool)).toEqual(['pay', 'Pays', '{"to":"who"}']);
  const gone = { pay: { line: '', leads: null } };
  expect(words('page_tool_call', { name: 'pay' }, { elements: gone })[1]).toContain('does not declare it');
});

it.each([
  ['a short text', []],
  [CODE, ['long', 'minified']],
  ['const a = 1;\n'.repeat(300), ['long']],
  [`f()${' '.repeat(90)};g()`, ['gap']],
  [`f()${'\n'.repeat(90)};g()`, ['gap']],
  ['if (admin\u200b) f()', ['unseen']],
  ['p\u0430yload()', ['mixed']],
  ['日本語 and English, Привет', []],
])('warns where a person could miss a part of %j', (text, warnings) => {
  expect(warningsOf(text, revealParts(text))).toEqual(warnings);
});

it('every tool has a general form for a tool that it does not know, and for arguments that are not shown', () => {
  expect(words('mill_count', { a: 1 })).toEqual(['Use the tool «The tool».']);
  expect(words('toString', {})).toEqual(['Use the tool «The tool».']);
  expect(words('interact', null)).toEqual([
    'Use the tool «The tool».',
    'The arguments cannot be shown, so this cannot be allowed.',
  ]);
});

it('has words for every role that people work with', () => {
  for (const language of ['en', 'zh-CN'] as const) {
    const { targets } = cardTexts(language);
    expect([...WIDGET_ROLES].filter((role) => !(role in targets.roles))).toEqual(['scrollbar']);
  }
});

const to = (url: string, line = 'link Terms') => ({ line, leads: { how: 'link' as const, url } });
it.each<[JsonObject, object, boolean]>([
  [{ steps: ['click e1'] }, to('https://shop.example/terms'), true],
  [{ steps: ['click e1'] }, to('https://shop.example/terms', '<span> Terms'), true],
  [{ steps: ['click e1'] }, to('https://shop.example/cart#pay'), false],
  [{ steps: ['click e1'] }, to('mailto:a@b.example'), false],
  [{ steps: ['click e1'] }, to('https://shop.example/terms', 'button Delete'), false],
  [
    { steps: ['click e1'] },
    { line: 'button Buy', leads: { how: 'form', url: 'https://shop.example/' } },
    false,
  ],
  [{ steps: ['click e1', 'click e2'] }, to('https://shop.example/terms'), false],
  [{ steps: ['fill e2 x', 'click e1'] }, to('https://shop.example/terms'), false],
  [{ fields: { A: 'b' }, steps: ['click e1'] }, to('https://shop.example/terms'), false],
  [{ steps: ['scroll e1', 'click e1'] }, to('https://other.example/'), true],
])('%j on %j follows links only: %s', (args, e1, expected) =>
  expect(followsLinks(args, { elements: { e1 } as never, url: SHOP.url })).toBe(expected),
);

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
  ['json', `"${'x'.repeat(70_000)}"`, /too long/],
] as const)('editing says what is wrong with %s %#', (form, text, problem) => {
  const read = readArgs(lines, { form, text }, cardTexts('en'));
  expect('problem' in read && read.problem).toMatch(problem);
});
