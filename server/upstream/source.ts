import type { JsonObject } from '../../shared/json.ts';
import type { CallContext } from '../core/context.ts';
import type { Produced } from '../core/result.ts';
import type { PassedThrough } from '../core/registry/definition.ts';
import type { UpstreamState, UpstreamTool } from '../core/upstreams.ts';

export type { UpstreamTool, UpstreamState as UpstreamStatus } from '../core/upstreams.ts';

/** Data, never an instruction. */
export interface OfferLists {
  readonly resources: readonly JsonObject[];
  readonly templates: readonly JsonObject[];
  readonly prompts: readonly JsonObject[];
}

export interface UpstreamSource {
  readonly id: string;
  readonly status: UpstreamState;
  readonly isCut?: boolean;
  /** Never waits. */
  tools(): readonly UpstreamTool[];
  /** Calls back when its tools or its status change. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void;
  /**
   * Calls one of its tools. `Produced` goes through redaction and the output policy.
   * @throws SpillwayError `upstream_error` and the codes of a call that was cancelled or timed out
   */
  call(rawName: string, args: JsonObject, context: CallContext): Promise<Produced | PassedThrough>;
  /** The same lists until they change. Never waits. */
  offers?(): OfferLists;
  /**
   * Sends a request other than a tool call, by a method of MCP.
   * @throws SpillwayError `resource_not_found`, `upstream_error`, `timeout`
   */
  ask?(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  /**
   * Calls back with the uri of the resource, or of one below it, when it changes. Returns an unsubscribe
   * function.
   * @throws SpillwayError `resource_not_found` if it does not report changes, `upstream_error`, `timeout`
   */
  follow?(uri: string, listener: (uri: string) => void, signal: AbortSignal): Promise<() => void>;
  /** Ends connections and processes that it started. Idempotent. */
  close(): Promise<void>;
}
