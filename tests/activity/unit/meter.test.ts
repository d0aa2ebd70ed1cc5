import { describe, expect, it } from 'vitest';
import type { ContentBlock, ToolResult } from '../../../server/core/result.ts';
import type { OutputDescriptor } from '../../../shared/core/descriptor.ts';
import { METER_METHODS } from '../../../shared/core/meter.ts';
import { vouch } from '../../support/clean.ts';
import { codeThrown } from '../../support/code-of.ts';
import { LiveMeter, tokensOfText as tokensOf } from '../../../server/activity/meter.ts';
import { createSession } from '../../support/session.ts';

const answerOf = (words: string, rest: Partial<ToolResult> = {}): ToolResult => ({
  ok: true,
  content: [{ type: 'text', text: vouch(words) }],
  state: {},
  ...rest,
});
const WORDS = 'A page about otters, with 12 headings and {"one": [1, 2, 3]}. 水獭。';
const named = (id: string, name: string, signal?: AbortSignal) => {
  const session = createSession(id, signal);
  session.name = name;
  return session;
};
const take = (
  meter: LiveMeter,
  session = createSession('s'),
  tool = 'read_page',
  answer = answerOf(WORDS),
): void => meter.countAnswer({ tool, args: {}, session }, answer);
const read = (meter: LiveMeter) => METER_METHODS['meter.read'].result.parse(meter.read());

it('figures are of each session, agent and tool, and in all', async () => {
  const meter = new LiveMeter(null);
  const [one, two, other] = [named('s1', 'claude'), named('s2', 'claude'), named('s3', 'codex')];
  take(meter, one);
  take(meter, two, 'tabs', answerOf('none'));
  take(meter, other);
  meter.countSent(other, 'resources/read', WORDS);
  const [words, none] = [tokensOf(WORDS), tokensOf('none')];
  const reading = read(meter);
  expect(reading.total).toMatchObject({ calls: 4, bytes: 3 * Buffer.byteLength(WORDS) + 4 });
  expect(reading.total).toMatchObject({ tokens: 3 * words + none, saved_tokens: 0 });
  expect(reading.sessions.map(({ session, figures }) => [session, figures.tokens])).toEqual([
    ['s1', words],
    ['s2', none],
    ['s3', 2 * words],
  ]);
  expect(reading.agents.map(({ name, figures }) => [name, figures.tokens])).toEqual([
    ['codex', 2 * words],
    ['claude', words + none],
  ]);
  expect(reading.tools.map(({ name, figures }) => [name, figures.calls])).toEqual([
    ['read_page', 2],
    ['resources/read', 1],
    ['tabs', 1],
  ]);
});

it('figures take bounded memory, whatever sessions, agents and tools are called', () => {
  const meter = new LiveMeter(null);
  for (let at = 0; at < 1_000; at += 1) {
    take(meter, named(`s${at}`, `agent ${at}`), `tool_${at}`);
  }
  const reading = read(meter);
  expect(reading.sessions).toHaveLength(100);
  expect(reading.agents.length).toBeLessThanOrEqual(201);
  expect(reading.tools).toHaveLength(201);
  expect(reading.total.calls).toBe(1_000);
  expect(reading.agents.reduce((sum, { figures }) => sum + figures.calls, 0)).toBe(1_000);
});

it('figures count an answer once, also when another call passes it on', () => {
  const meter = new LiveMeter(null);
  const session = createSession('s');
  const result = answerOf(WORDS);
  take(meter, session, 'interact', result);
  take(meter, session, 'resume_call', result);
  expect(read(meter).total.calls).toBe(1);
});

const foreign = (block: Record<string, unknown>): ContentBlock => ({
  type: 'foreign',
  block: block as never,
});
const data = vouch('AAAA');
const text = { type: 'text', text: WORDS };
const picture = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
const embedded = { type: 'resource', resource: { uri: 'a:b', text: WORDS } };

