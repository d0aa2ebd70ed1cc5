import type { JournalFilter } from '../../../shared/core/feed.ts';
import { isObject } from '../../../shared/base/json.ts';
import { isHiddenTool } from '../../../shared/core/tools/names.ts';
import type { JournalLine } from './feed-port.ts';
import { shownArguments } from '../call-line.tsx';
import type { CallState, FaceCall } from '../faces/face.ts';

/** The journal's facts about a call. Its texts are an agent's or a page's. */
export type ShownCall = Readonly<ReturnType<typeof callOf>>;

/** Another journal line: a run began, a browser connected. */
export type ShownEvent = Readonly<ReturnType<typeof eventOf>>;

export type Entry = ShownCall | ShownEvent;

/** Event lines of the timeline. An output that a call stores is on the call's own line. */
const EVENTS: ReadonlySet<string> = new Set([
  'run_started',
  'run_resumed',
  'run_ended',
  'run_cancelled',
  'run_interrupted',
]);

export const stringOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
export const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** Identifies the call: its final line has another id than the one shown while it ran. */
export const runningKey = (callId: string): string => `running:${callId}`;

/** Null for lines that the timeline omits. */
export function entryOf(home: string, line: JournalLine): Entry | null {
  const at = Date.parse(line.ts);
  // Lines of older builds are identified by their position in their home's journal.
  const key = `${home}/${line.id}`;
  if (line.event === 'tool_call')
    return callOf(line, { key, home, at, state: getCallState(line), progress: null });
  return EVENTS.has(line.event) ? eventOf(line, key, at) : null;
}

const eventOf = (line: JournalLine, key: string, at: number) => ({
  kind: 'event' as const,
  key,
  at,
  event: line.event,
  tool: stringOrNull(line['tool']) ?? stringOrNull(line['source_tool']),
  run: stringOrNull(line['run_id']),
});

/** A call that has begun. */
export function runningOf(line: JournalLine): ShownCall {
  const at = Date.parse(line.ts);
  const key = runningKey(stringOrNull(line['call_id']) ?? line.id);
  return callOf(line, { key, home: null, at, state: 'running', progress: null });
}

interface Known extends Pick<FaceCall, 'state' | 'progress'> {
  /** Unique in the timeline. */
  readonly key: string;
  /** The home whose servers keep its answer; null while it runs. */
  readonly home: string | null;
  /** Milliseconds since the epoch: its end, or its beginning while it runs. */
  readonly at: number;
}

function callOf(line: JournalLine, known: Known) {
  const args = isObject(line['args']) ? shownArguments(line['args']) : {};
  return {
    kind: 'call' as const,
    ...known,
    callId: stringOrNull(line['call_id']) ?? line.id,
    tool: stringOrNull(line['tool']) ?? '',
    agent: stringOrNull(line['agent']) ?? '',
    agentVersion: stringOrNull(line['agent_version']),
    session: stringOrNull(line['client_session']) ?? '',
    args,
    title: stringOrNull(line['title']),
    did: textsOf(line['did']),
    /** The host of the page concerned. */
    site: stringOrNull(line['site']) ?? hostOf(args),
    status: numberOrNull(line['status']),
    code: stringOrNull(line['code']),
    message: stringOrNull(line['message']),
    handle: stringOrNull(line['handle']),
    durationMs: numberOrNull(line['duration_ms']),
    sizeBytes: numberOrNull(line['content_bytes']),
    approvedBy: stringOrNull(line['approved_by']),
    risks: textsOf(line['risks']),
  };
}

const getCallState = ({ ok, pending }: JournalLine): CallState =>
  pending === true ? 'waiting' : ok === true ? 'ok' : 'failed';

export const isRefused = ({ state, status }: Pick<ShownCall, 'state' | 'status'>): boolean =>
  state === 'ok' && status !== null && status >= 400;

/** The host of a call's address. */
export const hostOf = ({ url }: FaceCall['args']): string | null =>
  typeof url === 'string' && URL.canParse(url) ? new URL(url).host : null;

const OUTCOMES = { ok: 'ok', failed: 'failed', waiting: 'pending', running: undefined } as const;

export const isFiltered = (filter: JournalFilter): boolean =>
  Object.values(filter).some((wanted) => wanted !== undefined);

/**
 * Whether a line is wanted, as a server judges the lines of its journal. A call that runs has any outcome. Lines of hidden
 * tools are never wanted.
 */
export function isWanted(entry: Entry, { tool, agent, session, outcome, site }: JournalFilter): boolean {
  if (entry.tool !== null && isHiddenTool(entry.tool)) return false;
  if (tool !== undefined && entry.tool !== tool) return false;
  if (entry.kind === 'event') return [agent, session, outcome, site].every((wanted) => wanted === undefined);
  if (agent !== undefined && entry.agent !== agent) return false;
  if (session !== undefined && entry.session !== session) return false;
  if (outcome !== undefined && (OUTCOMES[entry.state] ?? outcome) !== outcome) return false;
  return site === undefined || entry.site === site || hostOf(entry.args) === site;
}
