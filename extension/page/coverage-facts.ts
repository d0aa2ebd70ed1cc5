import type { Coverage } from '../../shared/bridge/page.ts';
import { pdfNote } from '../../shared/pdf-note.ts';

/** Counts of what a walk met and could not read, or what cannot be used as it is. */
export interface CoverageFacts {
  lazyLeft: number;
  virtualLists: number;
  canvases: number;
  closedDetails: number;
  hiddenTabPanels: number;
  inertParts: number;
  /** Texts that may be under something: it was not found out. */
  uncheckedTexts: number;
  /** Addresses of PDFs in frames of this document. */
  readonly pdfs: Set<string>;
}

export const coverageFacts = (): CoverageFacts => ({
  lazyLeft: 0,
  virtualLists: 0,
  canvases: 0,
  closedDetails: 0,
  hiddenTabPanels: 0,
  inertParts: 0,
  uncheckedTexts: 0,
  pdfs: new Set(),
});

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;

/** What gets a note, in this order. */
const COUNTED = [
  'virtualLists',
  'canvases',
  'closedDetails',
  'hiddenTabPanels',
  'inertParts',
  'uncheckedTexts',
] as const;

/** How each is said, and how to get what is missing. */
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
  uncheckedTexts: [
    'covers_unchecked',
    (n) =>
      `${count(n, 'text was', 'texts were')} not compared with all of the boxes that overlap: text that a person cannot see may be included. Take a screenshot to see what is shown.`,
  ],
};

/** PDFs that get a note of their own. */
const MOST_PDFS = 5;

/** One note for each kind that was met. */
export function coverageNotes(facts: CoverageFacts): Coverage[] {
  const notes: Coverage[] = [];
  for (const key of COUNTED) {
    const [kind, detail] = NOTES[key];
    if (facts[key] > 0) notes.push({ kind, detail: detail(facts[key]) });
  }
  notes.push(...[...facts.pdfs].slice(0, MOST_PDFS).map(pdfNote));
  return notes;
}

/** Whether a modal dialog is open, which makes the rest of the document inert without any attribute. */
export const isModalOpen = (document: Document): boolean => document.querySelector('dialog:modal') !== null;

/** Fewer rows than this say nothing about a list. */
const MIN_ROWS = 3;
/** Rows fill at least this share of what a person can scroll through. */
const FILLED = 0.5;

/** Whether a list says that it has more rows than it holds. */
export function claimsMoreRows(el: Element): boolean {
  const rows = Number(el.getAttribute('aria-rowcount') ?? '0');
  if (rows > 0 && rows > el.querySelectorAll('tr,[role="row"]').length) return true;
  if (!el.hasAttribute('role')) return false;
  const item = el.querySelector('[aria-setsize]');
  const size = Number(item?.getAttribute('aria-setsize') ?? '0');
  if (item === null || size <= 0 || item.parentElement?.closest('[role]') !== el) return false;
  return size > el.querySelectorAll('[aria-posinset]').length;
}

/** Whether rows fill only a part of what scrolling in an element passes: the others are made when they come into view. */
export function isWindowed(scroller: Element): boolean {
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
    const rows = [...holder.children].filter(
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
