import type { ComponentChildren } from 'preact';
import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import type { Tone } from '../components/marks.tsx';
import type { FaceActions, FaceAnswer, FaceCall } from './face.ts';
import type { FaceWords } from '../../words/en/faces.ts';

export type Mark = readonly [tone: Tone, text: string];

/** A fact's value: a text of ours or theirs, or how another one is shown. Null omits its line. */
export type FactValue =
  | string
  | null
  | { readonly code: string | null }
  | { readonly url: string | null }
  | { readonly hash: string | null }
  | { readonly value: JsonValue };
export type Fact = readonly [name: string, value: FactValue];

/** One entry in one line, with its details. Null values are omitted. */
export interface Line {
  readonly isHead?: true;
  /** Its time. */
  readonly at?: string | null;
  readonly title?: string | null;
  readonly code?: string | null;
  readonly marks?: readonly Mark[];
  readonly quiet?: readonly (string | null)[];
  /** At the end of the line: a figure. */
  readonly end?: string | null;
  readonly url?: string | null;
  readonly text?: string | null;
  readonly about?: Line;
  readonly press?: { readonly name: string; readonly label: string; readonly do: () => void } | undefined;
  readonly blocks?: Blocks;
  /** The line opens to this. */
  readonly more?: JsonValue;
  /** The title opens to its blocks. */
  readonly open?: { readonly is: boolean; readonly toggle: () => void } | undefined;
}

/** A part of a result. */
export type Block =
  | { readonly line: Line }
  | { readonly facts: readonly Fact[] }
  | { readonly items: readonly Line[]; readonly as?: 'ordered' | 'steps'; readonly label?: string }
  | { readonly table: readonly (readonly string[])[]; readonly label: string }
  | { readonly text: string; readonly as: 'markdown' | 'code' | 'lines' | 'diff'; readonly label?: string }
  | { readonly value: JsonValue }
  | { readonly records: readonly JsonValue[]; readonly of?: JsonValue }
  | { readonly note: string; readonly asks?: true }
  | { readonly notes: readonly string[]; readonly isBad: boolean }
  /** A run's state; `call` while it may still be running. */
  | { readonly run: JsonObject; readonly call?: FaceCall }
  | { readonly progress: JsonValue | undefined }
  | { readonly error: JsonValue | undefined }
  | { readonly picture: string; readonly note?: string }
  | { readonly part: string; readonly blocks: Blocks }
  | { readonly fold: string; readonly blocks: Blocks }
  /** The share found, from 0 to 1. */
  | { readonly share: number; readonly label: string }
  /** A component of the tool's own. */
  | { readonly own: ComponentChildren };

/** Parts in order. False ones are omitted. */
export type Blocks = readonly (Block | false)[];

export interface Given {
  readonly call: FaceCall;
  readonly answer: FaceAnswer;
  readonly value: JsonValue | undefined;
  /** Survives failure, unlike the value. */
  readonly state: JsonObject;
  readonly words: FaceWords;
  readonly actions: FaceActions;
}

/** With `showsState`, the view itself shows the state. */
export type View = ((given: Given) => Blocks) & { readonly showsState?: true };

/** Also shows the state of a failed call. */
export const ofState = (view: View): View =>
  Object.assign((given: Given) => view(given), { showsState: true } as const);
