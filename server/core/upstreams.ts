import { SpillwayError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';

/** How an upstream is, for the doctor and for people. */
export interface UpstreamState {
  readonly state: 'starting' | 'ready' | 'failed';
  /** Why it has failed and what to do next; null otherwise. */
  readonly problem: string | null;
}

/** One upstream of this server. */
export interface UpstreamSummary extends UpstreamState {
  readonly id: string;
  /** How a person recognises it: a command line, or an address. */
  readonly target: string;
  /** How many tools it offers. */
  readonly tools: number;
  /** It has more: these are the first. */
  readonly isCut?: boolean;
  /** Tools that a person has to look at before they may be called. */
  readonly unaccepted: number;
}

/** A tool of an upstream, as it says itself. */
export interface OfferedTool {
  readonly tool: {
    readonly rawName: string;
    readonly title?: string;
    readonly description: string;
    readonly inputSchema: JsonObject;
    readonly outputSchema?: JsonObject;
    readonly isReadOnly: boolean;
  };
  /** Why it may not be called; null where it may. */
  readonly distrust: 'not_accepted' | 'changed' | null;
}

/** What an upstream offers at one moment. */
export interface Offer {
  /** Another one as soon as the upstream or one of its tools is another. */
  readonly revision: string;
  readonly tools: readonly OfferedTool[];
}

/** The upstreams of this server, as they are now. */
export interface UpstreamSummaries {
  /** In the order in which they are written. */
  report(): readonly UpstreamSummary[];
  /** @throws SpillwayError `invalid_argument` for an unknown id */
  offer(id: string): Offer;
  /**
   * Keeps that a person accepts an upstream and all its tools, if it is still the one that they were shown.
   * @throws SpillwayError `upstream_changed`, `invalid_argument`
   */
  accept(id: string, revision: string): Promise<void>;
  /** Calls back when an upstream or one of its tools is another. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void;
}

const none = (id: string): never => {
  throw new SpillwayError('invalid_argument', `There is no upstream "${id.slice(0, 80)}".`);
};

/** Of a server without any. */
export const NO_UPSTREAMS: UpstreamSummaries = {
  report: () => [],
  offer: none,
  accept: async (id) => none(id),
  onChange: () => () => undefined,
};
