import type { OutputDescriptor } from '../../shared/core/descriptor.ts';
import type { JsonObject, JsonValue } from '../../shared/base/json.ts';
import type { SessionFact } from '../../shared/core/tools/manifest.ts';
import type { CallScope, Caller } from '../../shared/core/policy/call-facts.ts';
import type { Pick as Picked } from '../../shared/core/bridge/server-methods.ts';
import { abortable, waitAtMost } from '../../shared/base/async.ts';
import { clean, type Clean, type CleanText } from '../libraries/redaction/clean.ts';
import type { OutputRequest, ToolResult } from './result.ts';
import type { RankTools, ToolSelector } from './registry/selector.ts';
import type { Clock, Logger } from './services.ts';
import { cut } from '../../shared/base/cut.ts';
import { BoundedMap } from '../../shared/base/maps.ts';
import { Listeners } from '../../shared/base/queue.ts';

/**
 * The tools that one session lists. Chosen tools stay chosen, so that a model's cache of the list stays
 * valid: a tool leaves only while its provider does not offer it.
 */
export interface SessionTools {
  /** Names, in the order of the registry. */
  namesInList(): readonly string[];
  /** The client has received the list. */
  noteListSent(): void;
  /** The listed tools that the client has received or selected: not every client reads a changed list. */
  namesKnown(): readonly string[];
  /** Lists more tools, and returns the new ones. Skips unknown names. */
  add(names: readonly string[]): readonly string[];
  /** Lists the tools that this fact of the session adds. */
  manage(fact: SessionFact): void;
  /** Calls back when the list changes. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void;
}

/** A handle that a session was given. */
export interface SessionOutput {
  readonly descriptor: OutputDescriptor;
  readonly tool: string;
}

/** Handles that a session remembers; a client that makes more lists its newest. */
const OUTPUTS_MAX = 1_000;

/** The session's handles, newest last; beyond a maximum, the oldest are forgotten. */
export class SessionOutputs {
  readonly #byHandle = new BoundedMap<string, SessionOutput>(OUTPUTS_MAX);
  readonly #listeners = new Listeners<SessionOutput>();

