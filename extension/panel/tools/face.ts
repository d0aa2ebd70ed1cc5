import type { ComponentType } from 'preact';
import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import type { ItemPage } from '../components/layout.ts';

/*
 * The visible side of a tool. A face is a row of `rows.ts` and a view of `views/`, or a component that its row names.
 * It runs in the side panel and in the widgets of hosts, and depends only on its input, the language and the actions of
 * its place.
 */

/** An argument as in the journal: nothing nested, texts cut. */
export type ShownArgument = string | number | boolean;

/** `waiting`: it ended without a result, since a person has to decide first. */
export type CallState = 'running' | 'ok' | 'failed' | 'waiting';

/** Progress of a running call. */
interface CallProgress {
  readonly done: number;
  readonly total: number | null;
  readonly message: string | null;
}

/** The facts of a call that its faces need. Its texts are an agent's or a page's. */
export interface FaceCall {
  readonly callId: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, ShownArgument>>;
  /** For a recipe's or another server's tool. */
  readonly title?: string | null;
  /** The steps, if there are any: `click button Save`. */
  readonly did?: readonly string[];
  readonly state: CallState;
  readonly code: string | null;
  readonly handle: string | null;
  readonly durationMs: number | null;
  readonly sizeBytes: number | null;
  readonly progress: CallProgress | null;
}

/** Unknown facts of a running call. */
export const NOT_ENDED = {
  code: null,
  handle: null,
  durationMs: null,
  sizeBytes: null,
  progress: null,
} as const satisfies Partial<FaceCall>;

export interface FaceError {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
  /** Machine-readable details. */
  readonly body: JsonValue | undefined;
}

export interface FaceStored {
  readonly handle: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly itemCount: number | null;
  /** The beginning, as text. */
  readonly preview: string | null;
  /** Milliseconds since the epoch, if known. */
  readonly expiresAt?: number;
}

export interface FaceAnswer {
  readonly ok: boolean;
  /** The payload: JSON if the tool answers JSON, else its text; undefined for a picture or stored output. */
  readonly value: JsonValue | undefined;
  readonly picture: { readonly mimeType: string; readonly base64: string } | null;
  /** Survives failure. */
  readonly state: JsonObject;
  readonly error: FaceError | null;
  readonly stored: FaceStored | null;
  readonly notes: readonly string[];
}

/** A person's search through recipes. */
export interface RecipeShelf {
  /** Null before the first search, when the call's own answer is shown. */
  readonly found: JsonObject | null;
  readonly query: string;
  readonly isBusy: boolean;
  readonly search: (query: string) => void;
  /** Opened recipes by name; null while one is loading. */
  readonly opened: ReadonlyMap<string, JsonObject | null>;
  /** Opens or closes a recipe. */
  readonly toggle: (name: string) => void;
}

/** Null for actions that the place does not offer. */
export interface FaceActions {
  /** Opens an address in the person's browser. */
  readonly openLink: ((href: string) => void) | null;
  /** Shows a stored output. */
  readonly openOutput: ((handle: string) => void) | null;
  /** Shows a run with its items. */
  readonly openRun: ((runId: string) => void) | null;
  /** Shows the tool's Portal. */
  readonly openPortal: (() => void) | null;
  /** Pages through the items of an answer. */
  readonly page: ItemPage | null;
  /** Searches and opens recipes. */
  readonly recipes: RecipeShelf | null;
}

interface OfCall {
  readonly call: FaceCall;
}
interface OfAnswer extends OfCall {
  readonly answer: FaceAnswer;
}

/** One line: what was called, and with what. The outcome and size are next to it. */
export type Inspector = ComponentType<OfCall>;
/** The result. */
export type Render = ComponentType<OfAnswer>;
/** Progress, and items as they arrive. MCP streams no arguments. */
export type Streaming = ComponentType<OfCall & { readonly items: readonly JsonValue[] }>;
/** The arguments, editable if `onEdit` is given. */
export type Intervention = ComponentType<{
  readonly args: JsonObject;
  /** `problem`: what keeps these arguments from being sent, or null. The face itself shows it. */
  readonly onEdit: ((args: JsonObject, problem: string | null) => void) | null;
}>;
/** The full view, with actions of its own. */
export type Portal = ComponentType<OfAnswer>;

/** Whether a Render is open at first, by the result. */
export type DisplayControl = (answer: FaceAnswer) => 'open' | 'closed';

/** Keys `builtins.<identifier>.…`. */
export interface BuiltinWords {
  readonly apiName: Readonly<Record<string, string>>;
  /** Additional words for its Inspectors. */
  readonly inspector?: Readonly<Record<string, unknown>>;
  /** Labels of its arguments in approval cards. */
  readonly form?: Readonly<Record<string, unknown>>;
}
