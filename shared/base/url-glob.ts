/*
 * URL globs, as `crawl` and `network` take them. `*` matches any characters but `/`,
 * `**` any characters, `{a,b}` either alternative. Everything else matches itself, `?` and brackets too,
 * since URLs contain them. Case does not matter. A glob
 * - with `://` is matched against the whole URL,
 * - that begins with `/` against path and query,
 * - and any other against host, path and query (`example.com/docs/**`, `**.pdf`).
 * Without a `?` in the glob the query is ignored. A `/**` at the end or before a `/` matches the folder
 * itself too.
 * Other characters than those of ASCII match their form in URLs.
 */

import { parseUrl } from './private-address.ts';

type Step =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'segment' | 'any' }
  | { readonly kind: 'either'; readonly branches: readonly (readonly Step[])[] };

/** Tells whether a URL matches. Time: the length of the URL times the number of wildcards. */
export type GlobMatcher = (url: URL) => boolean;

const ALTERNATIVES = /\{([^{}]*,[^{}]*)\}/;

const NON_ASCII = /[^ -~]+/g;
/** Where a pattern has its host, if it has one. */
const HOST = /^(?:[^/]*:\/\/)?[^/?#]*/;
const LABEL = /[^/.*{},:@]*[^ -~][^/.*{},:@]*/g;

/**
 * A pattern in URL's form, which is ASCII alone: percent-encoded, and its host in Punycode. The beginning of `分类/**`
 * may be a host or in the path, so both are returned.
 */
export function urlForms(pattern: string): readonly string[] {
  const path = pattern.toWellFormed();
  const toAscii = (label: string): string => parseUrl(`http://${label}`)?.hostname ?? label;
  const host = path.replace(HOST, (start) => start.replace(LABEL, toAscii));
  return [...new Set([path, host].map((form) => form.replace(NON_ASCII, encodeURIComponent)))];
}

/** Whether a text has a wildcard or alternatives. */
function isGlob(text: string): boolean {
  return text.includes('*') || ALTERNATIVES.test(text);
}

/** @param glob not empty */
export function compileGlob(glob: string): GlobMatcher {
  const subject = subjectOf(glob);
  const wanted = urlForms(glob).map((form) => form.toLowerCase());
  const folders = wanted.filter((form) => form.endsWith('/**')).map((form) => form.slice(0, -3));
  const patterns = [...wanted, ...folders].map(parse);
  return (url) => {
    const text = subject(url).toLowerCase();
    return patterns.some((steps) => matches(steps, text));
  };
}

/** `URL.origin` is "null" for schemes such as `chrome-extension:`. */
function subjectOf(glob: string): (url: URL) => string {
  const rest = ({ pathname, search }: URL): string => pathname + (glob.includes('?') ? search : '');
  if (glob.includes('://')) return (url) => `${url.protocol}//${url.host}${rest(url)}`;
  if (glob.startsWith('/')) return rest;
  return (url) => url.host + rest(url);
}

function parse(glob: string): readonly Step[] {
  // A capturing group puts the alternatives at the odd places.
  return glob.split(ALTERNATIVES).flatMap((part, at): readonly Step[] => {
    if (at % 2 === 0) return parseWildcards(part);
    return [{ kind: 'either', branches: part.split(',').map(parseWildcards) }];
  });
}

const SLASH: Step = { kind: 'text', text: '/' };

function parseWildcards(glob: string): readonly Step[] {
  return glob
    .split(/(\/(?:\*{2,}\/)+|\*+)/)
    .filter((part) => part !== '')
    .map((part): Step => {
      if (part === '*') return { kind: 'segment' };
      if (part.startsWith('/**'))
        return { kind: 'either', branches: [[SLASH], [SLASH, { kind: 'any' }, SLASH]] };
      return part.startsWith('**') ? { kind: 'any' } : { kind: 'text', text: part };
    });
}

function matches(steps: readonly Step[], text: string): boolean {
  const [first] = steps;
  if (first?.kind === 'text' && !text.startsWith(first.text)) return false;
  // The common `/docs/**` needs no list of reachable places.
  const endsOpen = steps.at(-1)?.kind === 'any';
  const places = advanceAll(endsOpen ? steps.slice(0, -1) : steps, text, [0]);
  return endsOpen ? places.length > 0 : places.at(-1) === text.length;
}

/**
 * Keeps the set of places in `text` that the steps so far can reach, in ascending order: no step is tried
 * twice from the same place, so no glob takes long.
 */
function advanceAll(steps: readonly Step[], text: string, from: readonly number[]): readonly number[] {
  let places = from;
  for (const step of steps) {
    if (places.length === 0) break;
    places = advance(step, text, places);
  }
  return places;
}

/** The possible ends of a step that begins at one of `places`, in ascending order. */
function advance(step: Step, text: string, places: readonly number[]): readonly number[] {
  if (step.kind === 'text')
    return places
      .filter((place) => text.startsWith(step.text, place))
      .map((place) => place + step.text.length);
  if (step.kind === 'either') {
    const ends = step.branches.flatMap((branch) => advanceAll(branch, text, places));
    return [...new Set(ends)].sort((a, b) => a - b);
  }
  const ends: number[] = [];
  let next = 0;
  for (const place of places) {
    // An earlier place has already reached everything that this one can reach.
    if (place < next) continue;
    for (let end = place; end <= text.length; end += 1) {
      ends.push(end);
      next = end + 1;
      if (step.kind === 'segment' && text[end] === '/') break;
    }
  }
  return ends;
}

/** Tells whether a URL contains a text, in any case. */
export function hasUrlPart(text: string): (url: string) => boolean {
  // Marks of redaction in a stored URL are not percent-encoded.
  const parts = [text, ...urlForms(text)].map((part) => part.toLowerCase());
  return (url) => {
    const whole = url.toLowerCase();
    return parts.some((part) => whole.includes(part));
  };
}

/** A glob if it has a `*` or `{a,b}`, else a part of the URL. */
export function compileUrlPart(pattern: string): (url: string) => boolean {
  if (!isGlob(pattern)) return hasUrlPart(pattern);
  const matches = compileGlob(pattern);
  return (text) => {
    const url = parseUrl(text);
    return url !== null && matches(url);
  };
}
