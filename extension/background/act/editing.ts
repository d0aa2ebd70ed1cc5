import { delay } from '../../../shared/async/wait.ts';
import { cut } from '../../../shared/cut.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { Held } from './act-page.ts';
import type { Hands } from './hands.ts';

/** How long an editor may take to show what it was given. */
const SHOWN_MS = 500;
const LOOK_MS = 30;
const VALUE_UNITS = 200;
const NOW_UNITS = 80;

/** Text in editors that keep a document of their own: written, read back, and put right by keys. */
export class Editing {
  readonly #hands: Hands;

  constructor(hands: Hands) {
    this.#hands = hands;
  }

  /** Puts a text in place of all that an editor has. @throws SpillwayError `value_not_taken` with what it shows */
  async replace(held: Held, text: string): Promise<string> {
    await this.#hands.focus(held, 'none');
    await this.#keys(held, 'ControlOrMeta+A');
    if (text === '') await this.#keys(held, 'Delete');
    else if (!(await this.#paste(held, text))) await this.#hands.input.insert(held, text);
    if (await this.#comesToShow(held, text)) return isNow(text);
    await this.#keys(held, 'ControlOrMeta+A Delete');
    await this.#type(held, text);
    if (await this.#comesToShow(held, text)) return isNow(text);
    const { line } = held.facts;
    if (this.#hands.isSecret) throw new SpillwayError('value_not_taken', `${line} did not take the text.`);
    const shown = cut((await this.#shown(held)) ?? '', VALUE_UNITS).toWellFormed();
    throw new SpillwayError('value_not_taken', `${line} shows ${JSON.stringify(shown)} instead of the text.`);
  }

  /** Types behind the last character. Returns what the editor shows, if that is not what was typed. */
  async append(held: Held, text: string): Promise<string | null> {
    await this.#hands.focus(held, 'none');
    const before = await this.#shown(held);
    await this.#toEnd(held);
    await this.#type(held, text);
    if (before === null) return 'what it shows is unknown';
    if (await this.#comesToShow(held, before + text)) return isNow(before + text);
    // A copy is plain text: writing it again loses nothing.
    if (await this.#isCopied(held)) return this.replace(held, before + text);
    return `shows ${JSON.stringify(cut((await this.#shown(held)) ?? '', VALUE_UNITS).toWellFormed())}`;
  }

  async #comesToShow(held: Held, text: string): Promise<boolean> {
    const until = performance.now() + SHOWN_MS;
    for (;;) {
      const shown = await this.#shown(held);
      if (shown !== null && isSame(shown, text)) return true;
      if (performance.now() >= until) return false;
      await delay(LOOK_MS, this.#hands.options.signal);
    }
  }

  /** The text that it shows. Leaves the caret at its end. */
  async #shown(held: Held): Promise<string | null> {
    const first = await this.#ask(held);
    if (!first.isCopied && first.text !== null) return first.text;
    await this.#keys(held, 'ControlOrMeta+A');
    const { text } = await this.#ask(held);
    await this.#toEnd(held);
    return text;
  }

  async #isCopied(held: Held): Promise<boolean> {
    return (await this.#ask(held)).isCopied;
  }

  #ask({ page, facts }: Held): Promise<{ readonly text: string | null; readonly isCopied: boolean }> {
    return page.ask({ do: 'editor', held: facts.held }, this.#hands.options.signal);
  }

  async #paste({ page, facts }: Held, text: string): Promise<boolean> {
    const { isHandled } = await page.ask({ do: 'paste', held: facts.held, text }, this.#hands.options.signal);
    return isHandled;
  }

  #toEnd(held: Held): Promise<void> {
    return this.#keys(held, this.#hands.options.isMac ? 'Meta+ArrowDown' : 'Control+End');
  }

  #keys({ page }: Held, keys: string): Promise<void> {
    return this.#hands.input.keys(page, keys);
  }

  #type(held: Held, text: string): Promise<void> {
    return this.#hands.sparing((renew) => this.#hands.input.type(held, text, renew));
  }
}

const isNow = (text: string): string =>
  text === '' ? '= ""' : `= ${cut(text.replaceAll(/\s+/g, ' '), NOW_UNITS).toWellFormed()}`;

/** Editors write blanks, empty lines and marks of their own. */
const normalise = (text: string): string =>
  text
    .replaceAll(/[\u200b\ufeff]/g, '')
    .replaceAll('\u00a0', ' ')
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n');

const isSame = (a: string, b: string): boolean => normalise(a) === normalise(b);
