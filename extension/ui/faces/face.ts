import type { ComponentType, ComponentChildren } from 'preact';
import type { CallAnswer } from '../../../shared/core/bridge/answers.ts';
import type { JsonObject, JsonValue } from '../../../shared/base/json.ts';
import type { TOOL_NAMES } from '../../../shared/core/tools/names.generated.ts';
import type { ShownAnswer, ShownState, ShownTool, ShownValue } from '../../../shared/core/tools/shown.ts';
import type { ItemPage } from '../layout.ts';
import type { FaceWords } from '../words/en/faces.ts';
import type { Language } from '../words/locale.ts';
import type { ToolWords } from '../words/en/tools.ts';

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
type CallProgress = { readonly done: number; readonly total: number | null; readonly message: string | null };

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

/** As servers send it to panels. A host also knows when a stored one expires. */
export interface FaceAnswer extends Omit<CallAnswer, 'stored'> {
  readonly stored: (NonNullable<CallAnswer['stored']> & { readonly expires_at?: string }) | null;
}

/** A person's search through recipes. */
export interface RecipeShelf {
  /** Null before the first search, when the call's own answer is shown. */
  readonly found: ShownValue<'recipe_search'> | null;
  readonly query: string;
  readonly isBusy: boolean;
  readonly search: (query: string) => void;
  /** Opened recipes by name; null while one is loading. */
  readonly opened: ReadonlyMap<string, ShownValue<'recipe_get'> | null>;
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
  /** Pages through the items of an answer. */
  readonly page: ItemPage | null;
  /** Searches and opens recipes. */
  readonly recipes: RecipeShelf | null;
}

/** The line of a call. */
export interface Summary {
  readonly name: string;
  /** The first given one is shown. An agent or a page wrote it. */
  readonly about?: readonly (ShownArgument | undefined)[];
  readonly tags?: readonly (ShownArgument | undefined | null)[];
}

export type OfCall = { readonly call: FaceCall };
export type OfAnswer = OfCall & { readonly answer: FaceAnswer };

/** One line: what was called, and with what. The outcome and size are next to it. */
export type Inspector = ComponentType<OfCall>;
/** The result. */
export type Render = ComponentType<OfAnswer>;
/** Progress, and items as they arrive. MCP streams no arguments. */
export type Streaming = ComponentType<OfCall & { readonly items: readonly JsonValue[] }>;
/** The arguments, which a person may change. */
export type Intervention = ComponentType<{
  readonly args: JsonObject;
  /** `problem`: what keeps these arguments from being sent, or null. The face itself shows it. */
  readonly onEdit: (args: JsonObject, problem: string | null) => void;
}>;
/** `plain` has no meaning. */
export type Tone = 'busy' | 'good' | 'bad' | 'wait' | 'off' | 'plain';

export type Mark = readonly [tone: Tone, text: string];

export type Maybe<T> = T | null | undefined;

/** A fact's value: a text of ours or theirs, or how another one is shown. Its line is omitted without one. */
export type FactValue =
  | Maybe<string>
  | { readonly url: Maybe<string> }
  | { readonly hash: Maybe<string> }
  | { readonly code: Maybe<string> }
  | { readonly value: JsonValue };
export type Fact = readonly [name: string, value: FactValue];

/** One entry in one line, with its details. Empty, null and false values are omitted. */
export interface Line {
  readonly isHead?: true;
  /** Its time. */
  readonly at?: Maybe<string>;
  readonly title?: Maybe<string>;
  readonly code?: Maybe<string>;
  readonly marks?: readonly (Mark | false)[];
  readonly quiet?: readonly Maybe<string>[];
  /** At the end of the line: a figure. */
  readonly end?: Maybe<string>;
  readonly url?: Maybe<string>;
  readonly text?: Maybe<string>;
  readonly about?: Line;
  readonly press?: { readonly name: string; readonly label: string; readonly do: () => void } | false | null;
  readonly blocks?: Blocks;
  /** The line opens to this. */
  readonly more?: JsonValue;
  /** The title opens to its blocks. */
  readonly open?: { readonly is: boolean; readonly toggle: () => void } | undefined;
}

/** A run's state. */
export type ShownRun = ShownValue<'run_status'>;

