import { delay } from '../../../shared/async.ts';
import type { PageAnswers } from '../../ports/page-answers.ts';
import type { Held } from './act-page.ts';
import { focus, isNow, notTaken, partOf, quote, type Acting } from './acting.ts';
import { insertText, pressKeys, typeKeys } from './keyboard.ts';

/** An editor restores its caret shortly after it gets the focus. */
export const FOCUSED_MS = 50;
const SHOWN_MS = 500;
const LOOK_MS = 30;
const VALUE_UNITS = 200;

/**
 * Replaces the whole text of an editor that keeps its own document: writes it, reads it back, and corrects it
 * by keys.
 * @throws SpillwayError `value_not_taken` with the displayed text
 */
export async function replaceInEditor(acting: Acting, held: Held, text: string): Promise<string> {
  const { page, facts } = held;
  await focus(acting, held);
  await pressKeys(acting, page, 'ControlOrMeta+A');
  if (text === '') await pressKeys(acting, page, 'Delete');
  else if (!(await page.change({ do: 'paste', held: facts.held, text }, acting.signal)).isHandled)
    await insertText(acting, held, text);
  if ((await comesToShow(acting, held, text)) || isSame(await copied(acting, held), text)) return isNow(text);
  // Keys would go to another block of the editor.
  if (!(await read(acting, held)).isFocused)
    throw notTaken(held, ' lost the focus as it took the text: read the page to see where that is');
  await pressKeys(acting, page, 'ControlOrMeta+A Delete');
  await typeKeys(acting, held, text, 'soft');
  if (await comesToShow(acting, held, text)) return isNow(text);
  const now = await shown(acting, held);
  if (now === null) throw notTaken(held, ': what it shows is unknown');
  if (acting.use.isSecret) throw notTaken(held, ' did not take the text');
  throw notTaken(held, ` shows ${quote(now, VALUE_UNITS)} instead of the text`);
}

/**
 * Types after the last character, or at the caret. Returns the editor's text if it differs from the typed text.
 */
export async function typeIntoEditor(
  acting: Acting,
  held: Held,
  text: string,
  isAtCaret: boolean,
): Promise<string | null> {
  await focus(acting, held);
  await delay(FOCUSED_MS, acting.signal);
  const first = await read(acting, held);
  const before = first.isCopied && isAtCaret ? null : await shown(acting, held);
  if (!isAtCaret && !first.isAtEnd) await toEnd(acting, held);
  if (!(await read(acting, held)).isFocused) throw notTaken(held, ' lost the focus before it took the text');
  await typeKeys(acting, held, text, 'pressed');
  if (before === null) return 'what it shows is unknown';
  if (await comesToShow(acting, held, before + text)) return isNow(partOf(before + text, text));
  // A copy is plain text: writing it again loses nothing.
  if (!isAtCaret && first.isCopied) return replaceInEditor(acting, held, before + text);
  return `shows ${quote((await shown(acting, held)) ?? '', VALUE_UNITS)}`;
}

async function comesToShow(acting: Acting, held: Held, text: string): Promise<boolean> {
  const until = performance.now() + SHOWN_MS;
  for (;;) {
    if (isSame(await shown(acting, held), text)) return true;
    if (performance.now() >= until) return false;
    await delay(LOOK_MS, acting.signal);
  }
}

/** The displayed text. Leaves the caret at its end. */
async function shown(acting: Acting, held: Held): Promise<string | null> {
  const first = await read(acting, held);
  return !first.isCopied && first.text !== null ? first.text : copied(acting, held);
}

/** All of the text, also where an editor displays only the lines in view. Leaves the caret at its end. */
async function copied(acting: Acting, held: Held): Promise<string | null> {
  await pressKeys(acting, held.page, 'ControlOrMeta+A');
  const { text } = await read(acting, held, true);
  await toEnd(acting, held);
  return text;
}

const read = ({ signal }: Acting, { page, facts }: Held, copies = false): Promise<PageAnswers['editor']> =>
  page.change({ do: 'editor', held: facts.held, copies }, signal);

async function toEnd(acting: Acting, { page }: Held): Promise<void> {
  await pressKeys(acting, page, acting.isMac ? 'Meta+ArrowDown' : 'Control+End');
  // The editor must learn of its caret before the next key.
  await page.ask({ do: 'rest' }, acting.signal);
}

/** Whether an editor shows a text. Editors write their own spaces, marks and further empty lines. */
function isSame(now: string | null, text: string): boolean {
  if (now === null) return false;
  const shown = linesOf(now);
  for (const line of linesOf(text)) {
    while (line !== '' && shown[0] === '') shown.shift();
    if (shown.shift() !== line) return false;
  }
  return shown.length === 0;
}

const linesOf = (text: string): string[] =>
  text
    .replaceAll(/[\u200b\ufeff]/g, '')
    .replaceAll('\u00a0', ' ')
    .replaceAll(/^(?:[ \t]*\r?\n)+|\s+$/g, '')
    .split(/\r?\n/)
    .map((line) => line.trimEnd());
