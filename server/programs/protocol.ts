import { z } from 'zod';
import { cut, SAID_UNITS } from '../../shared/base/cut.ts';
import type { JsonObject, JsonValue } from '../../shared/base/json.ts';
import type { ToolResult } from '../core/result.ts';

export interface SandboxData {
  /** JavaScript: the body of an async function. */
  readonly code: string;
  /** JSON. */
  readonly input: string;
  /** Milliseconds since the epoch: the value of `now()` until the first call ends. */
  readonly now: number;
  /** The seed of `random()`. */
  readonly seed: number;
  /** See {@link Backlog}. */
  readonly backlog: SharedArrayBuffer;
}

/** The result of one call, for the thread. Results are handled one after another, in the order of sending. */
export interface Settle {
  readonly id: number;
  readonly isError: boolean;
  /** JSON; undefined for no value. */
  readonly text: string | undefined;
  readonly now: number;
}

/** A place in a program, as people count: the first line is 1. */
export interface CodePosition {
  readonly line: number | null;
  readonly column: number | null;
}
const Position = { line: z.int().nullable(), column: z.int().nullable() };

/** The thread cuts it too, but nobody trusts the thread. */
const Said = z.string().transform((text) => cut(text, SAID_UNITS));

export const SandboxMessage = z.discriminatedUnion('type', [
  /** The program makes its call number `id`, counted from 1. */
  z.object({
    type: z.literal('call'),
    id: z.int(),
    kind: z.enum(['tool', 'sleep', 'items', 'ask']),
    name: Said,
    args: z.string(),
    options: z.string(),
  }),
  z.object({ type: z.literal('emit'), item: z.string() }),
  z.object({ type: z.literal('log'), text: Said }),
  z.object({ type: z.literal('rests') }),
  /** A result was sent for a call that the program did not make. */
  z.object({ type: z.literal('unknown'), id: z.int() }),
  z.object({
    type: z.literal('returned'),
    text: z.string().optional(),
    /** Instead, of a long list: lists of its items, in order. */
    parts: z.array(z.string()).readonly().exactOptional(),
  }),
  /** It was never executed. */
  z.object({ type: z.literal('invalid'), message: Said, ...Position }),
  z.object({
    type: z.literal('threw'),
    /** The name of the error, such as `TypeError`. */
    name: Said,
    message: Said,
    ...Position,
    /** For an error of a call: its number. */
    place: z.int().nullable(),
  }),
  /** It exceeded a limit. */
  z.object({ type: z.literal('limit'), message: Said, ...Position }),
]);
export type SandboxMessage = z.infer<typeof SandboxMessage>;

/** A tool, a wait, a page of a stored output; in a workflow also its own functions, and a person. */
export const CallKind = z.enum(['tool', 'sleep', 'items', 'step', 'ask']);

/** A call of a program, counted from 1. */
export interface GuestCall {
  readonly id: number;
  readonly kind: z.infer<typeof CallKind>;
  readonly name: string;
  /** JSON. */
  readonly args: string;
  /** JSON. */
  readonly options: string;
  readonly title?: string;
  /** Runs a `step` in this process. @param call makes a call as a part of it */
  readonly perform?: (call: CallPart) => Promise<JsonValue | undefined>;
}

/** @throws SpillwayError as the call fails */
export type CallPart = (tool: string, args: JsonObject) => Promise<ToolResult>;

/** A sandbox, or this process. */
export interface ProgramThread {
  /** Rejects with the reason given to {@link close}, or `program_diverged`. */
  readonly ended: Promise<ProgramEnd>;
  /** Delivers results, in this order. */
  settle(ends: readonly Settle[]): void;
  close(reason: unknown): Promise<void>;
}

export type ProgramEnd = Extract<
  SandboxMessage,
  { readonly type: 'returned' | 'threw' | 'invalid' | 'limit' }
>;

export interface ProgramEvents {
  call(call: GuestCall): void;
  /** Resolves once the program may emit more. */
  emit(item: string): Promise<void>;
  log(text: string): void;
  rests(): void;
}
