import type { CleanText } from '../../redact/clean.ts';
import { keyOf, parseAddress } from './address.ts';
import type { Waiting } from './frontier.ts';
import type { Scope } from './scope.ts';
import type { Found, Secrets } from './secrets.ts';
import type { PageLink } from './source.ts';
import { findPathTrap, type TrapKind } from './traps.ts';

/** Links of a page by what the crawl does with them. */
export interface ClassifiedLinks {
  /** Those that belong to the crawl, each page once, in the document's order. */
  readonly follow: readonly Found[];
  readonly nofollow: number;
  /** Pages that the scope or a glob leaves out. */
  readonly outside: number;
  readonly traps: readonly { readonly kind: TrapKind; readonly href: string }[];
}

type LinkClass =
  | { readonly key: CleanText; readonly href: string }
  | { readonly trap: TrapKind; readonly href: string }
  | { readonly outside: string };

/** Navigation is the same on each page of a site: the classes of the latest addresses are kept. */
const KEPT = 8_192;

/** Decides which links of a page are followed. */
export class LinkClassifier {
  readonly #scope: Scope;
  readonly #secrets: Secrets;
  readonly #respectRobots: boolean;
  readonly #kept = new Map<string, LinkClass | null>();

  constructor(options: { scope: Scope; secrets: Secrets; respectRobots: boolean }) {
    this.#scope = options.scope;
    this.#secrets = options.secrets;
    this.#respectRobots = options.respectRobots;
  }

  classify(links: readonly PageLink[], from: Waiting): ClassifiedLinks {
    const follow = new Map<string, Found>();
    const traps: { kind: TrapKind; href: string }[] = [];
    const outside = new Set<string>();
    let nofollow = 0;
    for (const link of links) {
      const linkClass = this.#classifyOne(link.href);
      if (linkClass === null) continue;
      if ('outside' in linkClass) outside.add(linkClass.outside);
      else if ('trap' in linkClass)
        traps.push({ kind: linkClass.trap, href: this.#secrets.shown(linkClass.href) });
      else if (link.isNofollow && this.#respectRobots) nofollow += 1;
      else if (!follow.has(linkClass.key))
        follow.set(linkClass.key, this.#secrets.find(linkClass.key, linkClass.href, from));
    }
    return { follow: [...follow.values()], nofollow, outside: outside.size, traps };
  }

  /** The scope has grown: what was outside may be inside. */
  forget(): void {
    this.#kept.clear();
  }

  #classifyOne(href: string): LinkClass | null {
    const known = this.#kept.get(href);
    if (known !== undefined) return known;
    const linkClass = this.#decide(href);
    if (this.#kept.size >= KEPT) this.#kept.clear();
    this.#kept.set(href, linkClass);
    return linkClass;
  }

  #decide(href: string): LinkClass | null {
    const address = parseAddress(href);
    if (address === null) return null;
    if (!this.#scope.admits(address)) return { outside: keyOf(address.identity) };
    const trap = findPathTrap(address);
    return trap === null
      ? { key: keyOf(address.identity), href: address.href }
      : { trap, href: address.href };
  }
}
