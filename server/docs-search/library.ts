import type MiniSearch from 'minisearch';
import { SpillwayError } from '../../shared/base/errors.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import { lazy } from '../../shared/base/async.ts';
import { nearestNames } from '../core/registry/selector.ts';
import { toTerm } from '../find-tools/tool-index.ts';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress } from 'node:zlib';
import { z } from 'zod';

/** A heading of a page with the text below it. */
interface DocsSection {
  readonly page: string;
  /** GitHub's anchor of the heading; empty for text before the first one. */
  readonly anchor: string;
  /** Of the heading, 1 to 6; 0 for text before the first one. */
  readonly level: number;
  readonly heading: string;
  /** Its own heading and those above it, outermost first. */
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
    // Without marks of emphasis, code and links.
    const heading = (found[2] ?? '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');
    while ((open.at(-1)?.level ?? 0) >= level) open.pop();
    open.push({ level, heading });
    current = { level, heading, anchor: uniqueAnchor(heading, anchors), lines: [line] };
  }
  close();
  return sections;
}

/** GitHub's anchors: lower case, letters, digits, `_` and `-`; a repeated one gets a number. */
function uniqueAnchor(heading: string, taken: Map<string, number>): string {
  const anchor = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
  const count = taken.get(anchor) ?? 0;
  taken.set(anchor, count + 1);
  return count === 0 ? anchor : `${anchor}-${count}`;
}

/** `docs/install.md#spillway-doctor`, or only the page for text before its first heading. */
export function formatSectionName({ page, anchor }: Pick<DocsSection, 'page' | 'anchor'>): string {
  return anchor === '' ? page : `${page}#${anchor}`;
}

/** A section with its subsections, in the order of the page. */
export function withSubsections(sections: readonly DocsSection[], at: number): readonly DocsSection[] {
  const first = sections[at];
  if (first === undefined) return [];
  const rest = sections.slice(at + 1);
  const end = rest.findIndex(({ level }) => level <= first.level);
  return [first, ...(end < 0 ? rest : rest.slice(0, end))];
}

/** Longest excerpt, in characters. */
const EXCERPT_CHARACTERS = 280;

/** Words that occur everywhere: their first places suffice. */
const PLACES_MOST = 500;

/**
 * The stretch of a section where the matched words are closest together, on one line, between words; `…`
 * marks cuts.
 */
