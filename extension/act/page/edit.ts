import { editorText, paste } from './editors.ts';
import { isNow, trimToPart, quote } from './notes.ts';
import { focus, insert, notTaken, type StepParts, type Text } from './step.ts';
import { atRest } from './typing.ts';

const SHOWN_MS = 500;
const VALUE_UNITS = 200;

/** Writes into an editor that keeps its own document, reads it back, and corrects it by keys. */
export class Editor {
  constructor(
    private readonly el: Element,
    private readonly parts: StepParts,
  ) {}

  /** Replaces its whole text. @throws PageError `value_not_taken` with the displayed text */
  async replace(value: Text): Promise<string> {
    const { hands, how } = this.parts;
    const { text } = value;
    await focus(this.el, 'none', this.parts);
    await hands.key('SelectAll');
    if (text === '') await this.#delete();
    else if (!paste(this.el, text)) await insert(this.el, value, this.parts);
    if ((await this.#comesToShow(text)) || hasText(await this.#copied(), text)) return isNow(text);
    // Keys would go to another block of the editor.
    if (!editorText(this.el).isFocused)
      throw notTaken(this.el, ' lost the focus as it took the text: read the page to see where that is');
    if (value.index !== null) {
      await hands.key('SelectAll');
      await this.#delete();
      await hands.text(this.el, value.index, 'soft');
      if (await this.#comesToShow(text)) return isNow(text);
    }
    const now = await this.#shown();
    if (now === null) throw notTaken(this.el, ': what it shows is unknown');
    if (how.isSecret) throw notTaken(this.el, ' did not take the text');
    throw notTaken(this.el, ` shows ${quote(now, VALUE_UNITS)} instead of the text`);
  }

  /**
   * Types after the last character, or at the caret. Returns the editor's text if it differs from the typed text.
   * @param texts the text of the step in parts
   */
  async type(texts: readonly string[], isAtCaret: boolean): Promise<string | null> {
    const { hands } = this.parts;
    const text = texts.join('');
    await focus(this.el, 'none', this.parts);
    const first = editorText(this.el);
    const before = first.isCopied && isAtCaret ? null : await this.#shown();
    if (!isAtCaret && !first.isAtEnd) await this.#toEnd();
    if (!editorText(this.el).isFocused) throw notTaken(this.el, ' lost the focus before it took the text');
    for (const [index, part] of texts.entries()) if (part !== '') await hands.text(this.el, index, 'pressed');
    if (before === null) return 'what it shows is unknown';
    if (await this.#comesToShow(before + text)) return isNow(trimToPart(before + text, text));
    // A copy is plain text: writing it again loses nothing.
    if (!isAtCaret && first.isCopied) return this.replace({ text: before + text, index: null });
    return `shows ${quote((await this.#shown()) ?? '', VALUE_UNITS)}`;
  }

  async #delete(): Promise<void> {
    await atRest();
    await this.parts.hands.key('Delete');
  }

  #comesToShow(text: string): Promise<boolean> {
    return this.parts.hands.until(async () => hasText(await this.#shown(), text), SHOWN_MS);
  }

  /** The displayed text. Leaves the caret at its end. */
  async #shown(): Promise<string | null> {
    const first = editorText(this.el);
    return !first.isCopied && first.text !== null ? first.text : this.#copied();
  }

  /** All of the text, also where an editor displays only the lines in view. Leaves the caret at its end. */
  async #copied(): Promise<string | null> {
    await this.parts.hands.key('SelectAll');
    const { text } = editorText(this.el, true);
    await this.#toEnd();
    return text;
  }

  async #toEnd(): Promise<void> {
    await this.parts.hands.key('ToEnd');
    // The editor must learn of its caret before the next key.
    await atRest();
  }
}

/** Whether an editor shows a text. Editors write their own spaces, marks and further empty lines. */
function hasText(now: string | null, text: string): boolean {
  if (now === null) return false;
  const shown = splitLines(now);
  for (const line of splitLines(text)) {
    while (line !== '' && shown[0] === '') shown.shift();
    if (shown.shift() !== line) return false;
  }
  return shown.length === 0;
}

const splitLines = (text: string): string[] =>
  text
    .replaceAll(/[\u200b\ufeff]/g, '')
    .replaceAll('\u00a0', ' ')
    .replaceAll(/^(?:[ \t]*\r?\n)+|\s+$/g, '')
    .split(/\r?\n/)
    .map((line) => line.trimEnd());