  all(): readonly SessionOutput[] {
    return [...this.#byHandle.values()];
  }

  has(handle: string): boolean {
    return this.#byHandle.has(handle);
  }

  add(output: SessionOutput): void {
    const { output_handle: handle } = output.descriptor;
    if (this.#byHandle.has(handle)) return;
    this.#byHandle.set(handle, output);
    this.#listeners.notify(output);
  }

  /** Calls back with each new one. Returns an unsubscribe function. */
  onAdd(listener: (output: SessionOutput) => void): () => void {
    return this.#listeners.add(listener);
  }
}

/** Memory of one client session between calls. One per MCP session. */
export interface ClientSession {
  readonly id: string;
  /** People see it, and other agents. */
  name: string;
  version?: string;
  /** Aborted when the client has disconnected: its state can be removed. The reason says how. */
  readonly signal: AbortSignal;
  /** The tab that `navigate` opened or the client named last, or null: `b1:42`. */
  currentTab: string | null;
  /** Every tab that the client opened or named by its id, and that is not known to be gone. */
  readonly tabs: Set<string>;
  readonly openedTabs: Set<string>;
  readonly tools: SessionTools;
  readonly outputs: SessionOutputs;
  readonly acts: SessionActs;
  readonly picks: SessionPicks;
}

/** A step of a long call, for progress notifications. */
export interface Progress {
  /** Steps done so far; it only grows. */
  readonly done: number;
  /** Total steps, once known. */
  readonly total?: number;
  readonly message?: string;
}

/** One step of an agent, shared by the calls that one answer of a model requests. */
export interface StepContext {
  /** Unique in the session. */
  readonly id: string;
  /** Never shown, never stored. */
  readonly memory: Map<string, JsonValue>;
}

export interface CallEnd {
  readonly isSuccess: boolean;
}

/** Lets other calls work while this one waits for a person, a model or a run; then it waits for its turn again. */
export type StepAside = <T>(waiting: () => Promise<T>) => Promise<T>;

export interface CallContext {
  readonly callId: string;
  readonly session: ClientSession;
  readonly call: CallScope;
  /**
   * By their paths, what a card says of files that the call sends: before it sends them, or asks with {@link call}.
   * @param texts what the files contain, if the card does not say it
   */
  readonly sends: (files: Readonly<Record<string, string>>, texts?: readonly string[]) => void;
  /**
   * Resolves when the arguments may go to a place without a page, such as `upstream://github`.
   * @param text goes there with them
   * @throws SpillwayError `approval_required`, `policy_denied`, or those of a browser that cannot be asked
   */
  readonly leaves: (site: string, text?: string) => Promise<void>;
  /** Names of the arguments that the call passed; the others have their defaults. */
  readonly givenNames: readonly string[];
  /** Aborted by the client's cancel, the transport's end, or the server's. Its reason says which. */
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
  /**
   * Reports the work's state so far, for a failure of the call. Later reports override earlier ones, and the
   * error's or the payload's state overrides both.
   */
  readonly keepState: (known: () => JsonObject) => void;
  readonly output: OutputRequest;
  /** For a tool whose calls are runs: the default of `async`. */
  readonly execution: Execution;
  /** How long the call may wait for a run before it returns the run's id. `Infinity` in a task. */
  readonly syncWaitMs: number;
  /** Null for a call that belongs to no step. */
  readonly step: StepContext | null;
  /** Absent if the client cannot ask its person. */
  readonly askPerson?: AskPerson;
  /** Absent if the client shows no pages to its person. */
  readonly pages?: PersonPages;
  /** Absent if the client offers no model. */
  readonly rank?: RankTools;
  /** For requests of other servers to a model; absent if the client offers none. */
  readonly sample?: SampleModel;
  /** Replaces the server's own selector. */
  readonly selector?: ToolSelector;
  readonly logger: Logger;
  readonly clock: Clock;
  /**
   * Redacts a text that the runtime quotes or compares before its payload is redacted, so that no answer
   * reveals more of a secret than the payload does.
   */
  readonly redact: (text: string) => CleanText;
  /** Runs when the call has ended, however it ended; failures are only logged. */
  readonly registerAfterCompletion: (task: (end: CallEnd) => void | Promise<void>) => void;
  /** For waits for a person or a run. The questions of the context step aside themselves. */
  readonly aside: StepAside;
}

/**
 * When and where an act happened. Times are in milliseconds since the epoch, on the clock of the browser's
 * computer.
 */
export interface ActSpan {
  /** `b1:42`. */
  readonly tab: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** When the tab was acted on again; null if it was not. */
  readonly nextAt: number | null;
}

/** Acts that a session remembers; the oldest are forgotten. */
const ACTS_MAX = 200;

/** A session's acts, by the ids in their receipts: `a7`. */
export class SessionActs {
  readonly #acts = new Map<string, ActSpan>();
  #last = 0;

  /** Remembers an act, and returns its id. */
  add(span: Omit<ActSpan, 'nextAt'>): string {
    for (const [id, act] of this.#acts)
      if (act.tab === span.tab && act.nextAt === null) this.#acts.set(id, { ...act, nextAt: span.startedAt });
    this.#last += 1;
    const id = `a${this.#last}`;
    this.#acts.set(id, { ...span, nextAt: null });
    const [oldest] = this.#acts.keys();
    if (this.#acts.size > ACTS_MAX && oldest !== undefined) this.#acts.delete(oldest);
    return id;
  }

  find(id: string): ActSpan | null {
    return this.#acts.get(id) ?? null;
  }

  /** The id of the newest act. */
  get newest(): string | null {
    return this.#acts.size === 0 ? null : `a${this.#last}`;
  }
}

/** Picks that a session remembers; the oldest are forgotten. */
const PICKS_MAX = 20;

/** An element that the session's person has pointed at: redacted, except for its picture. */
export interface SessionPick extends Clean<Omit<Picked, 'picture' | 'tab_id'>> {
  readonly id: string;
  /** `b1:42` */
  readonly tab: string;
  readonly picture: string | null;
}

/** The picks of one session, newest first. */
export class SessionPicks {
  readonly #picks: SessionPick[] = [];
  readonly #listeners = new Listeners<void>();
  #last = 0;
  /** Picks that no call has returned. */
  #fresh = 0;
  #isNoted = false;

  all(): readonly SessionPick[] {
    return this.#picks;
  }

  add(pick: Omit<SessionPick, 'id'>): void {
    this.#last += 1;
    this.#picks.unshift({ ...pick, id: `p${this.#last}` });
    this.#picks.length = Math.min(this.#picks.length, PICKS_MAX);
    this.#fresh += 1;
    this.#isNoted = false;
    this.#listeners.notify();
  }

  /** Calls back after each new one. Returns an unsubscribe function. */
  onAdd(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Those that no call has returned; waits for one if there are none. @throws the signal's reason */
  async take(waitMs: number, signal: AbortSignal): Promise<readonly SessionPick[]> {
    const until = performance.now() + waitMs;
    // Another call may take the one that ends the wait.
    for (let leftMs = waitMs; this.#fresh === 0 && leftMs > 0; leftMs = until - performance.now()) {
      let stop = (): void => undefined;
      const added = new Promise<void>((resolve) => (stop = this.onAdd(resolve)));
      await abortable(waitAtMost(added, leftMs), signal).finally(() => stop());
    }
    const fresh = this.#picks.slice(0, this.#fresh);
    this.#fresh = 0;
    return fresh;
  }

  /** Tells an agent, in the notes of its next answer, that there are new ones; null after that. */
  notice(): CleanText | null {
    if (this.#fresh === 0 || this.#isNoted) return null;
    this.#isNoted = true;
    return clean`The person pointed at something in the browser for you: call picked.`;
  }
}

/** For agents, without the picture. */
export function pickToShow(pick: SessionPick): JsonObject {
  const { id, said, tab, url, ref, role, name, box, picture } = pick;
  const words = said === '' ? {} : { person_says: said };
  return { id, ...words, tab, url, ref, role, name, box: { ...box }, has_picture: picture !== null };
}

export type Execution = 'sync' | 'async';

/** A question that the client shows to its person. */
interface PersonForm {
  readonly message: string;
  /** JSON Schema of an object of scalars. */
  readonly schema: JsonObject;
}

/** Clients' answers are not verified: a client may not have asked anyone. */
export interface PersonReply {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content: JsonObject;
}

/** A page that another server wants a person to open. */
export interface PersonPage {
  /** Unique in the session. */
  readonly id: string;
  readonly message: string;
  /** http or https. */
  readonly url: string;
}

/** Shows pages to the person behind a client, who may open them. Nothing opens one automatically. */
export interface PersonPages {
  /** @throws SpillwayError `human_input_expired`, `human_unreachable` */
  ask(page: PersonPage, signal: AbortSignal): Promise<PersonReply['action']>;
  /** The call fails, and these have to be opened before it is repeated. */
  require(pages: readonly PersonPage[]): void;
  completed(id: string): void;
}

/** @throws SpillwayError `human_input_expired`, or `human_unreachable` where the client cannot show it after all */
export type AskPerson = (form: PersonForm, signal: AbortSignal) => Promise<PersonReply>;

/** Asks the client's model as another server would: the parameters and the answer of `sampling/createMessage`. */
export type SampleModel = (params: JsonObject, signal: AbortSignal) => Promise<JsonObject>;

const NAME_UNITS = 100;
const VERSION_UNITS = 64;

/** For whom a call reads or acts, as the browser knows it: refs belong to the session that was shown them. */
export const callerOf = ({ session }: Pick<CallContext, 'session'>): Caller => ({
  session: session.id,
  name: cut(session.name.trim() || 'agent', NAME_UNITS).toWellFormed(),
  ...(session.version === undefined ? {} : { version: cut(session.version, VERSION_UNITS).toWellFormed() }),
});

export interface OwnAnswer {
  readonly value: unknown;
  readonly isError?: boolean;
}

/** A caller's own tool: known to one session, and called through the gate, the journal and the redactor. */
export interface OwnTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Whether it changes nothing. Default: it may change anything. */
  readonly isReadOnly?: boolean | undefined;
  /** @throws whatever it throws becomes a coded failure */
  run(args: JsonObject, context: Pick<CallContext, 'callId' | 'signal' | 'progress'>): Promise<OwnAnswer>;
}

/** The call on whose behalf another is made: a recipe's, or the one that started a program. */
export type NestedContext = Pick<CallContext, 'callId' | 'session' | 'signal' | 'step'> &
  Partial<Pick<CallContext, 'askPerson' | 'rank' | 'selector'>>;

/** A call that a recipe or a program makes. */
interface NestedCall {
  readonly tool: string;
  readonly args: JsonObject;
  readonly callId: string;
  /** The recipe that it is a step of, or `script`. */
  readonly recipe: string;
  readonly context: NestedContext;
  /** Called when a person is asked about it. */
  readonly onAsk: () => void;
}

/** Executes a call to its end, however long a person takes to allow it. */
export type CallTool = (call: NestedCall) => Promise<ToolResult>;