function excerptOf(markdown: string, terms: readonly string[]): string {
  const text = markdown
    .replace(/^#{1,6}\s.*$/m, '')
    .replace(/^\|?[\s:|-]{6,}\|?$/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (text.length <= EXCERPT_CHARACTERS) return text;
  const begin = bestBegin(text.toLowerCase(), terms);
  const from = begin === 0 ? 0 : text.indexOf(' ', begin) + 1;
  const end = from + EXCERPT_CHARACTERS;
  const to = end >= text.length ? text.length : Math.max(text.lastIndexOf(' ', end), from + 1);
  return `${from > 0 ? '… ' : ''}${text.slice(from, to)}${to < text.length ? ' …' : ''}`.toWellFormed();
}

function bestBegin(text: string, terms: readonly string[]): number {
  // Terms have letters, digits, _ and - only.
  const places = [...text.matchAll(new RegExp(terms.join('|'), 'g'))].slice(0, PLACES_MOST);
  let best = { at: 0, count: 0 };
  for (const { index: at } of places) {
    const inside = places.filter(({ index }) => index >= at && index < at + EXCERPT_CHARACTERS);
    const count = new Set(inside.map(([term]) => term)).size;
    if (count > best.count) best = { at, count };
  }
  // A little of the text before it.
  return Math.max(0, best.at - 60);
}

/** Pages and sections of the documentation, and the index over them. */
export class DocsLibrary {
  readonly #pages: ReadonlyMap<string, readonly DocsSection[]>;
  readonly #sections: readonly DocsSection[];
  /** Created with the first search; after a failure, the next one tries again. */
  readonly #index: () => Promise<MiniSearch>;

  constructor(pages: readonly DocsPage[]) {
    this.#pages = new Map(pages.map((page) => [page.page, sectionsOf(page)]));
    this.#sections = [...this.#pages.values()].flat();
    this.#index = lazy(() => buildIndex(this.#sections));
  }

  /** Best first. Words may be shortened or slightly misspelt; headings count more than text. */
  async search(query: string, limit: number) {
    const index = await this.#index();
    const found = index.search(query).flatMap(({ id, terms }) => {
      const section = this.#sections[Number(id)];
      return section === undefined ? [] : [{ section, terms }];
    });
    return spread(found, limit).map(({ section, terms }) => ({
      page: section.page,
      section: formatSectionName(section),
      // From the page's title down.
      heading: section.path.join(' › '),
      excerpt: excerptOf(section.text, terms),
    }));
  }

  /** A list of the pages with their titles. */
  contents(): string {
    const lines = [...this.#pages].map(([page, sections]) => `- ${page}: ${titleOf(sections)}`);
    return `# Documentation of Spillway\n\n${lines.join('\n')}\n`;
  }

  /**
   * A page by its path, or by its file's name with or without extension; a section by its anchor or heading.
   * @throws SpillwayError `docs_page_not_found` with the nearest names
   */
  fetch(name: string): ReturnType<typeof formatSections> {
    const [wanted = '', ...rest] = name.split('#');
    const anchor = rest.join('#');
    const page = this.#findPage(wanted.trim());
    const sections = this.#pages.get(page) ?? [];
    if (anchor === '') return formatSections(page, sections);
    const at = findSection(sections, anchor);
    if (at < 0) throw unknownSection(page, anchor, sections);
    return formatSections(page, withSubsections(sections, at));
  }

  #findPage(wanted: string): string {
    const names = [...this.#pages.keys()];
    const key = pageKey(wanted);
    const found =
      names.find((page) => page === wanted) ??
      names.find((page) => pageKey(page) === key) ??
      names.find((page) => lastOf(page) === key);
    if (found !== undefined) return found;
    const ends = names.map(lastOf);
    const near = nearestNames(lastOf(wanted), ends).map((end) => names[ends.indexOf(end)] ?? end);
    throw new SpillwayError(
      'docs_page_not_found',
      `page: there is no "${wanted.slice(0, 80)}" in the documentation${didYouMean(near)}`,
    );
  }
}

/** The first of a list, of which no page takes more than half while others fit too. */
function spread<T extends { readonly section: DocsSection }>(found: readonly T[], limit: number): T[] {
  const counts = new Map<string, number>();
  const [first, later]: [T[], T[]] = [[], []];
  for (const hit of found) {
    const { page } = hit.section;
    const count = (counts.get(page) ?? 0) + 1;
    counts.set(page, count);
    (count <= Math.ceil(limit / 2) ? first : later).push(hit);
  }
  return [...first, ...later].slice(0, limit);
}

const pageKey = (page: string): string =>
  page
    .toLowerCase()
    .replace(/^\.?\/+/, '')
    .replace(/\.md$/, '');

const lastOf = (page: string): string => pageKey(page).replace(/^.*\//s, '');

const didYouMean = (near: readonly string[]): string =>
  near.length === 0 ? '.' : `; did you mean ${near.join(' or ')}?`;

function findSection(sections: readonly DocsSection[], anchor: string): number {
  const wanted = anchor.trim().toLowerCase();
  const byAnchor = sections.findIndex((section) => section.anchor === wanted);
  return byAnchor >= 0 ? byAnchor : sections.findIndex(({ heading }) => heading.toLowerCase() === wanted);
}

function unknownSection(page: string, anchor: string, sections: readonly DocsSection[]): SpillwayError {
  const anchors = sections.map((section) => section.anchor).filter((each) => each !== '');
  const near = nearestNames(anchor, anchors).map((each) => `${page}#${each}`);
  const known = near.length > 0 ? didYouMean(near) : `; it has ${anchors.slice(0, 12).join(', ') || 'none'}.`;
  return new SpillwayError(
    'docs_page_not_found',
    `page: ${page} has no section "${anchor.slice(0, 80)}"${known}`,
  );
}

const titleOf = (sections: readonly DocsSection[]): string =>
  sections.find(({ level }) => level === 1)?.heading ?? '';

/**
 * Section names are stable, so an overlong section is outlined rather than stored: its own first text, and
 * its subsections by the names to request.
 */
function formatSections(page: string, sections: readonly DocsSection[]) {
  const markdown = sections.map(({ text }) => text).join('\n');
  const [first, ...below] = sections;
  if (
    Buffer.byteLength(markdown) <= LIMITS.outputInlineLimitBytes ||
    first === undefined ||
    below.length === 0
  )
    return { markdown, isOutline: false };
  const lines = below.map((section) => {
    const indent = '  '.repeat(Math.max(0, section.level - first.level - 1));
    return `${indent}- ${formatSectionName(section)}: ${section.heading} (${Buffer.byteLength(section.text)} bytes)`;
  });
  return { markdown: `${first.text}\nSections of ${page}:\n\n${lines.join('\n')}\n`, isOutline: true };
}

/** Full text of the sections; an id is the place in their list. */
async function buildIndex(sections: readonly DocsSection[]): Promise<MiniSearch> {
  const { default: Search } = await import('minisearch');
  const index = new Search({
    fields: ['heading', 'path', 'text'],
    processTerm: toTerm,
    // Option names and codes match whole, by their parts, and without their dashes.
    tokenize: (text) => [
      ...text.split(/[\s\p{P}\p{S}]+/u),
      ...(text.match(/[\p{L}\p{N}]+(?:[_-][\p{L}\p{N}]+)+/gu) ?? []),
    ],
    searchOptions: {
      boost: { heading: 4, path: 2 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      // A misspelt plain word must not rank above an exact match.
      weights: { fuzzy: 0.2, prefix: 0.5 },
    },
  });
  index.addAll(
    sections.map(({ heading, path, page, text }, id) => ({
      id,
      heading,
      path: [page, ...path].join(' '),
      text,
    })),
  );
  return index;
}

/** Reads the documentation with the first question; after a failure, the next one tries again. */
export const createDocsLoader = (): (() => Promise<DocsLibrary>) =>
  lazy(async () => new DocsLibrary(await readDocs()));

/** A page by its path below the package, with slashes: `docs/install.md`. */
const DocsPage = z.object({ page: z.string(), text: z.string() });
type DocsPage = Readonly<z.infer<typeof DocsPage>>;

/** Every page in one file, packed, because the package has a size limit. */
export const BUNDLED_DOCS = 'docs.json.br';

/** The file of the build that holds these pages. */
export const packDocs = (pages: readonly DocsPage[]): Promise<Buffer> =>
  promisify(brotliCompress)(JSON.stringify(pages));

async function unpackDocs(packed: Buffer): Promise<readonly DocsPage[]> {
  const text = await promisify(brotliDecompress)(packed);
  return z.array(DocsPage).parse(JSON.parse(text.toString()));
}

/** Pages at the top of the package, in the order of a list. */
const TOP_PAGES = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'] as const;
const FOLDERS = ['docs', 'docs/adr'] as const;

/**
 * The documentation in a package: the pages at its top, `docs/` and the decisions. The build calls it too, so
 * that the bundle matches the sources.
 */
export async function readSourcePages(packageFolder: string): Promise<DocsPage[]> {
  const inFolders = await Promise.all(FOLDERS.map((folder) => listMarkdown(packageFolder, folder)));
  const top = TOP_PAGES.filter((page) => existsSync(join(packageFolder, page)));
  return Promise.all(
    [...top, ...inFolders.flat()].map(async (page) => ({
      page,
      text: await readFile(join(packageFolder, page), 'utf8'),
    })),
  );
}

async function listMarkdown(packageFolder: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(packageFolder, folder), { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map(({ name }) => `${folder}/${name}`)
    .sort();
}

/**
 * The documentation of the running code: the build's file, next to the program or above one of its chunks, or
 * else the pages of the package that contains the sources. Callers choose among these pages by name; no path
 * is ever built from their words.
 * @throws SpillwayError `docs_missing`
 */
export async function readDocs(from: string = import.meta.dirname): Promise<readonly DocsPage[]> {
  for (let at = from; ; at = dirname(at)) {
    const bundled = join(at, BUNDLED_DOCS);
    if (existsSync(bundled)) return unpackDocs(await readFile(bundled));
    if (existsSync(join(at, 'package.json'))) {
      const pages = await readSourcePages(at);
      if (pages.length > 0) return pages;
    }
    if (existsSync(join(at, 'package.json')) || dirname(at) === at)
      throw new SpillwayError('docs_missing', `The documentation is missing from ${at}.`);
  }
}
