import {
  ElicitRequestSchema,
  type ElicitRequest,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import { expect, test, vi } from 'vitest';
import { callTool, type CallAnswer } from '../../support/call-tool.ts';
import { defer } from '../../../shared/base/async.ts';
import { startMemoryServer } from '../../support/memory-client.ts';
import { startClient } from '../../support/upstream-rig.ts';

const server = await startMemoryServer();

type Answer = (params: ElicitRequest['params'], signal: AbortSignal) => Promise<ElicitResult>;

/** A client that declares elicitation, and calls the tool. */
async function asking(answer: Answer): Promise<(args: object, signal?: AbortSignal) => Promise<CallAnswer>> {
  const client = await startClient(server, { elicitation: { form: {} } }, (asked) =>
    asked.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) => answer(params, signal)),
  );
  return (args, signal) => callTool(client, 'request_human_input', { ...args }, signal);
}

const properties = { day: { type: 'string' }, seats: { type: 'integer' } };
const form = { type: 'object', properties, required: ['day'] };
const choices = ['a', 'b'];
const booked = { day: 'Mon', seats: 2 };
test.each([
  ['approval', { message: 'Send?' }, { answer: true }, { answer: { type: 'boolean' } }, true],
  ['choice', { message: 'Which?', choices }, { answer: 'b' }, { answer: { enum: choices } }, 'b'],
  ['form', { message: 'Book', schema: form }, booked, properties, booked],
] as const)(
  '%s: the client shows it, and the model reads who answered what and where',
  async (type, args, content, fields, answer) => {
    let shown: ElicitRequest['params'] | undefined;
    const call = await asking(async (params) => {
      shown = params;
      return { action: 'accept', content: { ...content } };
    });
    const { isError, text, raw } = await call({ type, ...args });
    expect(isError, text).toBe(false);
    const { message } = args;
    expect(shown).toMatchObject({ message, requestedSchema: { type: 'object', properties: fields } });
    const summary = 'A person answered in asked';
    expect(JSON.parse(text)).toEqual({ summary, question: message, where: 'asked', answer });
    expect(JSON.stringify(raw.content)).toContain('cannot verify that a person did');
  },
);

test.each(['decline', 'cancel', 'fail'] as const)('a %s at once: nobody saw it there', async (action) => {
  vi.useFakeTimers({ toFake: ['hrtime'] });
  const call = await asking(async () => (action === 'fail' ? Promise.reject(new Error()) : { action }));
  const answer = await call({ type: 'text', message: 'When?' });
  expect(answer.code()).toBe('human_unreachable');
  expect(answer.text).toContain('nobody saw it');
});

test('an answer of the client with no answer is refused, and so is a form that would not fit in a frame', async () => {
  const call = await asking(async () => ({ action: 'accept', content: {} }));
  expect((await call({ type: 'text', message: 'When?' })).code()).toBe('invalid_argument');
  const field = { type: 'string', enum: Array.from({ length: 100 }, (_, at) => `${at}${'x'.repeat(190)}`) };
  const large = { type: 'object', properties: { ...Array.from({ length: 6 }, () => field) } };
  const { text } = await call({ type: 'form', message: 'Book', schema: large });
  expect(text).toContain('a form has at most 100000 characters');
});

test('a call that is cancelled takes the question back', async () => {
  const cancel = new AbortController();
  const ended = defer<void>();
  let questions = 0;
  const call = await asking(async (_params, signal) => {
    questions += 1;
    // The SDK's clients ignore the cancel of a request with the id 0, the first one.
    if (questions === 1) return { action: 'accept', content: { answer: 'Now' } };
    signal.addEventListener('abort', () => ended.resolve());
    cancel.abort();
    return new Promise<never>(() => undefined);
  });
  await call({ type: 'text', message: 'When?' });
  await expect(call({ type: 'text', message: 'When?' }, cancel.signal)).rejects.toThrow();
  await ended.promise;
});

test('with neither elicitation nor a browser a coded error says what to do', async () => {
  const answer = await server.call('request_human_input', { type: 'text', message: 'When?' });
  expect(answer.code()).toBe('human_unreachable');
  expect(answer.text).toContain('Ask in your reply');
});

const DONE = { outcome: 'done', by: 'person', where: 'side_panel', reason: null, from: 1, to: 2 } as const;

/** A server with a browser in which a person ends what is asked. */
async function withBrowser(ending: object) {
  const asked: object[] = [];
  const own = await startMemoryServer();
  own.bridge.addBrowser();
  own.bridge.answer({
    'person.ask': async (params) => {
      asked.push(params);
      return { id: 't_ask' };
    },
    'takeover.wait': async () => ({ ...DONE, origin: null, ...ending }),
  });
  return { asked, call: (args: object) => own.call('request_human_input', { ...args }) };
}

const WHERE = 'the side panel';
test.each([
  ['approval', { type: 'approval', message: 'Send?' }, false],
  ['text', { type: 'text', message: 'When?' }, 'On Tuesday.'],
  ['choice', { type: 'choice', message: 'Which?', choices }, 'b'],
  ['form', { type: 'form', message: 'Book', schema: form }, booked],
] as const)('%s: without elicitation the browser shows it', async (_type, args, answer) => {
  const { asked, call } = await withBrowser({ answer });
  const { isError, text, raw } = await call(args);
  expect(isError, text).toBe(false);
  const { message, ...ask } = args;
  expect(asked).toEqual([{ message, ask, limit_ms: 600_000 }]);
  const summary = `A person answered in ${WHERE}`;
  expect(JSON.parse(text)).toEqual({ summary, question: message, where: WHERE, answer });
  expect(JSON.stringify(raw.content)).not.toContain('cannot verify');
});

test.each([
  ['a decline', { outcome: 'declined', reason: 'Not my job' }, { declined: true, reason: 'Not my job' }],
  ['no time left', { outcome: 'timeout' }, 'human_input_expired'],
  ['a window that cannot be shown', { outcome: 'nobody_there' }, 'human_unreachable'],
  ['an answer that does not fit', { answer: true }, 'invalid_argument'],
])('in the browser, %s is said', async (_what, ending, expected) => {
  const { call } = await withBrowser(ending);
  const answer = await call({ type: 'text', message: 'When?' });
  if (typeof expected === 'string') expect(answer.code()).toBe(expected);
  else expect(JSON.parse(answer.text)).toMatchObject(expected);
});
