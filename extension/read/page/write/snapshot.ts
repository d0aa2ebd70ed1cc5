import { contentName, computeName } from '../../../dom/names/name.ts';
import { roleOf, ariaValue } from '../../../dom/names/role.ts';
import { isCell, isLabelable, headingLevel, squash } from '../../../dom/elements.ts';
import { FLOW, type Flow } from '../../../dom/level.ts';
import type { FrameMark } from '../../../core/page/protocol.ts';
import { controlKind, CONTROLS } from '../../../dom/controls.ts';
import { DELETED, PLAIN_KINDS, effectiveTag } from './kinds.ts';
import { isControlUsable, isValueSeen } from './seen.ts';
import { isMath, mathText } from './formula.ts';
import { hasDrawnParts, pictureOf } from '../../../dom/media.ts';
import { namedOf } from './named.ts';
import { SnapshotLine, quoteName } from './snapshot-line.ts';
import { snapshotTables } from './snapshot-tables.ts';
import { type Tables, isDataTable } from './table.ts';
import {
  ACTIONABLE,
  BRANCHES,
  COMPLEX,
  EDITABLE,
  HELD,
  REGIONS,
  addressAfter,
  authorName,
  controlLine,
  faceOf,
  hasBox,
  writeLineHead,
  isDecoration,
  isInvisible,
  genericAction,
  isNameOfOther,
  isRegion,
  isWidget,
  quoteValue,
  withSpace,
} from './snapshot-words.ts';
import { endWith, type End, type FramePlace, type Writer, type WriterTools } from './out.ts';

/**
 * Writes the outline that a model acts on, one item per line:
 *
 *     # Heading                      e13 a link
 *     e14 button Save                e15 checkbox [checked] Remember me
 *     e16 textbox [required] Email = a@b.example
 *     e17 combobox Country = Germany (Germany|France)
 *     @navigation Main               @table Prices, then rows as a|b|c
 *     text with [e18 a link] inside
 *
 * Page text that looks like one of these begins with a backslash.
 */
export class SnapshotWriter implements Writer {
  readonly #ends: End[] = [];
  readonly #tables: Tables;
  readonly #pen = { line: new SnapshotLine((line) => this.#write(line)) };
  /** Inside a name, heading or cell: block boundaries are spaces. */
  #flat = 0;
  /** Inside a label that its control repeats. */
  #muted = 0;
  /** Inside a code block: rows are its lines. */
  #isInCode = false;
  #heads: string[] = [];
  /** The item whose line is being written, and how deep its content is. */
  #branch: { readonly end: () => void; readonly flat: number } | null = null;

