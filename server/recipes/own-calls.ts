import { BoundedMap } from '../../shared/bounded-map.ts';
import { type JsonObject, isObject } from '../../shared/json.ts';
import type { ToolResult } from '../core/result.ts';
import { JsonRecord } from '../../shared/json-schema.ts';
import type { ToolCall } from '../core/calls/call.ts';
import type { ClientSession } from '../core/context.ts';
import { describedIn, textOf, type Described } from '../toolkit/page-lines.ts';

/** Calls of a session that are remembered, and elements that it was shown. */
const CALLS_MAX = 50;
const REFS_MAX = 5_000;
/** For one call: who sends more will not want it in a recipe. */
const ARGS_UNITS = 64 * 1024;
const TEXT_UNITS = 1024 * 1024;

/** Tools whose answers show elements with refs. */
const SHOWS_REFS: ReadonlySet<string> = new Set(['find', 'read_page', 'interact']);
/** Calls about the work, which are not part of it. */
const ABOUT_TOOLS =
  /^(?:recipe_|find_tools$|docs_|oc_journal$|oc_connection_health$|resume_call$)|_internal$/;

/** A call that a session made and that succeeded. */
export interface OwnCall {
  readonly tool: string;
  readonly args: JsonObject;
  readonly handle: string | null;
  readonly refs: ReadonlyMap<string, Described>;
}

interface Remembered {
  readonly calls: OwnCall[];
  readonly refs: Map<string, Described>;
}

/** The last calls of sessions, in memory, with their arguments as given. */
export class OwnCalls {
  readonly #bySession = new WeakMap<ClientSession, Remembered>();

  /** Takes note of a call that has ended. */
  add(call: ToolCall, result: ToolResult): void {
    const { tool, session, recipe, own } = call;
    if (recipe !== undefined || own !== undefined || result.pending !== undefined) return;
    const remembered = this.#bySession.get(session) ?? {
      calls: [],
      refs: new BoundedMap<string, Described>(REFS_MAX),
    };
    this.#bySession.set(session, remembered);
    if (result.ok && !ABOUT_TOOLS.test(tool)) addCall(remembered, call, result);
    if (SHOWS_REFS.has(tool)) addRefs(remembered, textOf(result.content[0]) ?? '');
  }

  /** The calls of a session, the oldest first. */
  of(session: ClientSession): readonly OwnCall[] {
    return this.#bySession.get(session)?.calls ?? [];
  }
}

function addCall({ calls, refs }: Remembered, { tool, args }: ToolCall, { descriptor }: ToolResult): void {
  const text = textFrom(args);
  if (text === null) return;
  calls.push({
    tool,
    args: JsonRecord.parse(JSON.parse(text)),
    handle: descriptor?.output_handle ?? null,
    refs: new Map([...refs].filter(([ref]) => text.includes(ref))),
  });
  if (calls.length > CALLS_MAX) calls.shift();
}

function addRefs({ refs }: Remembered, text: string): void {
  for (const [ref, described] of describedIn(text.slice(0, TEXT_UNITS))) {
    // The same ref may be said twice: what has a name of its place tells more.
    if (described.near === undefined && refs.get(ref)?.name === described.name) continue;
    refs.set(ref, described);
  }
}

/** Arguments as JSON; null for those that are not, or are too long. */
function textFrom(args: unknown): string | null {
  try {
    const text = JSON.stringify(isObject(args) ? args : {});
    return text.length > ARGS_UNITS ? null : text;
  } catch {
    return null;
  }
}
