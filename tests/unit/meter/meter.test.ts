import { describe, expect, it } from 'vitest';
import type { Counter } from '../../../server/meter/counter.ts';
import type { ContentBlock, ToolResult } from '../../../server/core/result.ts';
import type { OutputDescriptor } from '../../../shared/output/descriptor.ts';
import { METER_METHODS } from '../../../shared/bridge/meter.ts';
import { vouch } from '../../support/clean.ts';
import { codeThrown } from '../../support/code-of.ts';
import { countHere, createTestMeter, tokensOf } from '../../support/metered.ts';
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
const read = (meter: ReturnType<typeof createTestMeter>) =>
  METER_METHODS['meter.read'].result.parse(meter.read());

describe('figures', () => {
  it('are of each session, agent and tool, and in all', async () => {
    const meter = createTestMeter();
    const [one, two, other] = [named('s1', 'claude'), named('s2', 'claude'), named('s3', 'codex')];
    meter.answered({ tool: 'read_page', args: {}, session: one }, answerOf(WORDS));
    meter.answered({ tool: 'tabs', args: {}, session: two }, answerOf('none'));
    meter.answered({ tool: 'read_page', args: {}, session: other }, answerOf(WORDS));
    meter.sent(other, 'tools/list', WORDS);
    meter.read();
    await meter.settled();
    const [words, none] = [tokensOf(WORDS), tokensOf('none')];
    const reading = read(meter);
    expect(reading.total).toEqual({
      calls: 4,
      bytes: 3 * Buffer.byteLength(WORDS) + 4,
      tokens: 3 * words + none,
      estimated_tokens: 0,
      saved_tokens: 0,
    });
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
      ['tools/list', 1],
      ['tabs', 1],
    ]);
  });

  it('are estimates until somebody reads them, and nothing is counted before', async () => {
    let counts = 0;
    const counter: Counter = {
      ...countHere,
      count: (texts) => {
        counts += 1;
        return countHere.count(texts);
      },
    };
    const meter = createTestMeter(null, counter);
    const session = createSession('s');
    meter.answered({ tool: 'read_page', args: {}, session }, answerOf(WORDS));
    await meter.settled();
    const { figures } = meter.of(session);
    expect(counts).toBe(0);
    expect(figures.tokens).toBeGreaterThan(0);
    expect(figures.estimated_tokens).toBe(figures.tokens);
    meter.read();
    await meter.settled();
    expect(meter.of(session).figures).toMatchObject({ tokens: tokensOf(WORDS), estimated_tokens: 0 });
  });

  it('stay estimates where counting fails, and answers are still taken', async () => {
    const counter: Counter = { ...countHere, count: () => Promise.reject(new Error('no thread')) };
    const meter = createTestMeter(1_000, counter);
    const session = createSession('s');
    for (let call = 0; call < 5; call += 1) {
      meter.answered({ tool: 'read_page', args: {}, session }, answerOf(WORDS));
      await meter.settled();
    }
    const { figures } = meter.of(session);
    expect(figures.calls).toBe(5);
    expect(figures.estimated_tokens).toBe(figures.tokens);
  });

  it('of sessions that have ended are those of their agent, counted late or not', async () => {
    const meter = createTestMeter();
    const end = new AbortController();
    meter.answered(
      { tool: 'read_page', args: {}, session: named('s1', 'claude', end.signal) },
      answerOf(WORDS),
    );
    end.abort();
    expect(read(meter).sessions).toEqual([]);
    await meter.settled();
    expect(read(meter).agents).toMatchObject([
      { name: 'claude', figures: { calls: 1, tokens: tokensOf(WORDS) } },
    ]);
  });

  it('take bounded memory, whatever sessions, agents and tools are called', () => {
    const meter = createTestMeter();
    for (let at = 0; at < 1_000; at += 1) {
      const session = named(`s${at}`, `agent ${at}`);
      meter.answered({ tool: `tool_${at}`, args: {}, session }, answerOf(WORDS));
    }
    const reading = read(meter);
    expect(reading.sessions).toHaveLength(100);
    expect(reading.agents.length).toBeLessThanOrEqual(201);
    expect(reading.tools).toHaveLength(201);
    expect(reading.total.calls).toBe(1_000);
    expect(reading.agents.reduce((sum, { figures }) => sum + figures.calls, 0)).toBe(1_000);
  });

  it('count an answer once, also when another call passes it on', () => {
    const meter = createTestMeter();
    const session = createSession('s');
    const result = answerOf(WORDS);
    meter.answered({ tool: 'interact', args: {}, session }, result);
    meter.answered({ tool: 'resume_call', args: {}, session }, result);
    expect(read(meter).total.calls).toBe(1);
  });
});

