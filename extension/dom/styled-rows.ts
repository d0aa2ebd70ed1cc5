import { isElement, isMatch } from './elements.ts';
import { flatChildren } from './trees.ts';
import { FLOW, type Flow, type Level } from './level.ts';

/** An item with one of these is a tile, a part of a form or of the page. */
const PARTS =
  'h1,h2,h3,h4,h5,h6,ul,ol,dl,li,table,pre,blockquote,hr,form,input,select,textarea,iframe,object,video,audio';
const PICTURES = 'img,svg,canvas';
const CONTROLS = 'a,button,summary,[role="button"],[role="tab"],[role="menuitem"]';
/** Larger pictures are more than icons. */
const ICON_PX = 40;
/** A higher cell is more than a part of a line. */
const CELL_PX = 120;
const CELL_UNITS = 240;
/** Each row has a shorter text: two columns of sentences are prose. */
const LABEL_UNITS = 60;
/** Edges of the cells of a column differ by less. */
const EDGE_PX = 2;

interface Cell {
  readonly el: Element;
  readonly box: DOMRect;
}

/**
 * Tables by style alone: grids of short texts, and flex boxes under each other whose items have common edges. A grid of
 * tiles does not count: each tile has several blocks or a picture.
 */
export class StyledRows {
  readonly #flows = new Map<Element, Flow>();
  readonly #judged = new Set<Element>();

  /** The flow of a cell; undefined for other elements. */
  flowOf(el: Element, parent: Level): Flow | undefined {
    let holder: Level | null = parent;
    while (holder?.style?.display === 'contents') holder = holder.outer;
    if (holder?.el == null) return undefined;
    this.#judge(holder.el);
    if (holder.outer?.el != null) this.#judge(holder.outer.el);
    return this.#flows.get(el);
  }

  #judge(holder: Element): void {
    if (this.#judged.has(holder)) return;
    this.#judged.add(holder);
    const items = itemsOf(holder);
    const isGrid = getComputedStyle(holder).display.endsWith('grid');
    const own = isGrid ? groupIntoLines(items) : [];
    // A grid of one row is a line, flex boxes may be a table only together.
    if (own.some((row) => row.length > 1)) return this.#takeRuns(own, 1);
    this.#takeRuns(
      items.map(({ el }) => (isRowBox(el) ? itemsOf(el) : [])),
      2,
    );
  }

  /** Takes rows that follow each other, and that are alike. */
  #takeRuns(rows: readonly (readonly Cell[])[], least: number): void {
    let run: (readonly Cell[])[] = [];
    for (const row of [...rows, []]) {
      if (isRow(row)) run.push(row);
      else {
        if (run.length >= least && isTable(run)) this.#take(run);
        run = [];
      }
    }
  }

  #take(rows: readonly (readonly Cell[])[]): void {
    for (const row of rows)
      for (const [at, { el }] of row.entries()) this.#flows.set(el, at === 0 ? FLOW.line : FLOW.box);
  }
}

/** The items of a grid or flex box; of one without a box, its children are items. */
function itemsOf(holder: Element): Cell[] {
  return [...flatChildren(holder, false)].filter(isElement).flatMap((el) => {
    const { display, position } = getComputedStyle(el);
    if (display === 'contents') return itemsOf(el);
    const box = el.getBoundingClientRect();
    const isPlaced = display !== 'none' && !/absolute|fixed/.test(position);
    return isPlaced && box.width > 0 ? [{ el, box }] : [];
  });
}

function isRowBox(el: Element): boolean {
  const { display, flexDirection } = getComputedStyle(el);
  if (!/flex$|grid$/.test(display) || (display.endsWith('flex') && !flexDirection.startsWith('row')))
    return false;
  return groupIntoLines(itemsOf(el)).length === 1;
}

/** Items that overlap in height are one row. */
function groupIntoLines(items: readonly Cell[]): Cell[][] {
  const lines: Cell[][] = [];
  let [top, bottom] = [Infinity, -Infinity];
  for (const item of items) {
    const { box } = item;
    if (box.top < bottom - 1 && Math.max(box.bottom, box.top + 1) > top) lines.at(-1)?.push(item);
    else {
      lines.push([item]);
      [top, bottom] = [Infinity, -Infinity];
    }
    [top, bottom] = [Math.min(top, box.top), Math.max(bottom, box.bottom)];
  }
  return lines;
}

const cellText = ({ el }: Cell): string => (el.textContent ?? '').trim();

function isRow(row: readonly Cell[]): boolean {
  if (row.length < 2 || row.some(isPart)) return false;
  const lengths = row.map((cell) => cellText(cell).length);
  if (Math.max(...lengths) > CELL_UNITS || Math.min(...lengths) > LABEL_UNITS) return false;
  return 2 * row.filter(({ el }) => isStacked(el)).length < row.length;
}

function isPart({ el, box }: Cell): boolean {
  if (box.height > CELL_PX || isMatch(el, `${PARTS},${PICTURES}`) || el.querySelector(PARTS) !== null)
    return true;
  return [...el.querySelectorAll(PICTURES)].some((each) => each.getBoundingClientRect().height > ICON_PX);
}

/** Whether an element has texts in blocks under each other. */
function isStacked(el: Element): boolean {
  const parts = [...el.children].filter((part) => (part.textContent ?? '').trim() !== '');
  if (parts.some(isStacked)) return true;
  return parts.some((part, at) => {
    const before = parts[at - 1];
    if (before === undefined || getComputedStyle(part).display.startsWith('inline')) return false;
    return part.getBoundingClientRect().top >= before.getBoundingClientRect().bottom - 1;
  });
}

/** Whether the cells of rows form columns. The rows of a bar have nothing but controls. */
function isTable(rows: readonly (readonly Cell[])[]): boolean {
  const widest = rows.reduce((a, b) => (b.length > a.length ? b : a), []);
  if (rows.every((row) => row.every(isControl))) return false;
  return rows.every((row) =>
    row.every((cell, at) =>
      (row.length === widest.length ? widest.slice(at, at + 1) : widest).some(({ box }) =>
        isUnder(cell.box, box),
      ),
    ),
  );
}

const isUnder = (a: DOMRect, b: DOMRect): boolean =>
  [a.left - b.left, a.right - b.right, (a.left + a.right - b.left - b.right) / 2].some(
    (px) => Math.abs(px) < EDGE_PX,
  );

function isControl(cell: Cell): boolean {
  const control = isMatch(cell.el, CONTROLS) ? cell.el : cell.el.querySelector(CONTROLS);
  return control !== null && (control.textContent ?? '').trim() === cellText(cell);
}
