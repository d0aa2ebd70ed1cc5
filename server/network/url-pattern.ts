import { createContext, Script } from 'node:vm';
import { SpillwayError } from '../../shared/errors.ts';
import { cut } from '../../shared/cut.ts';
import { messageOf } from '../../shared/message-of.ts';
import { compileGlob, isGlob, type GlobMatcher } from '../toolkit/url-glob.ts';
import { parseUrl } from '../toolkit/urls.ts';

/** Tests many addresses at once. */
export type UrlTest = (urls: readonly string[]) => readonly boolean[];

/** Of all addresses of a slice together; a pattern that needs more goes wrong somewhere. */
const REGEX_BUDGET_MS = 1_000;
const REGEX = /^\/(?<source>.+)\/(?<flags>[imsu]{0,4})$/s;

/**
 * What `filter.url` means: `/regex/` with flags, a glob if it has a `*` or `{a,b}`, else a part of
 * the URL. Case matters in a regular expression only.
 *
 * @throws SpillwayError `invalid_argument` for an invalid regular expression, and from the test for
 * one that takes too long
 */
export function compileUrlPattern(pattern: string): UrlTest {
  const { source, flags } = REGEX.exec(pattern)?.groups ?? {};
  if (source !== undefined) return compileRegex(source, flags ?? '');
  if (isGlob(pattern)) {
    const matches = compileGlob(pattern);
    return (urls) => urls.map((text) => matchesText(matches, text));
  }
  const wanted = pattern.toLowerCase();
  return (urls) => urls.map((url) => url.toLowerCase().includes(wanted));
}

function matchesText(matches: GlobMatcher, text: string): boolean {
  const url = parseUrl(text);
  return url !== null && matches(url);
}

/**
 * Backtracking may never end on a short text, and only an interrupt stops it: the pattern
 * runs where it has a deadline, on all the addresses at once.
 */
function compileRegex(source: string, flags: string): UrlTest {
  try {
    new RegExp(source, flags);
  } catch (cause) {
    const reason = messageOf(cause);
    throw new SpillwayError('invalid_argument', `filter.url: ${cut(reason, 200)}.`, { cause });
  }
  const context = createContext({ source, flags, urls: '[]' });
  const script = new Script(
    'JSON.stringify(JSON.parse(urls).map((url) => new RegExp(source, flags).test(url)))',
  );
  let leftMs = REGEX_BUDGET_MS;
  return (urls) => {
    context['urls'] = JSON.stringify(urls);
    const startedAt = performance.now();
    try {
      const answer: unknown = script.runInContext(context, { timeout: Math.max(Math.ceil(leftMs), 1) });
      const list: unknown = JSON.parse(String(answer));
      return Array.isArray(list) ? list.map((matches) => matches === true) : [];
    } catch (cause) {
      throw new SpillwayError(
        'invalid_argument',
        'filter.url: the regular expression takes too long to evaluate.',
        {
          hint: 'Write it without nested repetition, or pass a part of the url or a glob.',
          cause,
        },
      );
    } finally {
      leftMs -= performance.now() - startedAt;
    }
  };
}
