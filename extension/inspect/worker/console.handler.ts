import { lookUp } from '../../../shared/base/json.ts';
import type { Handlers, StreamHandler, WorkerServices } from '../../core/handler.ts';
import { WorkOrder } from '../../../shared/base/work-order.ts';
import { getReadableTab } from '../../core/pages/targets.ts';
import type { ConsoleMessage, ConsoleLevel } from '../../../shared/inspect/console.methods.ts';
import type { DebuggerLease } from '../../platform/chromium/debugger/sessions.ts';
import { cutUrl } from '../../../shared/base/cut.ts';
import {
  membersOf,
  useMessages,
  type ConsoleCall,
  type ConsoleEvent,
  type ExceptionThrown,
  type LogEntry,
  type RemoteObject,
  type StackTrace,
} from '../../platform/chromium/console.ts';
import { type Inside, cutText, renderArguments, renderValue, type Insides } from './console/render.ts';

const STACK_FRAMES = 30;
const URL_UNITS = 2_048;
const TEXT_UNITS = 10_000;

const LEVELS: Readonly<Record<string, ConsoleLevel>> = {
  debug: 'debug',
  verbose: 'debug',
  warning: 'warning',
  error: 'error',
  assert: 'error',
};

type MessageSource = Pick<ConsoleMessage, 'url' | 'line' | 'column' | 'stack'>;

/** The protocol counts lines and columns from 0, people from 1. */
function formatSource(
  stackTrace: StackTrace | undefined,
  at: { url?: string | undefined; line?: number | undefined; column?: number | undefined } = {},
): MessageSource {
  const frames = stackTrace?.callFrames ?? [];
  const [top] = frames;
  const url = at.url ?? top?.url ?? '';
  const line = at.line ?? top?.lineNumber;
  const column = at.column ?? (at.line === undefined ? top?.columnNumber : undefined);
  return {
    url: url === '' ? null : cutUrl(url, URL_UNITS),
    line: line === undefined ? null : line + 1,
    column: column === undefined ? null : column + 1,
    stack: frames.slice(0, STACK_FRAMES).map((frame) => {
      const place = `${cutUrl(frame.url, URL_UNITS)}:${frame.lineNumber + 1}:${frame.columnNumber + 1}`;
      return frame.functionName === '' ? place : `${cutText(frame.functionName, 200)} (${place})`;
    }),
  };
}

const PREFIX: Readonly<Record<string, string>> = { assert: 'Assertion failed', trace: 'Trace' };

/** The message of a `console` call. `depth` is the number of open groups. */
export function consoleMessage(call: ConsoleCall, insides: Insides, depth: number): ConsoleMessage {
  const detail = call.type === 'clear' ? 'The console was cleared.' : renderArguments(call.args, insides);
  const prefix = lookUp(PREFIX, call.type);
  // The browser's own text for calls without arguments: `console.assert`, `console.trace`.
  const text =
    prefix === undefined
      ? detail
      : /^console\.\w+$/.test(detail) || detail === ''
        ? prefix
        : `${prefix}: ${detail}`;
  return {
    at_ms: call.timestamp,
    level: lookUp(LEVELS, call.type) ?? 'info',
    text: '  '.repeat(Math.min(depth, 20)) + text,
    source: 'console',
    ...formatSource(call.stackTrace),
  };
}

/** The message of an uncaught exception. */
function exceptionMessage(
  { timestamp, exceptionDetails: details }: ExceptionThrown,
  insides: Insides,
): ConsoleMessage {
  const { text, exception, url, lineNumber, columnNumber, stackTrace } = details;
  // An error's description repeats the stack, which is separate only of what was thrown while the debugger was attached. That
  // of its cause stays.
  const whole = exception === undefined ? '' : renderValue(exception, insides);
  const [frames = ''] = /(?:\n\s+at .*)+/.exec(whole) ?? [];
  const detail = whole.replace(frames, '');
  const { stack, ...place } = formatSource(stackTrace, { url, line: lineNumber, column: columnNumber });
  const described = frames.split(/\n\s+at /).slice(1, STACK_FRAMES + 1);
  return {
    at_ms: timestamp,
    level: 'error',
    text: cutText(detail === '' ? text : `${text} ${detail}`, TEXT_UNITS),
    source: 'exception',
    ...place,
    stack: stack.length > 0 ? stack : described.map((frame) => cutText(frame, URL_UNITS)),
  };
}

