import * as z from 'zod/mini';
import type { ActAnswers, ActAsk, Witnessed } from '../../page/act/protocol.ts';

const Point = z.object({ x: z.number(), y: z.number() });
const Box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
const Facts = z.object({
  held: z.int(),
  line: z.string(),
  kind: z.enum([
    'text',
    'value',
    'check',
    'radio',
    'select',
    'listbox',
    'combobox',
    'slider',
    'editor',
    'file',
    'other',
  ]),
  checked: z.nullable(z.boolean()),
  isPassword: z.boolean(),
  isMultiple: z.boolean(),
  bounds: z.nullable(z.object({ least: z.nullable(z.number()), most: z.nullable(z.number()) })),
  opens: z.boolean(),
  leads: z.nullable(
    z.object({
      how: z.enum(['form', 'link']),
      url: z.string(),
      method: z.optional(z.string()),
      hidden: z.optional(z.string()),
    }),
  ),
  note: z.nullable(z.string()),
});
const Found = z.object({ found: z.array(Facts), count: z.int(), lines: z.array(z.string()) });
const State = z.object({
  value: z.string(),
  checked: z.nullable(z.boolean()),
  isSecret: z.boolean(),
  isTaken: z.boolean(),
});

/** What the worker parses a document's answers with, by question. */
export const ACT_ANSWERS: { readonly [K in ActAsk['do']]: z.ZodMiniType<ActAnswers[K]> } = {
  find: Found,
  field: z.extend(Found, { known: z.array(z.string()), isFocused: z.boolean() }),
  submitter: z.nullable(Facts),
  root: z.nullable(Facts),
  aim: z.object({ point: Point, isOwn: z.boolean() }),
  landing: z.object({ done: z.literal(true) }),
  frame_point: z.object({ point: Point }),
  focus: z.object({ value: z.string() }),
  guard: z.object({ refused: z.nullable(z.string()) }),
  value: State,
  set: State,
  offers: z.object({
    option: z.nullable(Facts),
    name: z.string(),
    isChosen: z.boolean(),
    isOpen: z.boolean(),
    canClose: z.boolean(),
    isMultiple: z.boolean(),
    isHeld: z.boolean(),
    shown: z.array(z.string()),
    count: z.int(),
  }),
  opener: Facts,
  scroll_offers: z.object({ moved: z.boolean() }),
  chosen: z.object({ isOpen: z.boolean(), isShown: z.boolean(), isChosen: z.boolean() }),
  commit: z.object({ done: z.literal(true) }),
  slider: z.object({ now: z.nullable(z.number()), text: z.nullable(z.string()) }),
  paste: z.object({ isHandled: z.boolean() }),
  editor: z.object({ text: z.nullable(z.string()), isCopied: z.boolean() }),
  others: z.object({ found: z.array(Facts), left: z.array(z.string()), shown: z.array(z.string()) }),
  files_way: z.object({ way: z.enum(['field', 'drop', 'press', 'press or drop']) }),
  handed: z.nullable(Facts),
  stage: z.object({ done: z.literal(true) }),
  files: z.object({ names: z.array(z.string()) }),
  scroll: z.object({ moved: z.boolean(), top: z.number() }),
  outline: z.object({ box: Box, secrets: z.array(Box), pixelRatio: z.number() }),
  drawn: z.object({ done: z.literal(true) }),
  synthesize: z.object({ done: z.literal(true) }),
  insert: z.object({ done: z.boolean() }),
  conceal: z.object({ done: z.literal(true) }),
  present: z.object({
    isPresent: z.boolean(),
    isResized: z.boolean(),
    isRedirected: z.boolean(),
    hasStirred: z.boolean(),
  }),
  share: z.object({ shared: z.int() }),
  mark: z.object({ scriptId: z.string(), path: z.array(z.int()) }),
  quiet: z.object({ isQuiet: z.boolean() }),
};

export const WitnessedEvent: z.ZodMiniType<Witnessed> = z.union([
  z.object({ ok: z.literal(true), at: z.enum(['moved', 'pressed', 'released', 'clicked', 'dropped']) }),
  z.object({ ok: z.literal(false), hit: z.string() }),
]);
