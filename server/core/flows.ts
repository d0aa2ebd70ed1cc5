import type { JsonObject } from '../../shared/base/json.ts';
import type { CallScope, FlowSource, ReadSite } from '../../shared/core/policy/call-facts.ts';
import type { ClientSession } from './context.ts';
import type { ToolResult } from './result.ts';

/** When text of a private site needs a yes to come to another: where it is found, or whenever one was read. */
export const SITES_APART = ['ask', 'strict'] as const;
export type SitesApart = (typeof SITES_APART)[number];

/** A call as its texts are judged. */
export interface FlowCall {
  readonly callId: string;
  readonly tool: string;
  readonly args: unknown;
  readonly session: ClientSession;
  /** The call of the program that makes it. */
  readonly parent?: string | undefined;
}

/** Whose text agents were given, and have in what they send (`server/flows`). */
export interface Flows {
  /** A program may make calls from now on: of what these send, only its code and input are known. */
  begun(call: FlowCall): void;
  /** A browser gave text of these sites to a call. */
  heard(scope: CallScope, sites: readonly ReadSite[]): void;
  /** A call has ended, and its answer goes to its agent. */
  arrived(call: FlowCall, result: ToolResult): void;
  /** The same for an answer that is not of a call. @param from as {@link ToolResult.from} */
  given(session: ClientSession, texts: readonly string[], from: string): void;
  /** Resolves when all that a session was given can be found. */
  ready(session: ClientSession): Promise<void>;
  /**
   * The sites from which the arguments have text.
   * @param shown the arguments as a person sees them; null if they are too large
   */
  sourcesOf(call: FlowCall & { readonly args: JsonObject }, shown: JsonObject | null): readonly FlowSource[];
}