describe('what an answer costs', () => {
  const foreign = (block: Record<string, unknown>): ContentBlock => ({
    type: 'foreign',
    block: block as never,
  });
  const picture = { type: 'image', data: 'AAAA', mimeType: 'image/png' };

  it.each<[string, Partial<ToolResult>, number]>([
    ['pictures', { content: [{ type: 'image', data: vouch('AAAA'), mimeType: 'image/png' }] }, 765],
    [
      'files',
      { content: [{ type: 'blob', data: vouch('AAAA'), mimeType: 'application/zip', uri: 'a:b' }] },
      0,
    ],
    [
      'blocks of another server',
      { content: [foreign({ type: 'text', text: WORDS }), foreign(picture)] },
      tokensOf(WORDS) + 765,
    ],
    [
      'an embedded text',
      { content: [foreign({ type: 'resource', resource: { uri: 'a:b', text: WORDS } })] },
      tokensOf(WORDS),
    ],
    ['a text of a caller’s tool', { own: WORDS }, tokensOf(WORDS)],
    [
      'blocks of a caller’s tool',
      { own: { content: [{ type: 'text', text: WORDS }, picture] } },
      tokensOf(WORDS) + 765,
    ],
    [
      'a picture as a provider takes it',
      { own: [{ type: 'image', source: { type: 'base64', data: 'AAAA' } }] },
      765,
    ],
    ['a value of a caller’s tool', { own: { found: 3 } }, tokensOf('said')],
  ])('%s', async (_what, result, tokens) => {
    const meter = createTestMeter();
    const session = createSession('s');
    meter.answered({ tool: 'any', args: {}, session }, answerOf('said', result));
    meter.read();
    await meter.settled();
    expect(meter.of(session).figures.tokens).toBe(tokens);
  });
});

describe('what handles save', () => {
  const handle = 'oh_ABCDEFGH2345';
  const descriptor = (changes: Partial<OutputDescriptor> = {}): OutputDescriptor => ({
    output_handle: handle,
    mime_type: 'application/json',
    size_bytes: 400_000,
    item_count: 9,
    preview: 'x',
    expires_at: '2026-01-01T00:00:00Z',
    fetch_with: 'oc_output_fetch',
    ...changes,
  });
  const stored = WORDS.repeat(10_000).slice(0, 400_000);
  const metered = () => {
    const meter = createTestMeter();
    const session = createSession('s');
    meter.readStoredBy(async (_handle, maxBytes) => stored.slice(0, maxBytes));
    const saved = async (): Promise<number> => {
      meter.read();
      await meter.settled();
      return meter.of(session).figures.saved_tokens;
    };
    return { meter, session, saved };
  };

  it('is the payload without the answer, of a large one by its first 256 KiB, and once for a handle', async () => {
    const { meter, session, saved } = metered();
    const answer = (): ToolResult => answerOf('stored', { descriptor: descriptor() });
    meter.answered({ tool: 'read_page', args: {}, session }, answer());
    const expected =
      Math.round((tokensOf(stored.slice(0, 262_144)) * 400_000) / 262_144) - tokensOf('stored');
    expect(await saved()).toBe(expected);
    meter.answered({ tool: 'read_page', args: {}, session }, answer());
    expect(await saved()).toBe(expected);
  });

  it('is less by what the session fetches of it, and by nothing else', async () => {
    const { meter, session, saved } = metered();
    session.outputs.add({ descriptor: descriptor(), tool: 'read_page' });
    meter.answered({ tool: 'oc_output_fetch', args: { output_handle: handle }, session }, answerOf(WORDS));
    meter.answered(
      { tool: 'oc_output_fetch', args: { output_handle: 'oh_2222222222AA' }, session },
      answerOf(WORDS),
    );
    expect(await saved()).toBe(-tokensOf(WORDS));
  });

  it('is nothing for files, which no model is given as text', async () => {
    const { meter, session, saved } = metered();
    const file = descriptor({ mime_type: 'application/gzip', item_count: null });
    meter.answered(
      { tool: 'oc_evidence_bundle', args: {}, session },
      answerOf('stored', { descriptor: file }),
    );
    expect(await saved()).toBe(-tokensOf('stored'));
  });

  it('is an estimate for an output that is gone before it is counted', async () => {
    const { meter, session, saved } = metered();
    meter.readStoredBy(() => Promise.reject(new Error('gone')));
    meter.answered(
      { tool: 'read_page', args: {}, session },
      answerOf('stored', { descriptor: descriptor() }),
    );
    expect(await saved()).toBe(Math.ceil(400_000 / 3.5) - tokensOf('stored'));
  });
});

