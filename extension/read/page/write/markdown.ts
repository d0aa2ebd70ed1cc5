import { computeName } from '../../../dom/names/name.ts';
import { isImage } from '../../../dom/elements.ts';
import { FLOW, type Flow } from '../../../dom/level.ts';
import { escapeMarkdown, escapePipes, fenceFor, inlineCode, linkDestination } from './escape.ts';
import { LinesWriter } from './lines-writer.ts';
import type { LineStyle } from './inline.ts';
import {
  ListMarks,
  isUnmarked,
  HEADINGS,
  INLINE_KINDS,
  MARKS,
  PREFORMATTED,
  escapeLabel,
  linkMark,
} from './markdown-lists.ts';
import { codeLanguage, linkTarget, sourceOf, type Picture } from '../../../dom/media.ts';
import type { AddedLabel } from './named.ts';
import { type TableGrid, Tables, isDataTable } from './table.ts';
import { admonitionOf } from './admonition.ts';
import { endWith, type End, type WriterTools } from './out.ts';

const FLOWING: LineStyle = {
  escape: escapeMarkdown,
  code: inlineCode,
  flanks: true,
  lineBreak: '\\',
  indents: true,
  joiner: null,
};

const CELL: LineStyle = { ...FLOWING, lineBreak: '<br>', joiner: '<br>' };

function fenced(code: string, language: string): string[] {
  const fence = fenceFor(code, 3);
  return [`${fence}${language}`, ...code.split('\n'), fence];
}

const BLOCKS_OF_THEIR_OWN = 'ul,ol,menu,dl,table,pre,blockquote,h1,h2,h3,h4,h5,h6,hr';

