import { expect, it } from 'vitest';
import type { RunState, RunView } from '../../../server/core/runs.ts';
import { ProgramRecord, type Begun } from '../../../server/programs/record.ts';
import { readCalls } from '../../../server/programs/shown.ts';
import { PROGRAM_METHODS } from '../../../shared/core/bridge/answers.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import type { JsonValue } from '../../../shared/base/json.ts';

const QUESTION = { type: 'approval', message: 'Pay?' };

function stateOf(rows: readonly (readonly [name: string, at: number, value: JsonValue])[]): RunState {
  return {
    get: () => undefined,
    range: ({ start, end }) =>
      rows
        .filter(([name, at]) => name === start[0] && at >= Number(start[1]) && at < Number(end[1]))
        .map(([name, at, value]) => ({ key: [name, at], value: value as never })),
  };
}

const VIEW = { run_id: 'run_A', status: 'interrupted', progress: { done: 3, queued: 2 }, error: null };
const viewOf = (more: Partial<RunView>): RunView => ({ ...VIEW, ...more }) as RunView;
const begun = (kind: string, name: string, args: JsonValue = {}) => ({ kind, name, hash: 'h', args });
const waits = (waiting: readonly object[]) =>
  ({ code: 'workflow_waits', message: 'It waits.', body: { waiting } }) as never;
const failed = (code: string) => ({ error: { code, message: 'Why.', hint: 'Do it.' } });

it('has each call with its outcome, the question it waits for, or an unknown outcome', () => {
  const state = stateOf([
    ['begun', 1, begun('tool', 'read_page', { tab: 'b1:1' })],
    ['begun', 2, begun('tool', 'interact')],
    ['begun', 3, begun('tool', 'crawl')],
    ['begun', 4, begun('ask', 'ask', QUESTION)],
    ['begun', 5, begun('tool', 'interact')],
    ['end', 0, { id: 1, at: 1, isError: false, value: 'Tea' }],
    ['end', 1, { id: 2, at: 2, isError: true, value: failed('outcome_unknown') }],
    ['end', 2, { id: 3, at: 3, isError: false, value: { output_handle: 'oh_A', mime_type: 'text/plain' } }],
  ]);
  const view = viewOf({ error: waits([{ id: 4, question: QUESTION }]) });
  const { calls, before, after } = readCalls(view, state);
  expect([before, after]).toEqual([null, null]);
  const shown = calls.map(({ tool, status }) => `${tool} ${status}`).join();
  expect(shown).toBe('read_page done,interact not_repeated,crawl done,ask waiting,interact not_repeated');
  expect(calls[0]).toMatchObject({ args: { tab: 'b1:1' }, answer: { ok: true, value: 'Tea' } });
  expect(calls[1]?.answer?.error).toEqual({ code: 'outcome_unknown', message: 'Why.', hint: 'Do it.' });
  expect(calls[2]?.answer?.stored?.handle).toBe('oh_A');
  expect(calls[3]).toMatchObject({ question: QUESTION, args: {}, answer: null });
});

it('forgets the arguments of a call whose receipt left out a value', async () => {
  const rows = new Map<string, JsonValue>();
  const get = (key: readonly unknown[]) => rows.get(key.join()) as never;
  const change = { get, put: (key: readonly unknown[], value: JsonValue) => rows.set(key.join(), value) };
  const scope = {
    state: { get },
    redact: (value: unknown) => value,
    commit: (step: { readonly change?: (rows: never) => void }) =>
      Promise.resolve(step.change?.(change as never)),
  };
  const record = new ProgramRecord(scope as never, 0);
  for (const [id, isHiding] of [true, false].entries()) {
    const call = begun('tool', 'interact', { steps: ['fill css=#code 493817'] }) as Begun;
    await record.begin(id, call);
    const ended = { id, at: 1, isError: false } as never;
    await record.end(ended, {
      begun: call,
      isHiding,
      source: null,
      items: [],
      emitted: 0,
      onKept: () => undefined,
    }).kept;
    expect(record.begun(id)?.args === undefined).toBe(isHiding);
  }
});

it('is read page by page, each of which fits in a frame', () => {
  const text = '中文"'.repeat(2_500);
  const values = [text, { error: { code: 'timeout', message: text, hint: text } }];
  const rows = Array.from({ length: 120 }, (_, at) => [
    ['begun', at + 1, begun('step', `Fetch ${text}`)] as const,
    ['end', at, { id: at + 1, at, isError: at % 2 === 1, value: values[at % 2] ?? null }] as const,
  ]);
  const view = viewOf({ progress: { done: 120, queued: 0 } as never });
  const read = (first?: number) =>
    PROGRAM_METHODS['runs.calls'].result.parse(readCalls(view, stateOf(rows.flat()), first));
  const last = read();
  expect([last.calls.length, last.before, last.after]).toEqual([50, 21, null]);
  expect(Buffer.byteLength(JSON.stringify(last))).toBeLessThan(LIMITS.bridgeFrameBytes - 50 * 1_500);
  expect(last.calls[1]?.answer?.error?.message).toMatch(/…$/);
  const first = read(1);
  expect([first.calls.at(-1)?.id, first.before, first.after]).toEqual([50, null, 51]);
});

it('has each question whole, however long, on as many pages as they need', () => {
  const question = { type: 'text', message: '问'.repeat(4_000) };
  const ids = Array.from({ length: 50 }, (_, at) => at + 1);
  const state = stateOf(ids.map((id) => ['begun', id, { kind: 'ask', name: 'ask', hash: 'h' }] as const));
  const error = waits(ids.map((id) => ({ id, question })));
  const view = viewOf({ progress: { done: 0, queued: 50 } as never, error });
  const [last, first] = [readCalls(view, state), readCalls(view, state, 1)];
  for (const { calls } of [last, first]) {
    expect(Buffer.byteLength(JSON.stringify(calls))).toBeLessThan(LIMITS.bridgeFrameBytes);
    for (const call of calls) expect(call.question).toEqual(question);
  }
  expect([last.calls[0]?.id, last.calls.at(-1)?.id, last.before, last.after]).toEqual([18, 50, 1, null]);
  expect([first.calls[0]?.id, first.calls.at(-1)?.id, first.before, first.after]).toEqual([1, 33, null, 34]);
});