it.each<[string, Partial<ToolResult>, number]>([
  ['pictures', { content: [{ type: 'image', data, mimeType: 'image/png' }] }, 765],
  ['files', { content: [{ type: 'blob', data, mimeType: 'application/zip', uri: 'a:b' }] }, 0],
  ['blocks of another server', { content: [foreign(text), foreign(picture)] }, tokensOf(WORDS) + 765],
  ['an embedded text', { content: [foreign(embedded)] }, tokensOf(WORDS)],
  ['a text of a caller’s tool', { own: WORDS }, tokensOf(WORDS)],
  ['blocks of a caller’s tool', { own: { content: [text, picture] } }, tokensOf(WORDS) + 765],
  ['a picture as a provider takes it', { own: [{ type: 'image', source: picture }] }, 765],
  ['a value of a caller’s tool', { own: { found: 3 } }, tokensOf('said')],
])('what an answer costs %s', (_what, result, tokens) => {
  const meter = new LiveMeter(null);
  const session = createSession('s');
  take(meter, session, 'any', answerOf('said', result));
  expect(meter.of(session).figures.tokens).toBe(tokens);
});

it('a handle saves its payload, estimated as its preview, without the answer, and once', () => {
  const meter = new LiveMeter(null);
  const session = createSession('s');
  const preview = WORDS.repeat(20);
  const descriptor: OutputDescriptor = {
    ...{ output_handle: 'oh_ABCDEFGH2345', mime_type: 'application/json', item_count: 9, preview },
    ...{ size_bytes: 300 * Buffer.byteLength(preview), expires_at: '2026-01-01T00:00:00Z' },
    fetch_with: 'oc_output_fetch',
  };
  const expected = 300 * tokensOf(preview) - tokensOf('stored');
  for (let time = 0; time < 2; time += 1) {
    take(meter, session, 'read_page', answerOf('stored', { descriptor }));
    expect(meter.of(session).figures.saved_tokens).toBe(expected);
  }
});

it('a long text is estimated by parts of it', () =>
  expect(tokensOf(WORDS.repeat(2_000)) / (2_000 * tokensOf(WORDS))).toBeCloseTo(1, 1));

describe('a budget', () => {
  const answer = (meter: LiveMeter, session: ReturnType<typeof createSession>) => async () => {
    take(meter, session);
  };
  const cost = tokensOf(WORDS);

  it('warns once at 80 %, refuses at 100 %, and is each session’s own', async () => {
    const meter = new LiveMeter(10 * cost);
    const [session, other] = [createSession('s1'), createSession('s2')];
    const spend = answer(meter, session);
    for (let call = 0; call < 7; call += 1) await spend();
    expect(meter.warning(session)).toBeNull();
    await spend();
    expect(meter.warning(session)).toContain(`${2 * cost} of this session's ${10 * cost} tokens are left.`);
    expect(meter.warning(session)).toBeNull();
    meter.check(session);
    await spend();
    await spend();
    expect(codeThrown(() => meter.check(session))).toBe('budget_exceeded');
    meter.check(other);
    expect(meter.of(session).budget).toEqual({ tokens: 10 * cost, left: 0, state: 'exceeded' });
  });

  it('that is lifted begins at what was used before', async () => {
    const meter = new LiveMeter(cost);
    const session = createSession('s1');
    const spend = answer(meter, session);
    await spend();
    await spend();
    expect(meter.lift('s1', cost).budget).toEqual({ tokens: 3 * cost, left: cost, state: 'fine' });
    await spend();
    expect(codeThrown(() => meter.check(session))).toBe('budget_exceeded');
  });

  it('is listed before sessions without one, and cannot be lifted once its session has ended', async () => {
    const meter = new LiveMeter(null);
    const over = new AbortController();
    take(meter, createSession('ended', over.signal));
    over.abort();
    take(meter, createSession('first'));
    meter.lift('first', cost);
    for (let at = 0; at < 200; at += 1) meter.of(createSession(`s${at}`));
    const ids = read(meter).sessions.map(({ session: id }) => id);
    expect(ids.slice(0, 2)).toEqual(['first', 's101']);
    expect(ids).toHaveLength(100);
    expect(codeThrown(() => meter.lift('ended', 5))).toBe('session_closed');
  });
});
