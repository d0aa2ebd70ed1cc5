import { cut } from '../../../shared/cut.ts';
import type { Outcome } from '../../core/result.ts';
import type { Tally } from './tally.ts';

const most = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([name, number]) => `${name} ${number}`)
    .join(', ');

const pages = (number: number): string => (number === 1 ? '1 page' : `${number} pages`);

/** What a crawl says of itself when it has ended: its counts, and all that it did not read. */
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
  return spaces.slice(0, MOST_NAMED).map(([template, { kind, pages: read, unread, next }]) => {
    const rest = unread === 1 ? '1 address was' : `${unread} addresses were`;
    const glob = globOf(next, template);
    return `Endless ${kind} space ${template}: stopped after ${pages(read)} because the latest brought nothing new, and ${rest} not read. To read on, start a crawl with url ${cut(next, MOST_SHOWN)}, include ["${cut(glob, MOST_SHOWN)}"].`;
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
