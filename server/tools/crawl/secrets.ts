import { SpillwayError } from '../../../shared/errors.ts';
import type { RunScope } from '../../core/runs.ts';
import type { CleanText } from '../../redact/clean.ts';
import { isRedacted } from './address.ts';
import type { Waiting } from './frontier.ts';

/** Addresses that hold a secret (a token in the query, say): redacted in the run's state, and whole in memory alone. */
export class Secrets {
  readonly #redact: RunScope['redact'];
  readonly #known = new Map<string, string>();

  constructor(redact: RunScope['redact']) {
    this.#redact = redact;
  }

  /** An address as it is stored on disk. */
  shown(href: string): CleanText {
    return this.#redact(href);
  }

  /** A link as the frontier keeps it. */
  find(key: CleanText, href: string): Waiting {
    const shown = this.shown(href);
    if (shown !== href) this.#known.set(key, href);
    return { key, href: shown };
  }

  /**
   * The whole address of an entry.
   * @throws SpillwayError `page_changed` for one with a secret that an earlier server has found
   */
  reveal({ key, href }: Waiting): string {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (!isRedacted(href)) return href;
    throw new SpillwayError(
      'page_changed',
      'The URL contains a secret, which is not stored on disk: it was found before the crawl was resumed.',
      { hint: 'Start another crawl at the page that links to it.' },
    );
  }
}
