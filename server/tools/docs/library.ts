import type MiniSearch from 'minisearch';
import { SpillwayError } from '../../../shared/errors.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { lazy } from '../../core/lazy.ts';
import { nearestNames } from '../../core/registry/nearest.ts';
import { toTerm } from '../../toolkit/stop-words.ts';
import { excerptOf } from './excerpt.ts';
import { readDocs, type DocsPage } from './pages.ts';
import { nameOf, sectionsOf, withSubsections, type DocsSection } from './sections.ts';

/** A section that a search found. */
export interface DocsHit {
  readonly page: string;
  /** What `docs_fetch` takes for it. */
  readonly section: string;
  /** Headings from the page's title down. */
  readonly heading: string;
  readonly excerpt: string;
}

/** Markdown of a page or section, or of an outline where that would be too long. */
export interface DocsText {
  readonly markdown: string;
  readonly isOutline: boolean;
}

/** Pages and sections of the documentation, and the index over them. */
export class DocsLibrary {
  readonly #pages: ReadonlyMap<string, readonly DocsSection[]>;
  readonly #sections: readonly DocsSection[];
  /** Made with the first search; one that could not be made is tried again by the next. */
  readonly #index: () => Promise<MiniSearch>;

  constructor(pages: readonly DocsPage[], makeIndex: typeof buildIndex = buildIndex) {
    this.#pages = new Map(pages.map((page) => [page.page, sectionsOf(page)]));
    this.#sections = [...this.#pages.values()].flat();
    this.#index = lazy(() => makeIndex(this.#sections));
  }

  /** Best first. Words may be cut short or misspelt a little; headings count more than text. */
  async search(query: string, limit: number): Promise<DocsHit[]> {
    const index = await this.#index();
    const found = index.search(query).flatMap(({ id, terms }) => {
      const section = this.#sections[Number(id)];
      return section === undefined ? [] : [{ section, terms }];
    });
    return spread(found, limit).map(({ section, terms }) => ({
      page: section.page,
      section: nameOf(section),
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
   * A page by its path, or by its file's name with or without ending; a section by its anchor or heading.
   *
   * @throws SpillwayError `docs_page_not_found` with the nearest names
   */
  fetch(name: string): DocsText {
    const [wanted = '', ...rest] = name.split('#');
    const anchor = rest.join('#');
    const page = this.#findPage(wanted.trim());
    const sections = this.#pages.get(page) ?? [];
    if (anchor === '') return textOf(page, sections);
    const at = findSection(sections, anchor);
    if (at < 0) throw unknownSection(page, anchor, sections);
    return textOf(page, withSubsections(sections, at));
  }

  #findPage(wanted: string): string {
    const names = [...this.#pages.keys()];
    const key = keyOf(wanted);
    const exact = names.find((page) => page === wanted) ?? names.find((page) => keyOf(page) === key);
    const found = exact ?? names.find((page) => keyOf(page).split('/').at(-1) === key);
    if (found !== undefined) return found;
    const ends = names.map((page) => keyOf(page).split('/').at(-1) ?? page);
    const last = key.split('/').at(-1) ?? key;
    const near = nearestNames(last, ends).map((end) => names[ends.indexOf(end)] ?? end);
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

const keyOf = (page: string): string =>
  page
    .toLowerCase()
    .replace(/^\.?\/+/, '')
    .replace(/\.md$/, '');

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
 * Sections have names that stay, so one that is too long for an answer is outlined rather than
 * stored: its own first text, and what lies below it by the name to ask for.
 */
function textOf(page: string, sections: readonly DocsSection[]): DocsText {
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
    return `${indent}- ${nameOf(section)}: ${section.heading} (${Buffer.byteLength(section.text)} bytes)`;
  });
  return { markdown: `${first.text}\nSections of ${page}:\n\n${lines.join('\n')}\n`, isOutline: true };
}

/** Full text of the sections; an id is the place in their list. */
export async function buildIndex(sections: readonly DocsSection[]): Promise<MiniSearch> {
  const { default: Search } = await import('minisearch');
  const index = new Search({
    fields: ['heading', 'path', 'text'],
    processTerm: toTerm,
    // Option names and codes are found whole, by their parts, and with their dashes left out.
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

/** Reads the documentation with the first question; one that failed is asked for again. */
export function createDocsLoader(
  read: () => Promise<readonly DocsPage[]> = readDocs,
): () => Promise<DocsLibrary> {
  return lazy(async () => new DocsLibrary(await read()));
}