describe('a budget', () => {
  const answer =
    (meter: ReturnType<typeof createTestMeter>, session: ReturnType<typeof createSession>) => async () => {
      meter.answered({ tool: 'read_page', args: {}, session }, answerOf(WORDS));
      await meter.settled();
    };
  const cost = tokensOf(WORDS);

  it('warns once at 80 %, refuses at 100 %, and is each session’s own', async () => {
    const meter = createTestMeter(10 * cost);
    const [session, other] = [createSession('s1'), createSession('s2')];
    const spend = answer(meter, session);
    for (let call = 0; call < 7; call += 1) await spend();
    expect(meter.warning(session)).toBeNull();
    await spend();
    expect(meter.warning(session)).toBe(
      `${2 * cost} of this session's ${10 * cost} tokens are left. Ask for less: output_mode "handle", find, smaller pages.`,
    );
    expect(meter.warning(session)).toBeNull();
    meter.check(session);
    await spend();
    await spend();
    expect(codeThrown(() => meter.check(session))).toBe('budget_exceeded');
    meter.check(other);
    expect(meter.of(session).budget).toEqual({ tokens: 10 * cost, left: 0, state: 'exceeded' });
  });

  it('that is lifted begins where it was, warns again, and may be none', async () => {
    const meter = createTestMeter(cost);
    const session = createSession('s1');
    const spend = answer(meter, session);
    await spend();
    expect(meter.lift('s1', 5 * cost).budget).toEqual({ tokens: 6 * cost, left: 5 * cost, state: 'fine' });
    for (let call = 0; call < 4; call += 1) await spend();
    expect(meter.warning(session)).toContain(`${cost} of this session's`);
    await spend();
    expect(codeThrown(() => meter.check(session))).toBe('budget_exceeded');
    expect(meter.lift('s1', null).budget).toBeNull();
    await spend();
    meter.check(session);
    expect(codeThrown(() => meter.lift('nobody', 5))).toBe('session_closed');
  });

  const listedIn = (meter: ReturnType<typeof createTestMeter>): readonly string[] =>
    read(meter).sessions.map(({ session: id }) => id);

  it('that is used up is listed before all others, and can be lifted, whatever came since', async () => {
    const meter = createTestMeter(cost);
    const [first, second] = [createSession('first'), createSession('second')];
    await answer(meter, first)();
    await answer(meter, second)();
    for (let at = 0; at < 200; at += 1) meter.of(createSession(`s${at}`));
    expect(listedIn(meter)).toHaveLength(100);
    expect(listedIn(meter).slice(0, 3)).toEqual(['first', 'second', 's102']);
    expect(listedIn(meter).at(-1)).toBe('s199');
    expect(meter.lift('first', 5 * cost).budget).toMatchObject({ state: 'fine' });
    meter.check(first);
    expect(meter.lift('s0', null).budget).toBeNull();
  });

  it('is listed before sessions without one, which make room for it', async () => {
    const meter = createTestMeter();
    const session = createSession('first');
    meter.of(session);
    meter.lift('first', 1_000);
    for (let at = 0; at < 2_500; at += 1) meter.of(createSession(`s${at}`));
    expect(listedIn(meter).slice(0, 2)).toEqual(['first', 's2401']);
    expect(meter.lift('first', null).budget).toBeNull();
    expect(codeThrown(() => meter.lift('s0', 5))).toBe('session_closed');
  });

  it('holds for a session that can no longer be lifted', async () => {
    const meter = createTestMeter(cost);
    const session = createSession('first');
    await answer(meter, session)();
    for (let at = 0; at < 2_000; at += 1) meter.of(createSession(`s${at}`));
    expect(listedIn(meter)).not.toContain('first');
    expect(codeThrown(() => meter.check(session))).toBe('budget_exceeded');
  });
});
