import type { Coverage } from '../../../shared/core/bridge/page.ts';
import { childrenOf, isFolded } from '../../dom/elements.ts';
import { pdfNote } from './protocol.ts';
import { cut } from '../../../shared/base/cut.ts';
import { fileNameOf } from '../../../shared/base/file-name.ts';
import type { Level } from '../../dom/level.ts';
import type { VisibilityChecker } from '../../dom/layout-visibility.ts';

export const count = (number: number, one: string, many: string): string =>
  `${number} ${number === 1 ? one : many}`;

const COUNTED = ['virtualLists', 'canvases', 'closedDetails', 'hiddenTabPanels', 'inertParts'] as const;

/** The wording of each kind, with the way to get what is missing. */
const NOTES: Readonly<
  Record<(typeof COUNTED)[number], readonly [kind: string, detail: (n: number) => string]>
> = {
  virtualLists: [
    'virtual_list',
    (n) =>
      `${count(n, 'table or list contains', 'tables or lists contain')} only the rows scrolled into view; pass scroll: "to_end" for all.`,
  ],
  canvases: [
    'canvas',
    (n) =>
      `${count(n, 'canvas is', 'canvases are')} drawn by script and without text; take a screenshot to see what is on it.`,
  ],
  closedDetails: [
    'closed_details',
    (n) =>
      `${count(n, 'details element is', 'details elements are')} closed and only the summary was read; click the summary and read again, or read with include_hidden.`,
  ],
  hiddenTabPanels: [
    'hidden_tab_panel',
    (n) =>
      `${count(n, 'tab panel is', 'tab panels are')} hidden; click the tab and read again, or read with include_hidden.`,
  ],
  inertParts: [
    'inert',
    (n) =>
      `${count(n, 'part', 'parts')} of the page cannot be used now, usually because a dialog is open; the text was read. Close the dialog to use it.`,
  ],
};

/** PDFs that get a note of their own. */
const MAX_PDFS = 5;

export function coverageNotes(facts: WalkFacts): Coverage[] {
  const notes: Coverage[] = [];
  for (const key of COUNTED) {
    const [kind, detail] = NOTES[key];
    if (facts[key] > 0) notes.push({ kind, detail: detail(facts[key]) });
  }
  notes.push(...[...facts.pdfs].slice(0, MAX_PDFS).map(pdfNote));
  return notes;
}

/** A modal dialog makes the rest of the document inert without any attribute. */
export const isModalOpen = (document: Document): boolean => document.querySelector('dialog:modal') !== null;

/** Fewer rows say nothing about a list. */
const MIN_ROWS = 3;
/** In a complete list, rows fill at least this share of the scroll height. */
const FILLED = 0.5;

export function claimsMoreRows(el: Element): boolean {
  const rows = Number(el.getAttribute('aria-rowcount') ?? '0');
  return rows > 0 && rows > el.querySelectorAll('tr,[role="row"]').length;
}

/** Whether rows fill only part of the scroll height: the others are created when they come into view. */
function isWindowed(scroller: Element): boolean {
  const { scrollHeight, clientHeight } = scroller;
  if (clientHeight < 50 || scrollHeight < 3 * clientHeight) return false;
  const rows = rowsOf(scroller, clientHeight);
  if (rows.length < MIN_ROWS) return false;
  let filled = 0;
  for (const row of rows) filled += row.getBoundingClientRect().height;
  return filled < FILLED * scrollHeight;
}

/** The children of the outermost element that has several; spacers do not count. */
function rowsOf(scroller: Element, clientHeight: number): Element[] {
  let holder: Element = scroller;
  for (let depth = 0; depth < 6; depth += 1) {
    const rows = childrenOf(holder).filter(
      (child) => child.childElementCount > 0 || (child.textContent ?? '').trim() !== '',
    );
    const [only] = rows;
    if (rows.length === 1 && only !== undefined) holder = only;
    else {
      const tall = rows.find((row) => row.getBoundingClientRect().height > 2 * clientHeight);
      if (tall === undefined) return rows;
      holder = tall;
    }
  }
  return [];
}

/*
 * A tab or frame may show a file: a PDF, a picture, a recording. The browser wraps each in a document; a note names the
 * file and how to get it.
 */

const NAME_UNITS = 100;

/** @returns the address of the PDF in an `<embed>`, by its attributes; null for other files */
function embeddedPdf(el: Element): string | null {
  const src = el.getAttribute('src') ?? '';
  if (!URL.canParse(src, el.baseURI)) return null;
  const { href, pathname } = new URL(src, el.baseURI);
  const type = el.getAttribute('type')?.trim().toLowerCase() ?? '';
  return type === 'application/pdf' || (type === '' && /\.pdf$/i.test(pathname)) ? href : null;
}

