import { SpillwayError } from '../../shared/errors.ts';

/** A request between Spillways alone: `{ ids }` of those that ask, answered with a {@link Reach}. */
export const LINEAGE_METHOD = 'spillway/lineage';

/** Where a Spillway leads. */
export interface Reach {
  /** Itself, and the Spillways behind it. */
  readonly ids: readonly string[];
  /** Stands for its home. */
  readonly home: string;
}

interface LineageOptions {
  /** Of this process, and of no other. */
  readonly id: string;
  /** Stands for the home. */
  readonly home: string;
  /** It only looks at upstreams, in place of the servers of its home. */
  readonly isVisitor: boolean;
}

/**
 * Which Spillways lead to this one, and to which it leads. A list of tools that contains itself would grow without an end, so
 * an upstream that leads back is refused.
 */
export class Lineage {
  readonly #options: LineageOptions;
  /** Of each client that is a Spillway: itself, and those before it. */
  readonly #above = new Map<object, readonly string[]>();
  /** Of each upstream that is a Spillway: itself, and those behind it. */
  readonly #below = new Map<object, readonly string[]>();

  constructor(options: LineageOptions) {
    this.#options = options;
  }

  /** This one, and those that lead to it. */
  get asking(): readonly string[] {
    return [...new Set([this.#options.id, ...[...this.#above.values()].flat()])];
  }

  /** A client says that it is a Spillway, and who leads to it. Answers where this one leads. */
  askedBy(client: object, ids: readonly string[]): Reach {
    this.#above.set(client, ids);
    const reached = [...new Set([this.#options.id, ...[...this.#below.values()].flat()])];
    return { ids: reached, home: this.#options.home };
  }

  /** @throws SpillwayError `upstream_loop` for an upstream that leads back to this one, or to one that leads to it */
  leadsTo(upstream: object, { ids, home }: Reach): void {
    const { asking } = this;
    if (ids.some((id) => asking.includes(id)))
      throw new SpillwayError(
        'upstream_loop',
        'it leads back to this server, whose list would contain itself',
      );
    if (this.#options.isVisitor && home === this.#options.home)
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