/** Messages of the browser: failed requests, policies, deprecations. */
export function logMessage({ entry }: LogEntry): ConsoleMessage {
  return {
    at_ms: entry.timestamp,
    level: lookUp(LEVELS, entry.level) ?? 'info',
    text: cutText(entry.text, TEXT_UNITS),
    source: entry.source,
    ...formatSource(entry.stackTrace, { url: entry.url, line: entry.lineNumber }),
  };
}

/** Older messages are dropped. */
const KEPT_MESSAGES = 1_000;
/** The newest objects are expanded, each to this many members. */
const OBJECTS = 400;
const MEMBERS = 20;
const OBJECTS_AT_ONCE = 50;
/** Maximum errors that are shown as causes of each other. */
const CAUSES = 5;
/** The message by which the browser reports that it dropped others. */
const EXPIRED = /^(\d+) log entries are not shown\.?$/;

/** Makes lines of messages, and reads the objects in them. */
class Reader {
  readonly #insides = new Map<string, Inside>();

  constructor(
    private readonly lease: DebuggerLease,
    private readonly events: readonly ConsoleEvent[],
  ) {}

  /** The messages, oldest first, and how many older ones the browser dropped, at least. */
  async result(): Promise<{ messages: ConsoleMessage[]; dropped: number }> {
    await this.#lookInside();
    const depths = new Map<string | null, number>();
    const messages: ConsoleMessage[] = [];
    const seen = new Set<string>();
    let dropped = this.#lostCalls();
    for (const event of this.events.toSorted(logsLast)) {
      const expired = event.kind === 'log' ? EXPIRED.exec(event.log.entry.text) : null;
      if (expired !== null) {
        dropped += Number(expired[1]);
        continue;
      }
      const message = this.#messageOf(event, depths);
      if (message === null) continue;
      // A page's log repeats messages of its frames and workers.
      const key =
        event.kind === 'log' && message.source !== 'worker' ? JSON.stringify(message) : workerKey(message);
      if (event.kind === 'log' && seen.has(key)) continue;
      seen.add(key);
      messages.push(message);
    }
    return { messages: messages.sort((a, b) => a.at_ms - b.at_ms), dropped };
  }

