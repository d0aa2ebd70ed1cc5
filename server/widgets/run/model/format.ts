export { formatBytes } from '../../../../shared/format-bytes.ts';

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

export const formatCount = (count: number): string => NUMBER.format(count);

/** `0:07`, `12:40`, `1:02:03`; below a second, tenths of it. */
export function formatDuration(durationMs: number): string {
  if (durationMs > 0 && durationMs < 1_000) return `${NUMBER.format(Math.max(0.1, durationMs / 1_000))} s`;
  const seconds = Math.max(0, Math.floor(durationMs / 1_000));
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** `3.2/s`; below one a second, `12/min`. */
export function formatRate(perSecond: number): string {
  if (perSecond >= 1 || perSecond === 0) return `${NUMBER.format(perSecond)}/s`;
  return `${NUMBER.format(perSecond * 60)}/min`;
}

/** A word of a wire for people: `extract_data` is `Extract data`. */
export function formatName(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The address where it is http or https and nothing else; null for every other text. */
export function safeHref(text: string): string | null {
  if (!/^https?:\/\//i.test(text) || /\s/.test(text)) return null;
  try {
    return new URL(text).href;
  } catch {
    return null;
  }
}

/** An address without what everybody knows: `example.org/docs/start`. */
export function formatAddress(href: string): string {
  const address = safeHref(href);
  if (address === null) return href;
  const { host, pathname, search } = new URL(address);
  const path = decodeSafely(pathname === '/' ? '' : pathname);
  return `${host}${path}${search}`;
}

function decodeSafely(path: string): string {
  try {
    // Controls and marks that turn the writing direction would let an address look like another.
    const decoded = decodeURI(path);
    return /[\p{C}\s]/u.test(decoded) ? path : decoded;
  } catch {
    return path;
  }
}

/** The beginning of a text in one line, without the marks of Markdown; cut between words. */
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
  const cut = plain.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '');
  const space = cut.lastIndexOf(' ');
  return `${(space > longest / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
