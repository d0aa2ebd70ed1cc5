import { SpillwayError } from '../../../shared/errors.ts';
import { isJsonList } from '../../../shared/json.ts';
import type { RunChange, RunScope, RunState } from '../../core/runs.ts';
import { clean, type CleanJson, type CleanText } from '../../redact/clean.ts';
import { keyOf, parseAddress } from './address.ts';
import type { Waiting } from './frontier.ts';
import type { PageLink, PageSource } from '../../toolkit/crawl-source.ts';

/*
 * Addresses that hold a secret (a token in the query, say) are redacted in the run's state:
 *   ['x', key] → [key, address as it may be shown] of the page that links to it
 * and whole in memory alone. After a restart the page that links to one is read again to find it.
 */

/** A link with its whole address. */
export interface Found extends Waiting {
  readonly secret: { readonly href: string; readonly parent: Waiting } | null;
}

/** The parent of what a sitemap names. */
export const SITEMAP: Waiting = { key: clean``, href: clean`` };

/** How many links up a lost address is looked for. */
const MOST_PARENTS = 20;

export class Secrets {
  readonly #redact: RunScope['redact'];
  readonly #state: RunState;
  readonly #source: PageSource;
  readonly #known = new Map<string, string>();
  /** Reads the sitemap again, once. */
  readonly #readStarts: (signal: AbortSignal) => Promise<void>;
  #starts: Promise<void> | null = null;

  constructor(options: {
    readonly redact: RunScope['redact'];
    readonly state: RunState;
    readonly source: PageSource;
    readonly readStarts: (signal: AbortSignal) => Promise<void>;
  }) {
    this.#redact = options.redact;
    this.#state = options.state;
    this.#source = options.source;
    this.#readStarts = options.readStarts;
  }

  /** An address as it is stored on disk. */
  shown(href: string): CleanText {
    return this.#redact(href);
  }

  /** A link as the frontier keeps it. */
  find(key: CleanText, href: string, parent: Waiting): Found {
    const shown = this.shown(href);
    return { key, href: shown, secret: shown === href ? null : { href, parent } };
  }

  /** Keeps the whole address of a start in memory: the arguments or the sitemap tell it again. */
  remember(key: string, href: string): void {
    if (this.shown(href) !== href) this.#known.set(key, href);
  }

  /** Notes, in the commit that queues a link, where its whole address can be found again. */
  note(change: RunChange, { key, secret }: Found): void {
    if (secret === null) return;
    this.#known.set(key, secret.href);
    change.put(['x', key], [secret.parent.key, secret.parent.href]);
  }

  /**
   * The whole address of an entry.
   * @throws SpillwayError `page_changed` when the page that linked to it no longer does.
   */
  async reveal(entry: Waiting, signal: AbortSignal, parents = 0): Promise<string> {
    const known = this.#known.get(entry.key);
    if (known !== undefined) return known;
    const parent = parseParent(this.#state.get(['x', entry.key]));
    if (parent === null) return entry.href;
    if (parent.key === SITEMAP.key) await (this.#starts ??= this.#readStarts(signal));
    else if (parents < MOST_PARENTS) {
      const from = await this.reveal(parent, signal, parents + 1);
      this.#learn((await this.#source.page(from, signal)).links);
    }
    const found = this.#known.get(entry.key);
    if (found !== undefined) return found;
    throw new SpillwayError(
      'page_changed',
      'The URL contains a secret, which is not stored on disk, and the page that linked to it no longer does.',
    );
  }

  #learn(links: readonly PageLink[]): void {
    for (const { href } of links) {
      const address = parseAddress(href);
      if (address !== null) this.remember(keyOf(address.identity), address.href);
    }
  }
}

function parseParent(value: CleanJson | undefined): Waiting | null {
  const [key, href] = isJsonList(value) ? value : [];
  return typeof key === 'string' && typeof href === 'string' ? { key, href } : null;
}
