import { reveal, STACKED, UNSEEN } from '../../shared/core/policy/reveal.ts';

/** A part of a text as it is shown. */
export interface Revealed {
  readonly shown: string;
  /** How it was marked: `unseen` characters, a `gap` that was shortened, or the end of a `line`; null for plain text. */
  readonly mark: 'unseen' | 'gap' | 'line' | null;
}

/** More blanks, or more empty lines, push the text after them out of sight. */
const GAP = /[^\S\n]{41,}|(?:[^\S\n]*\n){5,}/g;

/**
 * A text in parts, with nothing hidden. Keeps its line breaks, after a mark that differs from the same character in the
 * text; long gaps become `⟨· ×120⟩` and `⟨⏎ ×40⟩`.
 */
export function revealParts(text: string): readonly Revealed[] {
  const parts: Revealed[] = [];
  let from = 0;
  const whole = text.toWellFormed();
  for (const { 0: gap, index } of whole.matchAll(GAP)) {
    addParts(parts, whole.slice(from, index));
    const lines = gap.split('\n').length - 1;
    parts.push({ shown: lines === 0 ? `⟨· ×${gap.length}⟩` : `⟨⏎ ×${lines}⟩\n`, mark: 'gap' });
    from = index + gap.length;
  }
  addParts(parts, whole.slice(from));
  return parts;
}

/** Invisible characters; the server has written out those that it removes from texts. */
const MARKED = new RegExp(`(?:${UNSEEN.source}|⟨U\\+[0-9A-F]{4,6}⟩)+|${STACKED.source}`, 'gu');

function addParts(parts: Revealed[], text: string): void {
  let from = 0;
  const add = (shown: string, mark: Revealed['mark']): void => {
    if (shown !== '') parts.push({ shown, mark });
  };
  for (const { 0: found, index } of text.matchAll(MARKED)) {
    add(text.slice(from, index), null);
    for (const piece of found.match(/[\n\r\t]+|[^\n\r\t]+/g) ?? []) {
      const isLine = /^[\n\r\t]/.test(piece);
      add(reveal(piece).replaceAll('⏎', '⏎\n'), isLine ? 'line' : 'unseen');
    }
    from = index + found.length;
  }
  add(text.slice(from), null);
}

/** Whether an input field would hide a part of a text, or push it out of sight. */
export const hides = (text: string): boolean =>
  revealParts(text).some(({ mark }) => mark === 'unseen' || mark === 'gap');
