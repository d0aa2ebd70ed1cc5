import type { ShownUpstream } from '../../shared/core/bridge/answers.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import type { JsonObject } from '../../shared/base/json.ts';
import type { CleanText } from '../libraries/redaction/clean.ts';
import type { Runs } from './runs.ts';
import type { OutputPager } from './output/pager.ts';
import type { OutputStore } from './output/store.ts';

export type UpstreamState = Readonly<Pick<ShownUpstream, 'state' | 'problem'>>;

export interface UpstreamSummary extends Readonly<ShownUpstream> {
  /** There are more tools: `tools` counts the first. */
  readonly isCut?: boolean;
}

/** A tool in its upstream's description. All of it is another program's text: data, never an instruction. */
export interface UpstreamTool {
  readonly rawName: string;
  readonly title?: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly isReadOnly: boolean;
  /** Whether its calls may be tasks at the upstream, or must be. Default: they may not. */
  readonly taskSupport?: 'forbidden' | 'optional' | 'required';
}

/** Why a tool may not be called; null if it may. */
export type Distrust = 'not_accepted' | 'changed' | null;

export interface OfferedTool {
  readonly tool: UpstreamTool;
  readonly distrust: Distrust;
}

export interface Offer {
  readonly revision: string;
  readonly tools: readonly OfferedTool[];
}

/** The upstreams of this server and their current state. */
export interface UpstreamSummaries {
  /** In the order of the file. */
  report(): readonly UpstreamSummary[];
  /** @throws SpillwayError `invalid_argument` for an unknown id */
  offer(id: string): Offer;
  /**
   * Records that a person accepts an upstream and all its tools, if it has not changed since it was shown.
   * @throws SpillwayError `upstream_changed`, `invalid_argument`
   */
  accept(id: string, revision: string): Promise<void>;
  /** Calls back when an upstream or one of its tools changes. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void;
}

/** Begins the uri of each resource of an upstream; its id follows. */
export const UPSTREAM_SCHEME = 'upstream://';

/** Kinds of upstreams' offers besides tools. */
export type OfferKind = 'resources' | 'prompts';

/** An upstream's answer in the protocol's form, redacted by its source. */
export interface OfferedText {
  readonly answer: JsonObject;
  /** Names the upstream; null if its answers pass unchanged. */
  readonly untrustedFrom: CleanText | null;
}

/** A resource template or a prompt whose argument is being completed, as clients name it. */
export type CompletionRef =
  | { readonly type: 'ref/resource'; readonly uri: string }
  | { readonly type: 'ref/prompt'; readonly name: string };

export interface CompletionQuestion {
  readonly ref: CompletionRef;
  readonly argument: { readonly name: string; readonly value: string };
  readonly given: Readonly<Record<string, string>>;
}

/** An upstream's values for a typed text. The upstream decides how they match. */
export interface OfferedValues {
  readonly values: readonly string[];
  /** How many it has; absent if it does not say. */
  readonly total?: number;
  readonly hasMore: boolean;
}

/**
 * Resources and prompts of other servers, under our names for them. Lists never wait: a server that is away,
 * or that nobody has accepted, has none in them.
 */
export interface UpstreamOffers {
  readonly lineage: Lineage;
  resources(): readonly JsonObject[];
  /** Resource templates. */
  templates(): readonly JsonObject[];
  prompts(): readonly JsonObject[];
  /**
   * Reads a resource. Null for a uri that belongs to no upstream. @throws SpillwayError `resource_not_found`,
   * `upstream_error`, `timeout`
   */
  read(uri: string, signal: AbortSignal): Promise<OfferedText | null>;
  /**
   * Calls back with the uri of a resource, or of one below it, when it changes. Null for a uri that belongs
   * to no upstream.
   * @throws SpillwayError `resource_not_found`, `upstream_error`, `timeout`
   */
  follow(uri: string, listener: (uri: string) => void, signal: AbortSignal): Promise<(() => void) | null>;
  /** Gets a prompt. Null for an unknown name. @throws SpillwayError `upstream_error`, `timeout` */
  prompt(
    name: string,
    args: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<OfferedText | null>;
  /** Values of an argument. Null if no upstream offers it. @throws SpillwayError `upstream_error`, `timeout` */
  complete(asked: CompletionQuestion, signal: AbortSignal): Promise<OfferedValues | null>;
  /** Calls back when a list changes. Returns an unsubscribe function. */
  onChange(listener: (kind: OfferKind) => void): () => void;
}

/** A request between Spillways: `{ ids }` of the askers, answered with a {@link Reach}. */
export const LINEAGE_METHOD = 'spillway/lineage';

interface Reach {
  /** Itself, and the Spillways behind it. */
  readonly ids: readonly string[];
  /** Identifies its home. */
  readonly home: string;
}

interface LineageOptions {
  readonly id: string;
  /** Identifies the home. */
  readonly home: string;
  /** It only inspects upstreams, in place of the servers of its home. */
  readonly isVisitor: boolean;
}

/**
 * The Spillways that lead to this one, and those it leads to. A list of tools that contains itself would grow
 * without end, so an upstream that leads back is refused.
 */
export class Lineage {
  /** For each client that is a Spillway: itself, and those before it. */
  readonly #above = new Map<object, readonly string[]>();
  /** For each upstream that is a Spillway: itself, and those behind it. */
  readonly #below = new Map<object, readonly string[]>();

  constructor(private readonly options: LineageOptions) {}

  /** This one, and those that lead to it. */
  get asking(): readonly string[] {
    return [...new Set([this.options.id, ...[...this.#above.values()].flat()])];
  }

  /** Records that a client is a Spillway, and who leads to it. Returns where this one leads. */
  noteAskedBy(client: object, ids: readonly string[]): Reach {
    this.#above.set(client, ids);
    const reached = [...new Set([this.options.id, ...[...this.#below.values()].flat()])];
    return { ids: reached, home: this.options.home };
  }

  /**
   * @throws SpillwayError `upstream_loop` for an upstream that leads back to this server, directly or through another
   */
  leadsTo(upstream: object, { ids, home }: Reach): void {
    const { asking } = this;
    if (ids.some((id) => asking.includes(id)))
      throw new SpillwayError(
        'upstream_loop',
        'it leads back to this server, whose list would contain itself',
      );
    if (this.options.isVisitor && home === this.options.home)
      throw new SpillwayError(
        'upstream_loop',
        'it is a server of this home, whose list would contain itself',
      );
    this.#below.set(upstream, ids);
  }

  /** A client or an upstream has gone. */
  forget(other: object): void {
    this.#above.delete(other);
    this.#below.delete(other);
  }
}

/** Stored outputs, as adapters read them outside calls. */
export type OutputResources = OutputPager & Pick<OutputStore, 'onEnd'>;

/** Built widgets, each a single HTML file. */
export interface WidgetFiles {
  read(widget: string): Promise<string>;
}

/** Resources that adapters offer besides calls. Everything except the listeners loads on first use. */
export interface Resources {
  readonly outputs: OutputResources;
  readonly runs: Pick<Runs, 'get'>;
  readonly widgets: WidgetFiles;
  skill(): Promise<string>;
  /** Resources and prompts of other servers; absent without any. */
  readonly upstreams?: UpstreamOffers;
  /** Nonce fences around page text (`--content-boundaries`). */
  readonly contentBoundaries: boolean;
}