  /** The browser does not count the calls it drops: a full store has lost at least one. */
  #lostCalls(): number {
    const counts = new Map<string | null, number>();
    for (const { kind, session } of this.events)
      if (kind !== 'log') counts.set(session, (counts.get(session) ?? 0) + 1);
    return [...counts.values()].filter((count) => count >= KEPT_MESSAGES).length;
  }

  #messageOf(event: ConsoleEvent, depths: Map<string | null, number>): ConsoleMessage | null {
    if (event.kind === 'log') return logMessage(event.log);
    if (event.kind === 'exception') return exceptionMessage(event.thrown, this.#insides);
    const { type } = event.call;
    const depth = depths.get(event.session) ?? 0;
    if (type === 'endGroup') {
      depths.set(event.session, Math.max(0, depth - 1));
      return null;
    }
    if (type === 'startGroup' || type === 'startGroupCollapsed') depths.set(event.session, depth + 1);
    return consoleMessage(event.call, this.#insides, depth);
  }

  /** Reads the members of the newest objects, without running their code. */
  async #lookInside(): Promise<void> {
    const wanted = this.events.toReversed().flatMap((event) => {
      if (event.kind === 'log') return [];
      const { exception } = event.kind === 'exception' ? event.thrown.exceptionDetails : {};
      const args = event.kind === 'call' ? event.call.args : exception === undefined ? [] : [exception];
      const isTable = event.kind === 'call' && event.call.type === 'table';
      return args.filter(isRead).map((value) => ({ session: event.session, value, isTable }));
    });
    for (let at = 0; at < Math.min(wanted.length, OBJECTS); at += OBJECTS_AT_ONCE)
      await Promise.all(
        wanted
          .slice(at, at + OBJECTS_AT_ONCE)
          .map(({ session, value, isTable }) => this.#open(session, value, isTable)),
      );
  }

  async #open(
    sessionId: string | null,
    { objectId = '', subtype }: RemoteObject,
    isTable: boolean,
    depth = 0,
  ): Promise<void> {
    // Of an error, only the cause is read.
    const isError = subtype === 'error';
    try {
      const members = (await membersOf(this.lease, sessionId, objectId)).flatMap(
        ({ name, enumerable, value }) =>
          value !== undefined && (isError ? name === 'cause' : enumerable) ? [{ name, value }] : [],
      );
      this.#insides.set(objectId, { members: members.slice(0, MEMBERS), isCut: members.length > MEMBERS });
      // A table consists of rows: each is shown with its cells. A cause may have a cause itself.
      const inner = members.slice(0, MEMBERS).flatMap(({ value }) => (isRead(value) ? [value] : []));
      if ((isError || isTable) && depth < CAUSES)
        await Promise.all(inner.map((value) => this.#open(sessionId, value, false, depth + 1)));
    } catch {
      // If its page, frame or worker has gone, its class name remains.
    }
  }
}

const logsLast = (a: ConsoleEvent, b: ConsoleEvent): number =>
  Number(a.kind === 'log') - Number(b.kind === 'log');

const workerKey = ({ url, line }: ConsoleMessage): string => JSON.stringify([url, line]);

/** The browser sends all members, 140 bytes for each item of a list. */
const OPEN_ITEMS = 1_000;

/** Plain objects and lists are shown by their members; longer lists and others by their preview or description. */
function isRead({ objectId, type, subtype, description = '' }: RemoteObject): boolean {
  if (objectId === undefined) return false;
  if (subtype === 'error') return true;
  if (type !== 'object') return false;
  const isList = subtype === 'array' || subtype === 'typedarray';
  if (!isList) return subtype === undefined;
  return Number(/\((\d+)\)$/.exec(description)?.[1] ?? 0) <= OPEN_ITEMS;
}

export function createHandlers({ debuggers, personTabs }: WorkerServices): Pick<Handlers, 'page.console'> {
  const turns = new WorkOrder<number>();
  const sendMessages: StreamHandler<'page.console'> = async ({ tab_id: tabId }, { signal, policy }, sink) => {
    const { url = '' } = await getReadableTab(tabId);
    // One at a time: the end of one would disable the domains that another reads.
    const {
      messages: all,
      dropped,
      ...since
    } = await turns.run(tabId, async () => {
      await policy.expectFrames(tabId, ['read']);
      signal.throwIfAborted();
      return debuggers.use(tabId, signal, (lease) =>
        useMessages(lease, async (events, since) => ({
          ...(await new Reader(lease, events).result()),
          ...(since !== null && { since_ms: since }),
        })),
      );
    });
    // The browser has also kept messages from while a person was typing.
    const messages = all.filter(({ at_ms: at }) => !personTabs.hadAt(tabId, at));
    // The page may have navigated meanwhile.
    await policy.expectFrames(tabId, ['read']);
    for (const message of messages) await sink.write(`${JSON.stringify(message)}\n`);
    return { url, messages: messages.length, dropped, left_out: all.length - messages.length, ...since };
  };
  return { 'page.console': sendMessages };
}
