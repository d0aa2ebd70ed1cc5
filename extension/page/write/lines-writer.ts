import type { FrameMark } from '../protocol.ts';
import type { Flow } from '../walk/level.ts';
import { CodeLines } from './code-lines.ts';
import type { LineStyle, Mark } from './inline.ts';
import { PLAIN_KINDS, effectiveTag } from './kind.ts';
import { Lines } from './lines.ts';
import { namedOf, type Named } from './named.ts';
import type { End, FramePlace, Writer, WriterTools } from './writer.ts';

/** A writer of lines: what plain text and Markdown have in common. */
export abstract class LinesWriter implements Writer {
  protected readonly tools: WriterTools;
  protected lines: Lines;
  readonly #ends: End[] = [];
  /** Code that is being collected. */
  #code: CodeLines | null = null;

  constructor(tools: WriterTools, style: LineStyle) {
    this.tools = tools;
    this.lines = new Lines(tools.out, style, tools.linePrefix, tools.follows);
  }

  /**
   * Begins an element. False: the element is written already, and its children are not visited.
   *
   * @param kind the HTML element that it is in effect
   */
  protected abstract begin(el: Element, kind: string, flow: Flow): End | false;

  /** Sets what is in the element in a mark. */
  protected mark(mark: Mark): End {
    this.lines.open(mark);
    return () => void this.lines.close();
  }

  /** A raised or lowered part; a reference to a note is one that is a link. */
  protected script(el: Element, kind: 'sup' | 'sub'): End {
    if (el.querySelector('a[href]') !== null) return null;
    return this.mark({ kind: 'script', open: kind === 'sup' ? '^' : '_', close: '' });
  }

  protected get isInCode(): boolean {
    return this.#code !== null;
  }

  /** Collects what is in an element as code. */
  protected collectCode(el: Element, tag: string, isRegion: boolean, use: (code: CodeLines) => void): End {
    const code = new CodeLines(el, tag, isRegion);
    this.#code = code;
    return () => {
      this.#code = null;
      use(code);
    };
  }

  /** Begins a block of code. Null where the format has no block here: the content is written as text. */
  protected abstract beginCode(el: Element, tag: string): End;

  enter(el: Element, tag: string, flow: Flow): boolean {
    const part = this.tools.view.codePart();
    if (part === 'gutter') return false;
    const end =
      this.#code !== null
        ? this.#code.enter(el, tag, { flow, part })
        : ((part === 'block' ? this.beginCode(el, tag) : null) ?? this.#begin(el, tag, flow));
    if (end === false) return false;
    if (this.isInCode) return this.#ends.push(end) > 0;
    const named = this.named(el, tag);
    if (named !== null) this.writeNamed(named);
    if (named?.isWhole === true) {
      end?.();
      return false;
    }
    this.#ends.push(end);
    return true;
  }

  #begin(el: Element, tag: string, flow: Flow): End | false {
    const kind = effectiveTag(el, tag);
    const isStruck = PLAIN_KINDS.has(kind) && this.tools.view.isStruck();
    return this.begin(el, isStruck ? 'del' : kind, flow);
  }

  text(data: string, isRaw: boolean): void {
    if (this.#code !== null) this.#code.add(data);
    else this.writeText(data, isRaw);
  }

  protected abstract writeText(data: string, isRaw: boolean): void;

  /** What a label says in addition to the content. */
  protected named(el: Element, tag: string): Named | null {
    return namedOf(el, tag, this.tools);
  }

  protected writeNamed({ kind, text, value }: Named): void {
    this.lines.space();
    this.lines.text(kind === 'state' ? `(${text})` : text);
    if (value !== '') {
      this.lines.space();
      this.lines.text(`[${value}]`);
    }
    this.lines.space();
  }

  leave(): void {
    this.#ends.pop()?.();
  }

  space(): void {
    if (this.#code !== null) this.#code.space();
    else this.lines.space();
  }

  enterFrame(origin: string): void {
    this.lines.head(`[frame ${origin}]`);
  }

  /** Nothing is written of a frame that held nothing. */
  leaveFrame(origin: string): void {
    if (this.lines.tail()) this.lines.rawLines([`[end of frame ${origin}]`]);
    this.lines.block(2);
  }

  frame(make: (place: FramePlace) => FrameMark): void {
    this.lines.block(2);
    this.tools.out.mark(make({ prefix: this.lines.prefix, follows: this.lines.started }));
    this.lines.resume();
  }

  finish(): void {
    this.lines.endLine();
  }
}