/** Null for pages, and for text files, which are read whole. */
export function fileNote(document: Document): Coverage | null {
  const type = document.contentType;
  const kind = getFileKind(type);
  if (kind === null) return null;
  const name = fileNameOf(null, document.URL);
  const facts = [
    ...(name === null ? [] : [JSON.stringify(cut(name, NAME_UNITS))]),
    type,
    ...dimensionsOf(document),
    ...listCanvases(),
  ];
  const wanted = kind === 'source' ? 'its source' : 'its bytes';
  return {
    kind: 'file',
    detail: `The tab shows a file, not a page: ${facts.join(', ')}. Call fetch with its url for ${wanted}.`,
  };
}

/** SVG and XML are shown as browsers draw them, without their source. */
function getFileKind(type: string): 'bytes' | 'source' | null {
  if (type === 'application/xhtml+xml') return null;
  if (/[/+]xml$/.test(type)) return 'source';
  return /^(?:image|video|audio)\//.test(type) ? 'bytes' : null;
}

function dimensionsOf(document: Document): string[] {
  const pixels = (width: number, height: number): string[] =>
    width > 0 && height > 0 ? [`${Math.round(width)} × ${Math.round(height)} pixels`] : [];
  const picture = document.querySelector('img');
  if (picture !== null) return pixels(picture.naturalWidth, picture.naturalHeight);
  const film = document.querySelector('video');
  if (film === null) return [];
  const { duration, videoWidth, videoHeight } = film;
  return [
    ...pixels(videoWidth, videoHeight),
    ...(Number.isFinite(duration) && duration > 0 ? [`${Math.round(duration * 10) / 10} s`] : []),
  ];
}

/** In bytes, where the browser reports it. */
function listCanvases(): string[] {
  const [navigation] = performance.getEntriesByType('navigation');
  const size: unknown = navigation === undefined ? 0 : Reflect.get(navigation, 'decodedBodySize');
  return typeof size === 'number' && size > 0 ? [`${size} bytes`] : [];
}

/** Counts of unreadable or unusable content in a walk. */
export type WalkFacts = CoverageCounter['facts'];

/** A canvas of at most this size draws nothing visible. */
const MAX_EMPTY_PX = 2;

/** Counts content that a walk cannot read, or that cannot be used as it is. */
export class CoverageCounter {
  readonly facts = {
    hiddenElements: 0,
    frames: 1,
    lazyLeft: 0,
    virtualLists: 0,
    canvases: 0,
    closedDetails: 0,
    hiddenTabPanels: 0,
    inertParts: 0,
    /** Addresses of PDFs in this document's frames. */
    pdfs: new Set<string>(),
  };
  /** The list being walked. */
  #list: Element | null = null;

  constructor(
    private readonly checker: VisibilityChecker,
    private readonly includeHidden: boolean,
  ) {}

  /** Counts a hidden element. */
  countHidden(el: Element, { attributed }: Level): void {
    this.facts.hiddenElements += 1;
    if (attributed && el.getAttribute('role') === 'tabpanel') this.facts.hiddenTabPanels += 1;
  }

  /** Counts content that is still loading, or cannot be used now, by its attributes. */
  countAttributes(el: Element, tag: string, level: Level): void {
    if ((tag === 'img' || tag === 'iframe') && el.getAttribute('loading') === 'lazy') {
      const complete: unknown = Reflect.get(el, 'complete');
      if (complete === false) this.facts.lazyLeft += 1;
    }
    if (el.hasAttribute('inert')) this.facts.inertParts += 1;
    if (claimsMoreRows(el) || this.#beginsLargerList(el) || isWindow(el, level)) this.facts.virtualLists += 1;
  }

  #beginsLargerList(el: Element): boolean {
    const size = el.getAttribute('aria-setsize');
    const list = size === null ? null : (el.parentElement?.closest('[role]') ?? null);
    if (size === null || list === null || list === this.#list) return false;
    this.#list = list;
    return Number(size) > list.querySelectorAll('[aria-posinset]').length;
  }

  /** Counts elements with content that is not text, or not shown. */
  countUnread(el: Element, tag: string, level: Level): void {
    if (tag === 'details') {
      if (!this.includeHidden && isFolded(el)) this.facts.closedDetails += 1;
    } else if (tag === 'canvas') {
      const isEmpty = el.clientWidth <= MAX_EMPTY_PX || el.clientHeight <= MAX_EMPTY_PX;
      if (!isEmpty && this.checker.isAtomSeen(el, level)) this.facts.canvases += 1;
    } else if (tag === 'embed') {
      const pdf = this.checker.isAtomSeen(el, level) ? embeddedPdf(el) : null;
      if (pdf !== null) this.facts.pdfs.add(pdf);
    }
  }
}

/** Whether a scroller shows only some of its rows, and no list around it reports the missing ones. */
function isWindow(el: Element, { style }: Level): boolean {
  const overflow = style?.overflowY ?? '';
  if (overflow !== 'auto' && overflow !== 'scroll') return false;
  return !el.hasAttribute('aria-rowcount') && el.querySelector('[aria-rowcount]') === null && isWindowed(el);
}
