import { writeOut } from '../../shared/core/policy/reveal.ts';

/** A text of a page or an agent with nothing hidden; keeps lines and tabs. */
export const revealLines = (text: string): string => writeOut(text.replaceAll(/\r\n?/g, '\n'));

/** The address if it is http or https; null for any other text. */
export const safeHref = (text: string): string | null =>
  /^https?:\/\/\S*$/i.test(text) && URL.canParse(text) ? new URL(text).href : null;

/** An address without its obvious parts: `example.org/docs/start`. */
export function formatAddress(href: string): string {
  const address = safeHref(href);
  if (address === null) return href;
  const { host, pathname, search } = new URL(address);
  const path = decodeSafely(pathname === '/' ? '' : pathname);
  return `${host}${path}${search}`;
}

function decodeSafely(path: string): string {
  try {
    // Control and bidi characters could make an address look like another.
    const decoded = decodeURI(path);
    return /[\p{C}\s]/u.test(decoded) ? path : decoded;
  } catch {
    return path;
  }
}

/** The end of its id tells an agent's sessions apart. */
export const sessionMark = (session: string): string => session.slice(-4);

/** A session in a list of several agents. */
export const sessionName = (agent: string, session: string): string => `${agent} · ${sessionMark(session)}`;

/** The first code units of a text, without splitting a character. */
export const startOf = (text: string, maxUnits: number): string =>
  text.slice(0, maxUnits).replace(/[\uD800-\uDBFF]$/, '');

/** The beginning of a text in one line, without Markdown syntax; cut between words. */
export function excerptOf(text: string, longest = 200): string {
  const plain = text
    .slice(0, longest * 8)
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^[ \t]*(?:#{1,6}|>|[-*+]|\d+\.)[ \t]+/gm, '')
    .replace(/[*`|]+|__/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (plain.length <= longest) return plain;
  const cut = startOf(plain, longest);
  const space = cut.lastIndexOf(' ');
  return `${(space > longest / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

const HEAD_UNITS = 4_000;
const TITLE_UNITS = 200;

/** The first heading of Markdown; null if there is none. */
export function titleOf(text: string): string | null {
  const heading = /^#{1,2}[ \t]+(.+)$/m.exec(text.slice(0, HEAD_UNITS))?.[1];
  const plain = heading
    ?.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\\([\\`*_[\]#])|[*`]+/g, '$1')
    .trim();
  return plain === undefined || plain === '' ? null : plain.slice(0, TITLE_UNITS).toWellFormed();
}

/** A text without the title at its very beginning, if that is shown above it. */
export const withoutTitle = (text: string, title: string | null): string =>
  title === null || titleOf(text) !== title ? text : text.replace(/^\s*#{1,2}[ \t].*(?:\n|$)/, '');

/** Undefined for a text that is not JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