/** Writes GitHub-flavoured Markdown in one pass, block by block. */
export class MarkdownWriter extends LinesWriter {
  readonly #lists = new ListMarks();
  readonly #tables = new Tables({
    open: (_el, grid) => this.#table(grid),
    nest: (grid) => this.#nestedTable(grid),
    cell: () => this.#cell(),
    caption: (_el, isNested) => (isNested ? undefined : this.#tableCaption()),
  });
  #caption = '';
  /** Titles of the open admonitions, and whether a mark says the same. */
  readonly #titles = new WeakMap<Element, boolean>();
  /** Inside a heading or button: everything in one line. */
  #flat = 0;
  #headings = 0;
  /** The number that style puts before the item just entered: its marker shows it. */
  #number: string | null = null;

  constructor(tools: WriterTools) {
    super(tools, FLOWING);
  }

  protected begin(el: Element, kind: string, flow: Flow): End | false {
    const after = INLINE_KINDS.has(kind) ? this.#setOff(flow) : null;
    const inline = this.#beginInline(el, kind);
    if (inline !== undefined) return after === null ? inline : endWith(inline, after);
    const block = this.#beginBlock(el, kind);
    return block === undefined ? this.#setOff(flow) : block;
  }

  #setOff(flow: Flow): End {
    if (flow === FLOW.inline) return null;
    const isApart = this.#flat === 0;
    if (flow === FLOW.line && isApart) this.lines.block(2);
    return flow === FLOW.block && isApart ? this.block(2) : this.spaced();
  }

  /** Undefined: not an inline element. */
  #beginInline(el: Element, kind: string): End | false | undefined {
    const mark = MARKS.get(kind);
    // An empty element may be an icon, whose name needs no emphasis.
    if (mark !== undefined && el.firstChild === null) return null;
    if (mark !== undefined) return this.mark({ kind: 'emphasis', open: mark, close: mark });
    switch (kind) {
      case 'code':
      case 'kbd':
      case 'samp':
      case 'tt':
        // Some pages put a whole block into one.
        return el.querySelector('pre') === null ? this.#inlineCode(el, false) : null;
      case 'a':
        return this.#link(el);
      case 'area':
        return this.#area(el);
      case 'wbr':
        return false;
      case 'br':
        return this.#lineBreak();
      case 'button':
        return this.#button(el);
      case 'text':
        return this.spaced();
      default:
        return this.beginPart(el, kind);
    }
  }

  /** Undefined: the element has no syntax of its own. */
  #beginBlock(el: Element, kind: string): End | false | undefined {
    if (HEADINGS.has(kind)) return this.#flat > 0 ? undefined : this.#heading(Number(kind.charAt(1)));
    if (PREFORMATTED.has(kind)) return this.#codeBlock(el, kind, false);
    switch (kind) {
      case 'ul':
      case 'ol':
      case 'menu':
      case 'dir':
        return this.#list(el, kind);
      case 'li':
        return this.#item(el);
      case 'dt':
        this.lines.block(2);
        return () => this.lines.block(1);
      case 'dd':
        return this.#definition(el);
      case 'blockquote':
        return this.container('> ', '> ', 2);
      case 'hr':
        this.lines.block(2);
        // After a marker, dashes would form a rule together with it.
        this.lines.rawLines([this.#lists.depth > 0 ? '***' : '---']);
        this.lines.block(2);
        return false;
      default:
        return this.#note(el) ?? this.#tables.begin(el, kind, () => this.#flat === 0 && isDataTable(el));
    }
  }

  /** Undefined: neither an admonition nor the title of one. */
  #note(el: Element): End | false | undefined {
    const isRepeated = this.#titles.get(el);
    if (isRepeated === true) return false;
    if (isRepeated === false) {
      this.lines.block(2);
      return endWith(this.mark({ kind: 'emphasis', open: '**', close: '**' }), () => this.lines.block(2));
    }
    const note = this.#flat === 0 ? admonitionOf(el) : null;
    if (note === null) return undefined;
    this.#titles.set(note.title, note.isRepeated);
    const end = this.container('> ', '> ', 2);
    if (note.mark !== null) this.lines.rawLines([note.mark]);
    return end;
  }

  /** Content outside of the cells becomes blocks after the table. */
  #table(grid: TableGrid): () => void {
    const { lines } = this;
    lines.block(2);
    const finish = this.#collectApart(FLOWING);
    return () => {
      const asides = finish();
      const rows = grid.toMarkdown();
      lines.block(2);
      if (this.#caption !== '') lines.rawLines([this.#caption]);
      lines.block(2);
      this.#caption = '';
      if (rows.length > 0) lines.rawLines(rows);
      lines.block(2);
      if (asides !== '') lines.rawLines(asides.split('\n'));
      lines.block(2);
    };
  }

  /** Inside a cell, a table becomes one line per row. */
  #nestedTable(grid: TableGrid): () => void {
    const { lines } = this;
    const finish = this.collect(CELL);
    return () => {
      for (const text of [finish(), ...grid.texts.map((row) => row.join(' | '))]) {
        lines.block(1);
        lines.raw(text);
      }
      lines.block(1);
    };
  }

  #cell(): () => string {
    const finish = this.#collectApart(CELL);
    return () => escapePipes(finish());
  }

  /** Collects what is not part of the lists around it. */
  #collectApart(style: LineStyle): () => string {
    const finish = this.collect(style);
    const resumeLists = this.#lists.suspend();
    return () => {
      const text = finish();
      resumeLists();
      return text;
    };
  }

  /** A caption becomes a paragraph before its table. */
  #tableCaption(): End {
    const finish = this.collect(CELL);
    return () => {
      this.#caption = finish();
    };
  }

  #lineBreak(): false {
    if (this.#flat > 0) this.lines.space();
    else this.lines.lineBreak();
    return false;
  }

  #link(el: Element): End {
    const target = this.tools.options.include_links ? linkTarget(el) : null;
    if (target === null) return null;
    this.lines.open(linkMark(target));
    return () => {
      if (this.lines.close()) return;
      const label = el.getAttribute('aria-label') ?? el.getAttribute('title') ?? '';
      // A link's only content names it, even if it is decorative.
      const only = label === '' ? el.querySelector('img') : null;
      const isPicture = only !== null && isImage(only) && this.tools.view.isSeen(only);
      if ((label === '' && !isPicture) || !this.isShown(el)) return;
      this.lines.open(linkMark(target));
      if (isPicture) this.lines.raw(`![](${linkDestination(sourceOf(only))})`);
      else this.lines.text(label);
      this.lines.close();
    };
  }

  #area(el: Element): false {
    const target = this.tools.options.include_links ? linkTarget(el) : null;
    this.lines.space();
    if (target !== null) this.lines.open(linkMark(target));
    this.lines.text(computeName(el, 'link'));
    if (target !== null) this.lines.close();
    this.lines.space();
    return false;
  }

  /** Inside a link or button the name is the content itself. */
  protected override writeNamed(named: AddedLabel): void {
    if (named.kind !== 'picture' || this.lines.isInLabel) super.writeNamed(named);
    else this.lines.raw(`![${escapeLabel(named.text)}]()`);
  }

  protected picture({ alt, src, parts = [] }: Picture): void {
    const { include_links } = this.tools.options;
    this.lines.raw(`![${escapeLabel(alt)}](${include_links ? linkDestination(src) : ''})`);
    if (!include_links) return;
    for (const part of parts) this.lines.raw(` [${escapeLabel(part.alt)}](${linkDestination(part.src)})`);
  }

  protected control(text: string): void {
    const inner = text.slice(1, -1).replace(/\s+/g, ' ');
    const shown = /^(?:x| |____)$/.test(inner) ? inner : escapeLabel(inner);
    this.lines.raw(`${text.charAt(0)}${shown}${text.slice(-1)}`);
  }

  #button(el: Element): End {
    this.lines.space();
    this.#flat += 1;
    this.lines.open({ kind: 'plain', open: '[', close: ']' });
    return () => {
      const label = el.getAttribute('aria-label') ?? el.getAttribute('title') ?? '';
      if (!this.lines.close() && label !== '' && this.tools.view.isAtomSeen(el))
        this.lines.raw(`[${escapeLabel(label)}]`);
      this.#flat -= 1;
      this.lines.space();
    };
  }

  #heading(level: number): End {
    this.lines.block(2);
    this.lines.push(`${'#'.repeat(level)} `, '');
    this.#flat += 1;
    this.#headings += 1;
    return () => {
      this.lines.pop();
      this.lines.block(2);
      this.#flat -= 1;
      this.#headings -= 1;
    };
  }

  /** Most parsers do not accept blocks in a definition's paragraph. */
  #definition(el: Element): End {
    if (el.querySelector(BLOCKS_OF_THEIR_OWN) === null) return this.container(': ', '  ', 1);
    return this.block(2);
  }

  #list(el: Element, kind: string): End {
    const { first, rest, isNext } = this.#lists.leadAt(this.lines.count);
    if (isNext) this.lines.closeUp(1);
    else this.lines.block(this.#lists.depth > 0 ? 1 : 2);
    this.lines.push(first, rest);
    this.#lists.open(el, kind === 'ol', this.lines.count);
    return () => {
      this.lines.pop();
      this.lines.block(2);
      this.#lists.close(this.lines.count);
    };
  }

  #item(el: Element): End {
    this.lines.block(1);
    const number = this.tools.view.generatedText('::before');
    const isNumber = /^\s*\d{1,9}[.)]\s*$/.test(number);
    if (isNumber) this.#number = number;
    const { marker, label, gap } = this.#lists.beginItem(el, this.lines.count, {
      number: isNumber ? number.trim() : null,
      isUnmarked: isUnmarked(el),
    });
    if (gap !== null) this.lines.closeUp(gap);
    this.lines.push(`${marker} ${label}`, ' '.repeat(marker.length + 1));
    return () => {
      this.lines.pop();
      this.lines.block(2);
      this.#lists.endItem(this.lines.count);
    };
  }

  #inlineCode(el: Element, isRegion: boolean): End {
    const only = el.firstElementChild;
    const target =
      only?.localName === 'a' && el.childNodes.length === 1 && this.tools.options.include_links
        ? linkTarget(only)
        : null;
    return this.collectCode(el, el.localName, isRegion, ({ text }) => {
      if (target === null && this.#flat === 0 && el.querySelector('br') !== null)
        return this.#codeLines(text.trim().replace(/[ \t]*\n[ \t\n]*/g, '\n'));
      const code = text.replace(/[ \t\n\r\f]+/g, ' ');
      if (code.trim() === '') return;
      if (code.startsWith(' ')) this.lines.space();
      if (target !== null) this.lines.open(linkMark(target));
      this.lines.code(code.trim());
      if (target !== null) this.lines.close();
      if (code.endsWith(' ')) this.lines.space();
    });
  }

  protected beginCode(el: Element, tag: string): End {
    return this.#codeBlock(el, tag, true);
  }

  #codeBlock(el: Element, tag: string, isRegion: boolean): End {
    if (this.#flat > 0) return this.#inlineCode(el, isRegion);
    // A cell is one line of Markdown: each line of code is a span of its own.
    const isInCell = this.#tables.isOpen;
    this.lines.block(isInCell ? 1 : 2);
    return this.collectCode(el, tag, isRegion, ({ block: code, head }) => {
      const language = codeLanguage(el);
      if (head.toLowerCase() !== language) {
        this.lines.text(head);
        this.lines.block(isInCell ? 1 : 2);
      }
      if (isInCell) this.#codeLines(code);
      else if (code === '') return;
      else this.lines.rawLines(fenced(code, language));
      this.lines.block(isInCell ? 1 : 2);
    });
  }

  #codeLines(code: string): void {
    code.split('\n').forEach((line, i) => {
      if (i > 0) this.lines.lineBreak();
      if (line.trim() !== '') this.lines.code(line.trimEnd());
    });
  }

  protected writeText(data: string, isRaw: boolean): void {
    if (data === this.#number) this.#number = null;
    else if (isRaw && this.#flat === 0) this.#rawText(data);
    else if (this.#headings > 0 && /#\s*$/.test(data)) {
      this.lines.text(data.replace(/#\s*$/, ''));
      this.lines.raw('\\#');
    } else this.lines.text(data);
  }

  /** Visible line breaks (`white-space: pre-line` and the like). */
  #rawText(data: string): void {
    data.split('\n').forEach((part, i) => {
      if (i > 0) this.lines.lineBreak();
      // Markdown drops spaces at the beginning of a line, and reads four of them as code.
      this.lines.text(
        part.replace(/^[ \t]+/, (blanks) => '\u00a0'.repeat(blanks.replaceAll('\t', '    ').length)),
      );
    });
  }
}