  constructor(private readonly tools: WriterTools) {
    this.#tables = snapshotTables({
      tools,
      pen: this.#pen,
      flatten: () => this.#flatten(),
      mute: () => this.#mute(),
      writeName: (el, role) => void this.#named(el, el.localName, role),
      write: (line) => this.#write(line),
    });
  }

  get #line(): SnapshotLine {
    return this.#pen.line;
  }

  enter(el: Element, tag: string, flow: Flow): boolean {
    if (!this.#tables.isOpen) this.tools.places?.enter(el, this.#line.content);
    const isAttributed = el.hasAttributes();
    const isUnnamed = isAttributed && el.getAttribute('aria-hidden') === 'true' && !isCell(el);
    if (isUnnamed && isDecoration(el, this.#line.isNaming)) return false;
    const part = this.tools.view.codePart();
    if (part === 'gutter') return false;
    const isCode = part === 'block' && !this.#isInCode;
    this.#isInCode ||= isCode;
    const role = roleOf(el, tag, isAttributed);
    const begun = this.#begin(el, tag, role, flow);
    const end = isCode ? endWith(begun, () => void (this.#isInCode = false)) : begun;
    if (end !== false) this.#ends.push(end);
    return end !== false;
  }

  leave(): void {
    this.#ends.pop()?.();
  }

  #beginLine(): void {
    if (this.#line.content === 0 && !this.#tables.isOpen) this.tools.places?.begin();
  }

  #begin(el: Element, tag: string, role: string, flow: Flow): End | false {
    const atom = this.#beginAtom(el, tag, role);
    if (atom !== undefined) return atom;
    if (isNameOfOther(el, tag, this.tools, this.#flat > 0)) return this.#mute();
    if (HELD.has(role) && this.#branch?.flat === this.#flat && el.hasAttribute('role')) this.#branch.end();
    if (isWidget(el, role)) return this.#widget(el, role, flow);
    if (role === 'heading') return this.#heading(el, role);
    const canOpen = (): boolean => this.#flat === 0 && !this.#isInCode && isDataTable(el);
    const table = this.#tables.begin(el, effectiveTag(el, tag, this.tools.view.isAttributed), canOpen, role);
    return table === undefined ? this.#beginPlain(el, tag, role, flow) : table;
  }

  #beginPlain(el: Element, tag: string, role: string, flow: Flow): End | false {
    const action = genericAction(el, role, this.tools);
    const isLine = isRegion(el, role);
    if (action !== null) return isLine ? this.#opener(el, role) : this.#generic(el, action, flow);
    if (tag === 'sup' || tag === 'sub') return this.#script(el, tag);
    const isDeleted = DELETED.has(tag) || (PLAIN_KINDS.has(tag) && this.tools.view.isStruck());
    if (this.#muted === 0 && isDeleted) return this.#deletion(flow);
    if (isLine) this.#region(el, role);
    const end = this.#flowEnd(flow);
    if (REGIONS.has(role) || !this.#named(el, tag, role)) return end;
    end?.();
    return false;
  }

  /** A control, formula or image. Undefined for anything else. */
  #beginAtom(el: Element, tag: string, role: string): End | false | undefined {
    if (CONTROLS.has(tag) && controlKind(el) !== null) {
      this.#control(el, role);
      return false;
    }
    if (isMath(el, tag)) {
      if (this.tools.view.isTextSeen()) this.text(mathText(el), false);
      return false;
    }
    switch (tag) {
      case 'br':
        this.#boundary();
        return false;
      case 'area':
        this.#itemOf(el, role, computeName(el, role));
        return false;
      case 'img':
      case 'svg':
      case 'canvas':
      case 'video':
      case 'audio':
        return this.#picture(el, tag, role);
      default:
        return undefined;
    }
  }

  /** Writes the words of a label that its content lacks; true if it replaces the content. */
  #named(el: Element, tag: string, role: string): boolean {
    const named = namedOf(el, tag, this.tools);
    if (named === null || this.#muted > 0) return false;
    const { kind, text, value } = named;
    if (kind === 'meter')
      this.#itemOf(el, role, computeName(el, role), value === '' ? '' : ` = ${quoteValue(value)}`);
    else if (kind === 'state') this.#line.text(` (${text}) `);
    else if (this.#line.isNaming) this.#line.text(` ${text} `);
    else this.#line.bracket(`img ${quoteName(text)}`);
    return named.isWhole;
  }

  /** A raised or lowered part; a linked one is a footnote reference. */
  #script(el: Element, tag: 'sup' | 'sub'): End {
    if (this.#muted > 0 || el.querySelector('a[href]') !== null) return null;
    this.#line.open({ kind: 'script', open: tag === 'sup' ? '^' : '_', close: '' });
    return () => void this.#line.close();
  }

  #deletion(flow: Flow): End {
    const after = this.#flowEnd(flow);
    this.#line.beginDeletion();
    return () => {
      this.#line.close();
      after?.();
    };
  }

  #flowEnd(flow: Flow): End {
    if (flow === FLOW.inline) return null;
    if (flow === FLOW.box) this.#space();
    else this.#boundary();
    return flow === FLOW.block ? this.#boundary : this.#space;
  }

  readonly #space = (): void => this.#line.space();

  /** One function for all blocks: most elements are one. */
  readonly #boundary = (): void => {
    if (this.#flat > 0) this.#line.space();
    else this.#line.end();
    this.#beginLine();
  };

  #mute(): () => void {
    this.#muted += 1;
    return () => void (this.#muted -= 1);
  }

  #flatten(): () => void {
    this.#flat += 1;
    return () => void (this.#flat -= 1);
  }

  #heading(el: Element, role: string): End {
    const action = genericAction(el, role, this.tools);
    if (this.#flat > 0)
      return action === null ? this.#flowEnd(FLOW.block) : this.#wrap(el, action, FLOW.block, false);
    this.#boundary();
    this.#line.begin(`${'#'.repeat(Math.min(6, headingLevel(el)))} `);
    const unflatten = action === null ? this.#flatten() : this.#wrap(el, action, FLOW.block, false);
    return () => {
      unflatten();
      this.#line.end();
    };
  }

  #region(el: Element, role: string): void {
    if (isInvisible(el, this.tools)) return;
    this.#boundary();
    const name = computeName(el, role);
    if (this.#flat === 0) this.#write(`@${role}${name === '' ? '' : ` ${name}`}`);
  }

  /** A control without children: everything in one line. */
  #control(el: Element, role: string): void {
    if (controlKind(el) === 'hidden' || !isControlUsable(el, this.tools)) return;
    this.#item(controlLine(el, role, this.tools.refs, isValueSeen(el, this.tools.view)));
  }

  #itemOf(el: Element, role: string, name: string, tail = ''): void {
    this.#item(`${writeLineHead(el, role, this.tools.refs)}${withSpace(name)}${tail}`);
  }

  /** An item, without brackets if it is alone on its line. */
  #item(text: string): void {
    if (this.#flat > 0) this.#line.bracket(text);
    else {
      this.#boundary();
      this.#write(text);
    }
  }

  #widget(el: Element, role: string, flow: Flow): End | false {
    if (role === 'listbox') return this.#opener(el, role);
    const label = authorName(el, role);
    if (EDITABLE.has(role)) return this.#editable(el, role, label);
    const isLine =
      this.#flat === 0 &&
      (role !== 'link' || flow === FLOW.block) &&
      !(role === 'button' && this.#line.hasText);
    if (isLine) this.#line.end();
    if (BRANCHES.has(role)) return this.#openBranch(el, role, label, isLine);
    if (label === '') return this.#wrap(el, role, flow, isLine);
    if (!this.tools.view.isAtomSeen(el) && !this.tools.view.isSeen(el)) return false;
    const tail = addressAfter(el, role, this.tools.options);
    this.#line.bracket(`${writeLineHead(el, role, this.tools.refs)} ${quoteName(label)}${tail}`);
    if (isLine) this.#line.end();
    return this.#swallow(el);
  }

  /** The line of an item ends where the items that it holds begin, else with the item. */
  #openBranch(el: Element, role: string, label: string, isLine: boolean): End {
    if (isInvisible(el, this.tools)) return this.#flowEnd(FLOW.block);
    const outer = this.#branch;
    const head = writeLineHead(el, role, this.tools.refs);
    if (label !== '') this.#line.bracket(`${head} ${quoteName(label)}`);
    if (label !== '' && isLine) this.#line.end();
    let endContent: End = label === '' ? this.#wrap(el, role, FLOW.block, isLine, head) : this.#mute();
    const end = (): void => {
      endContent?.();
      endContent = null;
      this.#branch = null;
    };
    this.#branch = { end, flat: this.#flat };
    return () => {
      end();
      this.#branch = outer;
    };
  }

  /** The name is written: its content is omitted, unless it contains controls too. */
  #swallow(el: Element): End | false {
    return el.querySelector(ACTIONABLE) === null ? false : this.#mute();
  }

  #wrap(el: Element, role: string, flow: Flow, isLine: boolean, known: string | null = null): () => void {
    if (flow === FLOW.box) this.#line.space();
    this.#line.openName();
    const unflatten = this.#flatten();
    return () => {
      unflatten();
      const isEmpty = this.#line.isNameEmpty;
      const isBox = isEmpty && this.tools.view.isAtomSeen(el) && hasBox(el);
      const fallback = isBox ? computeName(el, role) || (known === null ? faceOf(el) : '') : '';
      if (isEmpty && fallback === '' && !isBox) this.#line.dropName();
      else
        this.#line.closeName(
          known ?? writeLineHead(el, role, this.tools.refs, [], fallback || null),
          fallback,
          addressAfter(el, role, this.tools.options),
        );
      if (isLine) this.#line.end();
      else if (role !== 'link' || flow === FLOW.box) this.#line.space();
    };
  }

  #editable(el: Element, role: string, label: string): End | false {
    if (!isControlUsable(el, this.tools)) return null;
    const text = ariaValue(el) || squash(contentName(el));
    let line = writeLineHead(el, role, this.tools.refs);
    // A button that opens a list may have a label.
    const name = isLabelable(el) ? computeName(el, role) : label;
    if (name !== '') line += ` ${quoteName(name)}`;
    if (text !== '') line += ` = ${quoteValue(text)}`;
    this.#item(line);
    return this.#swallow(el);
  }

  /** An item whose parts have lines of their own. */
  #opener(el: Element, role: string, name = computeName(el, role)): End {
    this.#boundary();
    if (!isInvisible(el, this.tools)) this.#itemOf(el, role, name);
    return this.#boundary;
  }

  #generic(el: Element, action: string, flow: Flow): End {
    const isLine = this.#flat === 0 && flow === FLOW.block;
    if (el.querySelector(COMPLEX) === null) {
      if (isLine) this.#line.end();
      return this.#wrap(el, action, flow, isLine);
    }
    return this.#opener(el, action, authorName(el, ''));
  }

  #picture(el: Element, tag: string, role: string): End | false {
    const picture = this.tools.view.isAtomSeen(el) && this.#muted === 0 ? pictureOf(el) : null;
    const action = genericAction(el, role, this.tools);
    if (action !== null && this.tools.view.isAtomSeen(el)) this.#itemOf(el, action, picture?.alt ?? '');
    else if (picture !== null) {
      if (this.#line.isNaming) this.#line.text(` ${picture.alt} `);
      else this.#line.bracket(`img ${quoteName(picture.alt)}`);
    }
    return tag === 'svg' && hasDrawnParts(el) ? null : false;
  }

  text(data: string, isRaw: boolean): void {
    if (this.#muted > 0) return;
    this.#beginLine();
    if (!isRaw || this.#flat > 0 || !data.includes('\n')) return this.#line.text(data);
    data.split('\n').forEach((part, i) => {
      if (i > 0) this.#line.end();
      if (i > 0) this.#beginLine();
      this.#line.text(part);
    });
  }

  space(): void {
    this.#line.space();
  }

  enterFrame(origin: string, name: string): void {
    this.#boundary();
    this.#heads.push(`@frame ${origin}${name === '' ? '' : ` ${JSON.stringify(name)}`}`);
  }

  leaveFrame(origin: string): void {
    this.#boundary();
    if (this.#heads.pop() === undefined) this.#write(`@end of frame ${origin}`);
  }

  frame(make: (place: FramePlace) => FrameMark): void {
    this.#boundary();
    this.tools.out.mark(make({ prefix: '', follows: true }));
  }

  finish(): void {
    this.#line.end();
  }

  #write(line: string): void {
    if (this.#heads.length > 0) for (const head of this.#heads.splice(0)) this.#writeLine(head, 0);
    this.#writeLine(line, this.#line.content);
  }

  /** @param collected the length of its collected part */
  #writeLine(line: string, collected: number): void {
    this.tools.places?.written(collected);
    this.tools.out.line(line);
  }
}
