/** How far into a text its title is looked for. */
const HEAD_UNITS = 4_000;
const TITLE_UNITS = 200;

/** The first heading of Markdown; null for a text without one. */
export function titleOf(text: string): string | null {
  const heading = /^#{1,2}[ \t]+(.+)$/m.exec(text.slice(0, HEAD_UNITS))?.[1];
  const plain = heading
    ?.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\\([\\`*_[\]#])|[*`]+/g, '$1')
    .trim();
  return plain === undefined || plain === '' ? null : plain.slice(0, TITLE_UNITS).toWellFormed();
}

/** A text without the title at its very beginning, where that is shown above it. */
export const withoutTitle = (text: string, title: string | null): string =>
  title === null || titleOf(text) !== title ? text : text.replace(/^\s*#{1,2}[ \t].*(?:\n|$)/, '');
