import { z } from 'zod';

/** What the thread of a sandbox is started with. */
export const SandboxData = z.object({
  /** JavaScript: the body of an async function. */
  code: z.string(),
  /** JSON. */
  input: z.string(),
  /** Milliseconds since the epoch: what `now()` says until the first call ends. */
  now: z.number(),
  /** Where `random()` begins. */
  seed: z.number(),
});
export type SandboxData = z.infer<typeof SandboxData>;

/** The end of one call, for the thread. Ends are handled one after the other, in the order in which they are sent. */
export interface Settle {
  readonly id: number;
  readonly isError: boolean;
  /** JSON; undefined for no value. */
  readonly text: string | undefined;
  readonly now: number;
}

const Position = { line: z.int().nullable(), column: z.int().nullable() };

/** What the thread says. */
export const SandboxMessage = z.discriminatedUnion('type', [
  /** The program makes its call number `id`, counted from 1. */
  z.object({
    type: z.literal('call'),
    id: z.int(),
    kind: z.enum(['tool', 'sleep', 'items']),
    name: z.string(),
    args: z.string(),
    options: z.string(),
  }),
  z.object({ type: z.literal('emit'), item: z.string() }),
  z.object({ type: z.literal('log'), text: z.string() }),
  /** It has handled what it was sent, and waits for calls. */
  z.object({ type: z.literal('rests') }),
  /** An end was sent of a call that the program did not make. */
  z.object({ type: z.literal('unknown'), id: z.int() }),
  z.object({ type: z.literal('returned'), text: z.string().optional() }),
  /** It was never executed. */
  z.object({ type: z.literal('invalid'), message: z.string(), ...Position }),
  z.object({
    type: z.literal('threw'),
    /** The name of the error, such as `TypeError`. */
    name: z.string(),
    message: z.string(),
    ...Position,
    /** Of an error of a call: which it was. */
    place: z.int().nullable(),
  }),
  z.object({ type: z.literal('limit'), message: z.string() }),
]);
export type SandboxMessage = z.infer<typeof SandboxMessage>;
export type GuestCall = Extract<SandboxMessage, { readonly type: 'call' }>;

/** In front of the program, in its first line. */
export const BEFORE = '(async () => {"use strict";';
export const AFTER = '\n})()';
/** How the program is named in its stacks. */
export const PROGRAM_FILE = 'program.ts';
