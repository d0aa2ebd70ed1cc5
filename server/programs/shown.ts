import { z } from 'zod';
import { cut } from '../../shared/base/cut.ts';
import { isErrorCode, ERRORS } from '../../shared/base/errors.ts';
import type { CallAnswer, ProgramCall } from '../../shared/core/bridge/answers.ts';
import { isObject, type JsonObject, type JsonValue } from '../../shared/base/json.ts';
import { HumanAsk } from '../../shared/people/takeover.ts';
import type { RunState, RunView } from '../core/runs.ts';
import { callsAtWork } from './program.ts';
import { Begun, Ended, MAY_WAIT } from './record.ts';
import { parseParked, type Waiting } from './waiting.ts';

/** Maximum calls of one page. */
const CALLS_PAGE = 50;
/** Maximum bytes of a page as JSON, without arguments: it has to fit in a frame of the bridge. */
const PAGE_BYTES = 400 * 1_024;
/** For the parts of an answer as JSON: a page of them has to fit in a frame of the bridge. */
const ANSWER_BYTES = 6_000;
const MESSAGE_BYTES = 4_000;
const HINT_BYTES = 1_000;
/** Of steps, which programs name. */
const NAME_UNITS = 200;

/** A call before its arguments are shortened for a person. */
export type RecordedCall = Omit<ProgramCall, 'args'> & { readonly args: JsonObject };

/** The last calls of a program, or those from a number on. */
export function readCalls(view: RunView, state: RunState, first?: number) {
  const { done, queued } = view.progress;
  const total = done + queued;
  const from = Math.max(1, first ?? total - CALLS_PAGE + 1);
  const page = { start: ['begun', from], end: ['begun', from + CALLS_PAGE] } as const;
  const begun = new Map([...state.range(page)].map(({ key, value }) => [Number(key[1]), Begun.parse(value)]));
  const working = callsAtWork(view.run_id);
  for (const [id, call] of working)
    if (id >= from && id < from + CALLS_PAGE && !begun.has(id)) begun.set(id, { ...call, hash: '' });
  const ends = endsOf(state, from, begun);
  const waiting = new Map((parseParked(view)?.waiting ?? []).map((each) => [each.id, each]));
  const isActive = view.status === 'running' || view.status === 'queued';
  const calls = [...begun]
    .sort(([a], [b]) => a - b)
    .filter(([, { kind }]) => kind !== 'items')
    .map(([id, call]) => {
      const end = ends.get(id);
      const open = waiting.has(id) ? 'waiting' : isActive ? 'running' : 'not_repeated';
      const status = end === undefined ? open : statusOf(end);
      return readCall(id, call, { status, end, waits: waiting.get(id) });
    });
  return pageOf(calls, { isLast: first === undefined, from, total });
}

interface CallWindow {
  readonly isLast: boolean;
  readonly from: number;
  readonly total: number;
}

/** As many calls as fit in a page: those from its first on, or the last ones. */
function pageOf(calls: readonly RecordedCall[], { isLast, from, total }: CallWindow) {
  const ordered = isLast ? calls.toReversed() : calls;
  let bytes = 0;
  const fitting = ordered.filter((call, at) => {
    bytes += Buffer.byteLength(JSON.stringify({ ...call, args: {} }));
    return at === 0 || bytes <= PAGE_BYTES;
  });
  const left = ordered[fitting.length]?.id ?? null;
  const start = isLast && left !== null ? left + 1 : from;
  const after = isLast || left === null ? from + CALLS_PAGE : left;
  return {
    calls: isLast ? fitting.toReversed() : fitting,
    before: start > 1 ? Math.max(1, start - CALLS_PAGE) : null,
    after: after <= total ? after : null,
  };
}

interface CallState {
  readonly status: ProgramCall['status'];
  readonly end: Ended | undefined;
  readonly waits: Waiting | undefined;
}

function readCall(
  id: number,
  { kind, name, args = {}, until }: Begun,
  { status, end, waits }: CallState,
): RecordedCall {
  // The record has no long question; the error of a program that waits has each.
  const given = waits !== undefined && 'question' in waits ? waits.question : args;
  const asked = kind === 'ask' ? HumanAsk.extend({ message: z.string() }).safeParse(given).data : undefined;
  return {
    id,
    kind: kind === 'items' ? 'tool' : kind,
    tool: cut(name, NAME_UNITS),
    args: asked === undefined ? args : {},
    status,
    answer: end === undefined ? null : answerOf(end),
    question: asked ?? null,
    until: until ?? null,
  };
}

/**
 * Results are in the order in which the program saw them: near their calls, or later by as long as a call may
 * wait.
 */
function endsOf(
  state: RunState,
  from: number,
  calls: ReadonlyMap<number, unknown>,
): ReadonlyMap<number, Ended> {
  const start = Math.max(0, from - 1 - MAY_WAIT);
  const ends = state.range({
    start: ['end', start],
    end: ['end', Infinity],
    limit: calls.size + 2 * MAY_WAIT,
  });
  const found = new Map<number, Ended>();
  for (const { value } of ends) {
    const ended = Ended.parse(value);
    if (calls.has(ended.id)) found.set(ended.id, ended);
  }
  return found;
}

function statusOf({ isError, value }: Ended): ProgramCall['status'] {
  if (!isError) return 'done';
  return errorIn(value)?.code === 'outcome_unknown' ? 'not_repeated' : 'failed';
}

function errorIn(value: JsonValue | undefined): CallAnswer['error'] {
  const error = isObject(value) ? value['error'] : undefined;
  if (!isObject(error)) return null;
  const code = String(error['code']);
  return {
    code,
    message: beginning(String(error['message']), MESSAGE_BYTES),
    hint:
      typeof error['hint'] === 'string'
        ? beginning(error['hint'], HINT_BYTES)
        : isErrorCode(code)
          ? ERRORS[code].hint
          : null,
  };
}

function answerOf({ isError, value }: Ended): CallAnswer {
  const nothing = { ok: !isError, picture: null, state: {}, error: null, stored: null, notes: [] } as const;
  if (isError) return { ...nothing, error: errorIn(value) };
  if (isObject(value) && typeof value['output_handle'] === 'string')
    return {
      ...nothing,
      stored: {
        handle: value['output_handle'],
        mime_type: String(value['mime_type']),
        size_bytes: Number(value['size_bytes'] ?? 0),
        item_count: typeof value['item_count'] === 'number' ? value['item_count'] : null,
        preview: typeof value['preview'] === 'string' ? beginning(value['preview'], ANSWER_BYTES) : null,
      },
    };
  const text = JSON.stringify(value ?? null);
  return Buffer.byteLength(text) <= ANSWER_BYTES
    ? { ...nothing, value: value ?? null }
    : { ...nothing, value: beginning(text, ANSWER_BYTES), notes: ['Only its beginning is shown here.'] };
}

/** The beginning of a text, so that it has at most so many bytes as JSON, where a character takes up to six. */
export function beginning(text: string, maxBytes: number): string {
  let start = text.slice(0, maxBytes);
  for (;;) {
    const bytes = Buffer.byteLength(JSON.stringify(start));
    if (bytes <= maxBytes) break;
    start = start.slice(0, Math.floor((start.length * maxBytes) / bytes));
  }
  return start.length === text.length ? text : `${start.toWellFormed()}…`;
}
