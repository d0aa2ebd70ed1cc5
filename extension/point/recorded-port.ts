import * as z from 'zod/mini';
import { MODIFIERS } from '../../shared/act/step-words.ts';

/* A person's acts while they record a recipe. The page's script imports only the types. */

const Text = z.string().check(z.maxLength(2_000));

/** As in a step of a recipe: a selector, or a role and a name. */
const RecordedTarget = z.union([
  Text,
  z.object({
    role: Text,
    name: Text,
    /** `row "Invoice 7"` */
    near: z.optional(Text),
    /** Of several, if the page's author has named it: a test id or an id. */
    selector: z.optional(Text),
    /** Its position among those with the same role, name and place, and how many there are. */
    nth: z.optional(z.int()),
    of: z.optional(z.int()),
  }),
]);
export type RecordedTarget = z.infer<typeof RecordedTarget>;

const Value = z.union([
  z.string().check(z.maxLength(20_000)),
  z.readonly(z.array(Text).check(z.minLength(1), z.maxLength(100))),
]);

export const RecordedAct = z.object({
  /** When it began, in milliseconds since the epoch. */
  at: z.number(),
  do: z.enum([
    'click',
    'double_click',
    'right_click',
    'fill',
    'type',
    'clear',
    'select',
    'check',
    'uncheck',
    'upload',
    'press',
  ]),
  /** Null if nothing tells the element apart, and for keys without an element. */
  target: z.nullable(RecordedTarget),
  /** The address of its frame, for exports: a replay looks in all frames. */
  frame: z.optional(Text),
  /** The name of the element, for people. */
  label: Text,
  /** Text, options, keys, names of files; null for none, and for one that must not leave the page. */
  value: z.nullable(Value),
  isSecret: z.boolean(),
  modifiers: z.readonly(z.array(z.enum(MODIFIERS))),
});
export type RecordedAct = z.infer<typeof RecordedAct>;

/** A step of a recording. `tab` counts its tabs, from 0. */
export const RecordedStep = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('act'), id: z.int(), tab: z.int(), act: RecordedAct }),
  /** The person goes to an address, in a new tab or not. Null for one that redaction would change. */
  z.object({
    kind: z.literal('open'),
    id: z.int(),
    tab: z.int(),
    url: z.nullable(z.string()),
    isNewTab: z.boolean(),
  }),
  z.object({ kind: z.literal('reload'), id: z.int(), tab: z.int() }),
  /** The act before it has opened the tab. */
  z.object({ kind: z.literal('opened'), id: z.int(), tab: z.int() }),
  /** The page says it when the recording ends. */
  z.object({ kind: z.literal('shows'), id: z.int(), tab: z.int(), text: Text }),
]);
export type RecordedStep = z.infer<typeof RecordedStep>;

type WithoutId<Step> = Step extends RecordedStep ? Omit<Step, 'id'> : never;
export type NewStep = WithoutId<RecordedStep>;
