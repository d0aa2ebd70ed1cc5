import { z } from 'zod';
import type { JsonValue } from '../../../shared/json.ts';
import { parseStored } from '../../toolkit/stored.ts';
import { cut } from '../../../shared/cut.ts';
import type { Outcome } from '../../core/result.ts';

const number = z.int().default(0);
const counts = z.record(z.string(), z.int()).default(() => ({}));

/** Counts of a crawl, kept in the run's state and changed in the commit of what they count. */
const Tally = z.object({
  /** The starts are in the frontier. */
  seeded: z.boolean().default(false),
  /** Last place in breadth-first order that was given to a page. */
  rank: number,
  items: number,
  /** Pages that were asked for: what `max_pages` bounds. */
  pages: number,
  failed: number,
  /** Pages with the text of `find`, and pages without it, which are not items. */
  matched: number,
  unmatched: number,
  queued: number,
  duplicates: number,
  deepest: number,
  /** Addresses that robots.txt forbids; beyond `max_pages` of them they are not items. */
  disallowed: number,
  nofollow: number,
  /** Links that the scope or a glob leaves out, each page's counted by itself. */
  outside: number,
  /** Whether links were left because of `max_depth`. */
  beyondDepth: z.boolean().default(false),
  traps: counts,
  trapExamples: z.record(z.string(), z.string()).default(() => ({})),
  /** Spaces that are no longer read, by their templates. */
  closed: z
    .record(z.string(), z.object({ pages: z.int(), unread: z.int(), next: z.string() }))
    .default(() => ({})),
  errors: counts,
  notes: z.array(z.string()).default(() => []),
});
export type Tally = z.infer<typeof Tally>;

export const TALLY_KEY = ['m'] as const;

export function parseTally(value: JsonValue | undefined): Tally {
  return parseStored(Tally, structuredClone(value), 'The counts of the crawl') ?? Tally.parse({});
}

export function count(counts: Record<string, number>, name: string, more = 1): void {
  counts[name] = (counts[name] ?? 0) + more;
}

/** Counts an address that is not read because it looks like a trap. */
export function countTrap(tally: Tally, kind: string, example: string): void {
  count(tally.traps, kind);
  tally.trapExamples[kind] ??= example;
}

/** Templates that are listed. */
const MOST_CLOSED = 20;

/** Counts an address of a closed space that is not read; the first one is where to go on. */
export function countClosed(
  tally: Tally,
  { template, pages }: { readonly template: string; readonly pages: number },
  href: string,
): void {
  countTrap(tally, 'endless', href);
  const known = tally.closed[template];
  if (known === undefined && Object.keys(tally.closed).length >= MOST_CLOSED) return;
  tally.closed[template] = { pages, unread: (known?.unread ?? 0) + 1, next: known?.next ?? href };
}

const most = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([name, number]) => `${name} ${number}`)
    .join(', ');

const pages = (number: number): string => (number === 1 ? '1 page' : `${number} pages`);

/** The report of a crawl: its counts, and everything that it did not read. */
export function reportOf(
  tally: Tally,
  options: {
    readonly maxPages: number;
    readonly maxDepth: number;
    readonly scope: string;
    readonly find: string | undefined;
  },
): Outcome {
  const coverage: string[] = [];
  if (options.find !== undefined) coverage.push(findNote(tally, options.find));
  if (tally.queued > 0 && tally.pages >= options.maxPages)
    coverage.push(`Stopped at max_pages ${options.maxPages}: ${tally.queued} discovered URLs were not read.`);
  if (tally.beyondDepth) coverage.push(`Links beyond max_depth ${options.maxDepth} were not followed.`);
  if (tally.outside > 0) {
    const links = tally.outside === 1 ? '1 link' : `${tally.outside} links`;
    coverage.push(`${links} outside the scope "${options.scope}" or its globs were not followed.`);
  }
  if (tally.disallowed > 0) coverage.push(disallowedNote(tally));
  if (tally.nofollow > 0) coverage.push(`${tally.nofollow} nofollow links were not followed.`);
  const trapped = Object.values(tally.traps).reduce((sum, number) => sum + number, 0);
  if (trapped > 0) coverage.push(trapNote(tally, trapped), ...closedNotes(tally));
  const { robots_disallowed: _robots, ...errors } = tally.errors;
  if (Object.keys(errors).length > 0) coverage.push(`Pages that failed, see their items: ${most(errors)}.`);
  if (tally.errors['approval_required'] !== undefined)
    coverage.push(
      'approval_required: a person is asked about a site when a crawl begins there; pass it in urls.',
    );
  coverage.push(...tally.notes);
  const { items, failed, duplicates, queued, deepest, disallowed } = tally;
  return {
    state: { pages: items + tally.unmatched, failed, duplicates, queued, deepest, disallowed, trapped },
    coverage,
  };
}

function findNote({ matched, unmatched }: Tally, text: string): string {
  const contain = matched === 1 ? 'contains' : 'contain';
  return `find: ${matched} of ${pages(matched + unmatched)} ${contain} ${JSON.stringify(cut(text, 100))}.`;
}

function disallowedNote({ disallowed, pages: read }: Tally): string {
  const what = `robots.txt forbids ${pages(disallowed)}`;
  return read === 0
    ? `${what}: nothing was read. Pass respect_robots: false to read them anyway.`
    : `${what}.`;
}

function trapNote({ traps, trapExamples }: Tally, trapped: number): string {
  const example = Object.values(trapExamples)[0];
  const shown = example === undefined ? '' : `, such as ${example}`;
  const addresses = trapped === 1 ? '1 address' : `${trapped} addresses`;
  return `${addresses} that look like a crawler trap were not read: ${most(traps)}${shown}.`;
}

/** Spaces that are named one by one. */
const MOST_NAMED = 5;

function closedNotes({ closed }: Tally): string[] {
  const spaces = Object.entries(closed).sort(([, one], [, other]) => other.unread - one.unread);
  return spaces.slice(0, MOST_NAMED).map(([template, { pages: read, unread, next }]) => {
    const rest = unread === 1 ? '1 address was' : `${unread} addresses were`;
    const glob = globOf(next, template);
    return `Endless space ${template}: stopped after ${pages(read)} because the latest brought nothing new, and ${rest} not read. To read on, start a crawl with url ${cut(next, MOST_SHOWN)}, include ["${cut(glob, MOST_SHOWN)}"].`;
  });
}

const MOST_SHOWN = 300;

/** A glob of the addresses of a space: its template up to what varies first. */
function globOf(href: string, template: string): string {
  const [path = '', query] = template.split('?', 2);
  const fixed = path.replace(/[{*].*$/, '');
  const scheme = href.slice(0, href.indexOf('://') + '://'.length);
  if (query !== undefined && fixed === path) return `${scheme}${fixed}?**`;
  return `${scheme}${fixed}**`;
}
