import { z } from 'zod';
import { cut } from '../../../shared/cut.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { parseUrl } from '../../toolkit/urls.ts';
import type { PersonPage, PersonPages } from '../../core/context.ts';
import type { Cleaner } from '../cleaner.ts';
import { BoundedMap } from '../../../shared/bounded-map.ts';

const MESSAGE_UNITS = 4_000;
const ADDRESS_UNITS = 4_096;
/** So many an upstream may have opened before it says that they are done. */
const OPEN_MAX = 100;
/** So many one failed call may need. */
const REQUIRED_MAX = 5;

const Wanted = z.object({
  message: z.string(),
  url: z.string().max(ADDRESS_UNITS),
  elicitationId: z.string().min(1).max(200),
});
type Wanted = z.infer<typeof Wanted>;
const Required = z.object({ elicitations: z.array(Wanted).min(1).max(REQUIRED_MAX) });

interface PagesOptions {
  /** Of the upstream. */
  readonly id: string;
  /** Of what it writes. */
  readonly redact: Cleaner;
  /** Of its addresses, which have to stay whole: knows the credentials of its entry. */
  readonly redactOwn: Cleaner;
}

/** Pages that one upstream wants people to open, and the clients that have shown them. */
export class Pages {
  readonly #options: PagesOptions;
  readonly #shown = new BoundedMap<string, PersonPages>(OPEN_MAX);

  constructor(options: PagesOptions) {
    this.#options = options;
  }

  /** A page as a person is shown it; null for an address that nobody shall be led to. */
  pageOf(given: unknown): PersonPage | null {
    const { data } = Wanted.safeParse(given);
    const address = data === undefined ? null : addressOf(data.url);
    if (data === undefined || address === null) return null;
    const { id, redact, redactOwn } = this.#options;
    // A credential of its entry in it would be shown, and kept in a history of addresses.
    if (redactOwn.json(address.href) !== address.href) return null;
    const shown = cut(redact.json(data.message), MESSAGE_UNITS);
    return {
      id: this.#idOf(data.elicitationId),
      message: `The upstream "${id}" asks, and not Spillway, that you open a page of ${address.host}: ${shown}`,
      url: address.href,
    };
  }

  /** A client has shown the page. */
  keep({ id }: PersonPage, by: PersonPages): void {
    this.#shown.set(id, by);
  }

  /** The upstream says that what a page was for has happened. */
  completed(elicitationId: string): void {
    const id = this.#idOf(elicitationId);
    this.#shown.get(id)?.completed(id);
    this.#shown.delete(id);
  }

  /** The failure of a call that needs pages first; null where nobody shall be led to one of them. */
  required(data: unknown, by: PersonPages | undefined): SpillwayError | null {
    const wanted = Required.safeParse(data).data?.elicitations ?? [];
    const pages = wanted.map((each) => this.pageOf(each)).filter((page) => page !== null);
    const [first] = pages;
    if (first === undefined || pages.length < wanted.length) return null;
    if (by !== undefined) {
      for (const page of pages) this.keep(page, by);
      by.require(pages);
    }
    const addresses = pages.map(({ url }) => url).join(' and ');
    return new SpillwayError('upstream_page_required', first.message, {
      hint: `Ask the person to open ${addresses} if they trust it, and call again when they have. Do not open it yourself.`,
    });
  }

  #idOf(elicitationId: string): string {
    return `${this.#options.id}/${elicitationId}`;
  }
}

/** An address that a person can judge: http or https, and no name before the host that looks like one. */
function addressOf(url: string): URL | null {
  const address = parseUrl(url);
  if (address === null) return null;
  const isPlain = address.username === '' && address.password === '';
  return isPlain && ['http:', 'https:'].includes(address.protocol) ? address : null;
}
