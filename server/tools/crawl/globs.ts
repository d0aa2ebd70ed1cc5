/*
 * Globs over addresses. `*` stands for any characters but `/`, `**` for any characters; all else
 * stands for itself, `?` and brackets too, since addresses hold them. A glob
 * - with `://` is held against the whole address,
 * - that begins with `/` against path and query,
 * - and any other against host, path and query (`example.com/docs/**`, `**.pdf`).
 * Without a `?` in the glob the query is left out of what it is held against. A `/**` at the end
 * matches the folder itself too.
 */

type Step = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'segment' | 'any' };

/** Tells whether an address matches. Time: the address's length times the number of wildcards. */
export type GlobMatcher = (url: URL) => boolean;

/** @param glob not empty */
export function compileGlob(glob: string): GlobMatcher {
  const subject = subjectOf(glob);
  const steps = parse(glob);
  const folder = glob.endsWith('/**') ? parse(glob.slice(0, -3)) : null;
  return (url) => {
    const text = subject(url);
    return matches(steps, text) || (folder !== null && matches(folder, text));
  };
}

function subjectOf(glob: string): (url: URL) => string {
  const query = (url: URL): string => (glob.includes('?') ? url.search : '');
  if (glob.includes('://')) return (url) => url.origin + url.pathname + query(url);
  if (glob.startsWith('/')) return (url) => url.pathname + query(url);
  return (url) => url.host + url.pathname + query(url);
}

function parse(glob: string): readonly Step[] {
  return glob
    .split(/(\*+)/)
    .filter((part) => part !== '')
    .map((part): Step => {
      if (part === '*') return { kind: 'segment' };
      return part.startsWith('**') ? { kind: 'any' } : { kind: 'text', text: part };
    });
}

/**
 * Keeps the set of places in `text` up to which the steps so far can reach: no step is tried twice
 * from the same place, so that no glob takes long.
 */
function matches(steps: readonly Step[], text: string): boolean {
  const [first] = steps;
  if (first?.kind === 'text' && !text.startsWith(first.text)) return false;
  let places: readonly number[] = [0];
  for (const [at, step] of steps.entries()) {
    if (step.kind === 'any' && at === steps.length - 1) return places.length > 0;
    places = advance(step, text, places);
    if (places.length === 0) return false;
  }
  return places.at(-1) === text.length;
}

/** Where a step can end, in ascending order, when it begins at one of `places`. */
function advance(step: Step, text: string, places: readonly number[]): number[] {
  if (step.kind === 'text')
    return places
      .filter((place) => text.startsWith(step.text, place))
      .map((place) => place + step.text.length);
  const ends: number[] = [];
  let next = 0;
  for (const place of places) {
    // What an earlier place reaches, this one reaches too, and no more.
    if (place < next) continue;
    for (let end = place; end <= text.length; end += 1) {
      ends.push(end);
      next = end + 1;
      if (step.kind === 'segment' && text[end] === '/') break;
    }
  }
  return ends;
}
