import type { ComponentType } from 'preact';
import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import type { ItemPage } from '../components/layout.ts';

/*
 * What people see of a tool. A face is a row of `rows.ts` and a view of `views/`, or a
 * component that its row names. It runs in the side panel and in the widgets of hosts: it knows what it is given, the
 * language and the actions of its place, and nothing else.
 */

/** An argument, as the journal keeps it: nothing nested, texts cut. */
export type ShownArgument = string | number | boolean;

/** `waiting`: it ended without a result, since a person has to decide first. */
export type CallState = 'running' | 'ok' | 'failed' | 'waiting';

/** How far a call is that has not ended. */
export interface CallProgress {
  readonly done: number;
  readonly total: number | null;
  readonly message: string | null;
}

/** A call, as far as its faces need it. Its texts are an agent's or a page's. */
export interface FaceCall {
  readonly callId: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, ShownArgument>>;
  /** For a tool that is not our own: a recipe, or another server's. */
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

/** Facts that are not known of a call that has not ended. */
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
  /** Details for machines. */
  readonly body: JsonValue | undefined;
}

export interface FaceStored {
  readonly handle: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly itemCount: number | null;
  /** The beginning, as text. */
  readonly preview: string | null;
  /** Milliseconds since the epoch, where the place knows it. */
  readonly expiresAt?: number;
}

export interface FaceAnswer {
  readonly ok: boolean;
  /** The payload: JSON where the tool answers JSON (a list as it is), else its text; undefined where it is a picture, or stored. */
  readonly value: JsonValue | undefined;
  readonly picture: { readonly mimeType: string; readonly base64: string } | null;
  /** Survives failure. */
  readonly state: JsonObject;
  readonly error: FaceError | null;
  readonly stored: FaceStored | null;
  readonly notes: readonly string[];
}

/** Recipes that a person looks through. */
export interface RecipeShelf {
  /** Null before the first: the answer of the call holds. */
  readonly found: JsonObject | null;
  readonly query: string;
  readonly isBusy: boolean;
  readonly search: (query: string) => void;
  /** Whole recipes that are open, by name; null for one that is on its way. */
  readonly opened: ReadonlyMap<string, JsonObject | null>;
  /** Opens a recipe, or closes it. */
  readonly toggle: (name: string) => void;
}

/** Null for what that place does not offer. */
export interface FaceActions {
  /** Opens an address in the person's browser. */
  readonly openLink: ((href: string) => void) | null;
  /** Shows a stored output. */
  readonly openOutput: ((handle: string) => void) | null;
  /** Shows a run with its items. */
  readonly openRun: ((runId: string) => void) | null;
  /** Shows the tool's Portal. */
  readonly openPortal: (() => void) | null;
  /** The way to the other items of an answer. */
  readonly page: ItemPage | null;
  /** The way to other recipes, and to all of one. */
  readonly recipes: RecipeShelf | null;
}

interface OfCall {
  readonly call: FaceCall;
}
interface OfAnswer extends OfCall {
  readonly answer: FaceAnswer;
}

/** One line: what was called and with what. How it went and how large it was is next to it. */
export type Inspector = ComponentType<OfCall>;
/** The result. */
export type Render = ComponentType<OfAnswer>;
/** Progress, and items as they arrive. MCP streams no arguments. */
export type Streaming = ComponentType<OfCall & { readonly items: readonly JsonValue[] }>;
/** The arguments, to be edited where `onEdit` is given. */
export type Intervention = ComponentType<{
  readonly args: JsonObject;
  /** `problem`: what keeps these arguments from being sent, or null. The face itself shows it. */
  readonly onEdit: ((args: JsonObject, problem: string | null) => void) | null;
}>;
/** The full view, with actions of its own. */
export type Portal = ComponentType<OfAnswer>;

/** Whether a Render is shown by the result, or closed until a person opens it. */
export type DisplayControl = (answer: FaceAnswer) => 'open' | 'closed';

/** Keys `builtins.<identifier>.…`. */
export interface BuiltinWords {
  readonly apiName: Readonly<Record<string, string>>;
  /** Additional words that its Inspectors use. */
  readonly inspector?: Readonly<Record<string, unknown>>;
  /** Labels of its arguments, where a person is asked about them. */
  readonly form?: Readonly<Record<string, unknown>>;
}