/** Where items are among all. */
type Place = { readonly offset?: number | undefined; readonly total?: number | undefined };

/** A part of a result. */
export type Block =
  | { readonly line: Line }
  | { readonly facts: readonly Fact[] }
  | { readonly items: readonly Line[]; readonly as?: 'ordered' | 'steps'; readonly label?: string }
  | { readonly table: readonly (readonly string[])[]; readonly label: string }
  | { readonly text: string; readonly as: 'markdown' | 'code' | 'lines' | 'diff'; readonly label?: string }
  | { readonly value: JsonValue }
  | { readonly records: readonly JsonValue[]; readonly of?: Place }
  | { readonly note: string; readonly asks?: true }
  | { readonly run: ShownRun; readonly isLive?: boolean }
  | { readonly progress: ShownRun['progress'] }
  | { readonly error: ShownRun['error'] }
  | {
      readonly picture: NonNullable<FaceAnswer['picture']>;
      readonly alt: string;
      readonly note?: string;
    }
  | { readonly part: string; readonly blocks: Blocks }
  | { readonly fold: string; readonly blocks: Blocks }
  /** A component of the tool's own. */
  | { readonly own: ComponentChildren };

/** Parts in order. False ones are omitted. */
export type Blocks = readonly (Block | false)[];

export interface Given<Tool extends ShownTool = ShownTool> extends ShownAnswer<Tool> {
  readonly call: FaceCall;
  readonly answer: FaceAnswer;
  readonly words: FaceWords;
  readonly actions: FaceActions;
}

/** Draws an answer that has the types of its tool's manifest. */
export type View<Tool extends ShownTool> = (given: Given<Tool>) => Blocks;

/** Words of any tool. */
export type AnyWords = Readonly<Record<string, unknown>>;

/** A text is the name of an argument, whose value is shown. */
export type Tag<Word> =
  | string
  /** The word for the value of an argument. */
  | { readonly wordOf: string }
  /**
   * A word, shown if an argument has this value, or any value without `is`. A word that takes a text gets the value.
   */
  | { readonly of: string; readonly is?: boolean; readonly say: Word };

/** A field in which a person changes an argument. Its label is a word of its tool. */
export type Field<Label> = {
  /** Names of members, outermost first. */
  readonly path: readonly string[];
  readonly label: Label;
} & (
  | { readonly kind: 'text' | 'lines' | 'check' }
  | { readonly kind: 'number'; readonly least: number; readonly most: number }
  /** Each value is also a word of its tool. */
  | { readonly kind: 'choice'; readonly choices: readonly Label[] }
);

/** An answer is drawn by its view (`views/`), or by its kind. */
export interface FaceRow<
  Word extends string = string,
  Label extends string = string,
  Member extends string = string,
> {
  /** Arguments that tell what a call is about: the first given one is shown. */
  readonly about?: readonly string[];
  readonly tags?: readonly Tag<Word>[];
  /** Replaces both if a line needs more than arguments. */
  line?(call: FaceCall, language: Language): Partial<Summary>;
  /** Replaces its view by a component of its capability. */
  readonly render?: () => Promise<Render>;
  readonly intervention?: () => Promise<Intervention>;
  /** The full view, with actions of its own. */
  readonly portal?: () => Promise<Render>;
  readonly streams?: true;
  readonly form?: (args: JsonObject) => readonly Field<Label>[];
  /** Arguments that the form shows though the call leaves them out. */
  readonly defaults?: (args: JsonObject) => JsonObject;
  readonly awaits?: Word;
  /** Members of an answer or its state with which its Render is closed at first, unless one of `opens` is there. */
  readonly closes?: readonly Member[];
  readonly opens?: readonly Member[];
}

type WordOf<Words, Identifier> = Identifier extends keyof Words ? keyof Words[Identifier] & string : never;

type RowOf<Tool extends ShownTool, Identifier = (typeof TOOL_NAMES)[Tool]['identifier']> = FaceRow<
  WordOf<ToolWords['lines'], Identifier>,
  WordOf<ToolWords['forms'], Identifier>,
  keyof (ShownValue<Tool> & ShownState<Tool>) & string
>;

/** A row is all that most tools need. */
export type Rows = {
  readonly [Api in keyof ToolWords['names']]: RowOf<Api>;
};
