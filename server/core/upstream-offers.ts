import type { JsonObject } from '../../shared/json.ts';
import type { CleanText } from '../redact/clean.ts';
import type { Lineage } from './lineage.ts';

/** Begins the uri of each resource of an upstream; its id follows. */
export const UPSTREAM_SCHEME = 'upstream://';

/** Kinds of what upstreams offer besides tools. */
export type OfferKind = 'resources' | 'prompts';

/** What one upstream answered, in the protocol's form. Who brings it has redacted it. */
export interface OfferedText {
  readonly answer: JsonObject;
  /** Names the upstream; null where its answers pass as they come. */
  readonly untrustedFrom: CleanText | null;
}

/** A resource template or a prompt that an argument is completed for, as clients name it. */
export type CompletionRef =
  | { readonly type: 'ref/resource'; readonly uri: string }
  | { readonly type: 'ref/prompt'; readonly name: string };

/** What is asked about one argument. */
export interface CompletionQuestion {
  readonly ref: CompletionRef;
  readonly argument: { readonly name: string; readonly value: string };
  /** Other arguments that are filled in already. */
  readonly given: Readonly<Record<string, string>>;
}

/** Values that an upstream found for what was typed. How they match it is its own affair. */
export interface OfferedValues {
  readonly values: readonly string[];
  /** How many it has; absent where it does not say. */
  readonly total?: number;
  readonly hasMore: boolean;
}

/**
 * Resources and prompts of other servers, under names of ours. Lists never wait: a server that is away, or that nobody has
 * accepted, has none in them.
 */
export interface UpstreamOffers {
  readonly lineage: Lineage;
  resources(): readonly JsonObject[];
  /** Resource templates. */
  templates(): readonly JsonObject[];
  prompts(): readonly JsonObject[];
  /** Reads a resource. Null for a uri that is not of an upstream. @throws SpillwayError `resource_not_found`, `upstream_error`, `timeout` */
  read(uri: string, signal: AbortSignal): Promise<OfferedText | null>;
  /**
   * Calls back with the uri of a resource, or of one below it, when it changes. Null for a uri that is not of an upstream.
   * @throws SpillwayError `resource_not_found`, `upstream_error`, `timeout`
   */
  follow(uri: string, listener: (uri: string) => void, signal: AbortSignal): Promise<(() => void) | null>;
  /** Gets a prompt. Null for a name that none of them has. @throws SpillwayError `upstream_error`, `timeout` */
  prompt(
    name: string,
    args: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<OfferedText | null>;
  /** Values of an argument. Null for what is not of an upstream. @throws SpillwayError `upstream_error`, `timeout` */
  complete(asked: CompletionQuestion, signal: AbortSignal): Promise<OfferedValues | null>;
  /** Calls back when a list is another. Returns an unsubscribe function. */
  onChange(listener: (kind: OfferKind) => void): () => void;
}
