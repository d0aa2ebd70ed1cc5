import type { DocsPage } from './pages.ts';

/** A heading of a page with the text below it. */
export interface DocsSection {
  readonly page: string;
  /** As GitHub makes it of the heading; empty for text before the first one. */
  readonly anchor: string;
  /** Of the heading, 1 to 6; 0 for text before the first one. */
  readonly level: number;
  readonly heading: string;
  /** The headings above it, outermost first, and its own. */
  readonly path: readonly string[];
  /** Markdown up to the next heading of any level, its own heading line included. */
  readonly text: string;
}

const HEADING = /^(#{1,6})\s+(.+?)\s*#*\s*$/;
const FENCE = /^\s{0,3}(`{3,}|~{3,})/;

/** Cuts a page at its ATX headings; lines in code blocks are not headings. */
export function sectionsOf({ page, text }: DocsPage): DocsSection[] {
  const sections: DocsSection[] = [];
  const anchors = new Map<string, number>();
  const open: { readonly level: number; readonly heading: string }[] = [];
  let current = { level: 0, heading: '', anchor: '', lines: [] as string[] };
  const close = (): void => {
    const own = current.lines.join('\n').trim();
    if (own === '') return;
    const { level, heading, anchor } = current;
    const path = open.map((outer) => outer.heading);
    sections.push({ page, anchor, level, heading, path, text: `${own}\n` });
  };
  let fence = '';
  for (const line of text.split(/\r?\n/)) {
    const mark = FENCE.exec(line)?.[1] ?? '';
    if (fence === '') fence = mark;
    else if (mark.startsWith(fence)) fence = '';
    const found = fence === '' ? HEADING.exec(line) : null;
    if (found === null) {
      current.lines.push(line);
      continue;
    }
    close();
    const level = found[1]?.length ?? 1;
    const heading = plainText(found[2] ?? '');
    while ((open.at(-1)?.level ?? 0) >= level) open.pop();
    open.push({ level, heading });
    current = { level, heading, anchor: uniqueAnchor(heading, anchors), lines: [line] };
  }
  close();
  return sections;
}

/** Headings without their marks of emphasis, code and links. */
function plainText(markdown: string): string {
  return markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');
}

/** As GitHub makes anchors: lower case, letters, digits, `_` and `-`; a second one counts up. */
function uniqueAnchor(heading: string, taken: Map<string, number>): string {
  const anchor = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
  const count = taken.get(anchor) ?? 0;
  taken.set(anchor, count + 1);
  return count === 0 ? anchor : `${anchor}-${count}`;
}

/** `docs/install.md#spillway-doctor`, or just the page for text before its first heading. */
export function nameOf({ page, anchor }: Pick<DocsSection, 'page' | 'anchor'>): string {
  return anchor === '' ? page : `${page}#${anchor}`;
}

/** A section with those below it, in the order of the page. */
export function withSubsections(sections: readonly DocsSection[], at: number): readonly DocsSection[] {
  const first = sections[at];
  if (first === undefined) return [];
  const rest = sections.slice(at + 1);
  const end = rest.findIndex(({ level }) => level <= first.level);
  return [first, ...(end < 0 ? rest : rest.slice(0, end))];
}
