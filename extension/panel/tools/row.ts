import type { JsonObject } from '../../../shared/json.ts';
import type { Language } from '../../words/languages.ts';
import type { Line } from '../components/call-line.tsx';
import type { DisplayControl, FaceCall, Intervention, Portal, Render } from './face.ts';
import type { ToolWords } from '../../words/en/tools.ts';

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
export interface Row<Word extends string = string, Label extends string = string> {
  /** Arguments that tell what a call is about: the first given one is shown. */
  readonly about?: readonly string[];
  readonly tags?: readonly Tag<Word>[];
  /** Replaces both if a line needs more than arguments. */
  line?(call: FaceCall, language: Language): Partial<Line>;
  /** Replaces its view by a component in `own/`. */
  readonly render?: () => Promise<Render>;
  readonly intervention?: () => Promise<Intervention>;
  readonly portal?: () => Promise<Portal>;
  readonly streams?: true;
  readonly form?: {
    fields(args: JsonObject): readonly Field<Label>[];
    defaults?(args: JsonObject): JsonObject;
  };
  readonly awaits?: Word;
  readonly control?: DisplayControl;
}

type Part<Of, Name extends string> = Of extends { readonly [Key in Name]: infer Found } ? Found : object;

type RowOf<Of> = Row<keyof Part<Of, 'inspector'> & string, keyof Part<Of, 'form'> & string>;

/** A row is all that most tools need. */
export type Rows = {
  readonly [Tool in keyof ToolWords]: Readonly<
    Record<keyof ToolWords[Tool]['apiName'], RowOf<ToolWords[Tool]>>
  >;
};
