import { computeName } from '../../../dom/names/name.ts';
import { firstNumber, isListItem, isOrderedList, stepAt } from '../../../dom/elements.ts';
import { FLOW, type Flow } from '../../../dom/level.ts';
import { DELETED } from './kinds.ts';
import { LinesWriter } from './lines-writer.ts';
import type { LineStyle } from './inline.ts';
import { isUnmarked, numberText } from './markdown-lists.ts';
import { linkTarget, type Picture } from '../../../dom/media.ts';
import { type TableGrid, Tables, isDataTable } from './table.ts';
import type { End, WriterTools } from './out.ts';

const PLAIN: LineStyle = {
  escape: (text) => text,
  code: (text) => text,
  flanks: false,
  lineBreak: null,
  indents: false,
  joiner: null,
};

/** Inside a data table's cell, blocks are parts of one line. */
const IN_CELL: LineStyle = { ...PLAIN, lineBreak: ' ', joiner: ' ' };

/** Blocks with a visible margin. */
const SPACED = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol dl table pre blockquote figure section article hr fieldset'.split(' '),
);

/** Writes visible text in reading order, without any syntax. */
export class TextWriter extends LinesWriter {
  readonly #numbers: (number | null)[] = [];
  #cells = 0;
  /** No cell of the row has been entered yet. */
  #isFirstCell = false;
  readonly #tables: boolean[] = [];
  /** Tables nested in a data table's cell: their rows follow each other on the cell's line. */
  readonly #nested = new Tables({
    open: (_el, grid) => this.#nestedTable(grid),
    nest: (grid) => this.#nestedTable(grid),
    cell: () => this.collect(IN_CELL),
    caption: () => this.#nestedCaption(),
  });
  /** Captions of the nested tables, innermost last. */
  readonly #captions: string[][] = [];

  constructor(tools: WriterTools) {
    super(tools, PLAIN);
  }

  protected begin(el: Element, kind: string, flow: Flow): End | false {
    const part = this.beginPart(el, kind);
    if (part !== undefined) return part;
    if (DELETED.has(kind)) return this.#deletion(kind, flow);
    switch (kind) {
      case 'br':
        this.#break();
        return false;
      case 'area':
        this.#label(computeName(el, 'link'));
        return false;
      case 'a':
        return this.#link(el, this.#flow(kind, flow));
      default:
        return this.#beginBlock(el, kind, flow);
    }
  }

  #deletion(kind: string, flow: Flow): End {
    const after = this.#flow(kind, flow);
    const end = this.mark({ kind: 'emphasis', open: '~~', close: '~~' });
    return () => {
      end?.();
      after?.();
    };
  }

  #beginBlock(el: Element, kind: string, flow: Flow): End | false {
    // A table that only lays out is one in a cell too.
    const part = el.localName === 'table' ? 'table' : kind;
    const nested = this.#nested.begin(el, part, () => this.#cells > 0 && this.#tables.at(-1) === true);
    if (nested !== undefined) return nested;
    switch (kind) {
      case 'table':
        return this.#table(el, flow);
      case 'td':
      case 'th':
        return this.#cell();
      case 'tr':
        return this.#row();
      case 'ol':
      case 'ul':
        return this.#list(el, kind);
      case 'li':
        return this.#item(el);
      case 'hr':
        this.lines.block(2);
        return false;
      default:
        return this.#flow(kind, flow);
    }
  }

  /** In a cell code is ordinary text. */
  protected beginCode(el: Element, tag: string): End {
    if (this.#cells > 0) return null;
    this.lines.block(2);
    return this.collectCode(el, tag, true, ({ block: code, head }) => {
      this.lines.text(head);
      this.lines.block(1);
      if (code !== '') this.lines.rawLines(code.split('\n'));
      this.lines.block(2);
    });
  }

  #flow(kind: string, flow: Flow): End {
    if (flow === FLOW.inline) return null;
    if (flow === FLOW.line && this.#cells === 0) this.lines.block(1);
    if (flow !== FLOW.block) return this.spaced();
    return this.block(SPACED.has(kind) && this.#cells === 0 ? 2 : 1);
  }

  /** People do not read addresses: a link is its text, but `mailto:` icons and the like have none. */
  #link(el: Element, after: End): End {
    this.lines.open({ kind: 'plain', open: '', close: '' });
    return () => {
      const label = el.getAttribute('aria-label');
      if (!this.lines.close() && linkTarget(el) !== null && label !== null && this.isShown(el))
        this.lines.text(label);
      after?.();
    };
  }

  protected picture({ alt }: Picture): void {
    if (alt !== '') this.#label(alt);
  }

  #label(text: string): void {
    this.lines.space();
    this.lines.text(text);
    this.lines.space();
  }

  protected control(text: string): void {
    this.lines.raw(text.replace(/\s+/g, ' '));
  }

  #row(): End {
    this.#isFirstCell = true;
    return this.block(1);
  }

  /** Cells of a row are on one line, separated by tabs. */
  #cell(): End {
    if (!this.#isFirstCell) this.lines.rawText('\t');
    this.#isFirstCell = false;
    this.#cells += 1;
    return () => {
      this.#cells -= 1;
      if (this.lines.isLineOpen) this.#isFirstCell = false;
    };
  }

  #table(el: Element, flow: Flow): End {
    const isInCell = this.#cells > 0;
    const after = this.#flow('table', flow);
    this.#tables.push(isDataTable(el));
    return () => {
      this.#tables.pop();
      after?.();
      // The nested table's lines ended that of the cell.
      if (isInCell) this.#isFirstCell = true;
    };
  }

  #nestedTable(grid: TableGrid): () => void {
    this.#captions.push([]);
    const finish = this.collect(IN_CELL);
    return () => {
      const rows = [finish(), ...(this.#captions.pop() ?? []), ...grid.texts.map((row) => row.join(' | '))];
      this.#label(rows.filter((row) => row !== '').join('; '));
    };
  }

  #nestedCaption(): End {
    const finish = this.collect(IN_CELL);
    return () => void this.#captions.at(-1)?.push(finish());
  }

  #list(el: Element, kind: string): End {
    const gap = this.#numbers.length > 0 ? 1 : 2;
    this.lines.block(gap);
    const isOrdered = kind === 'ol' && isOrderedList(el);
    this.#numbers.push(isOrdered ? firstNumber(el) : null);
    return () => {
      this.#numbers.pop();
      this.lines.block(gap);
    };
  }

  #item(el: Element): End {
    const number = this.#numbers.at(-1) ?? null;
    const shown = isListItem(el) && el.hasAttribute('value') ? el.value : number;
    this.lines.block(1);
    if (number !== null && !isUnmarked(el)) {
      this.#numbers[this.#numbers.length - 1] = (shown ?? number) + stepAt(el);
      const marker = `${numberText(el, shown ?? number)}. `;
      this.lines.push(marker, ' '.repeat(marker.length));
    } else this.lines.push('', '');
    return () => {
      this.lines.pop();
      this.lines.closeUp(1);
    };
  }

  protected writeText(data: string, isRaw: boolean): void {
    if (!isRaw) return this.lines.text(data);
    data.split('\n').forEach((line, i) => {
      if (i > 0) this.#break();
      this.lines.rawText(line);
    });
  }

  /** Ends a line; if none is open, a blank line comes before the next. */
  #break(): void {
    this.lines.block(this.lines.isLineOpen ? 1 : 2);
  }
}
