import type { Language } from '../../../words/languages.ts';
import { words } from './words.ts';

/** A step as people read it: `Click` and `“Add to cart”`. */
export interface StepSentence {
  readonly verb: string;
  /** Empty for a step that names nothing. */
  readonly what: string;
}

/** How a call names an element by its words: `text=Save`, `role=button[name="Save"]`. */
const NAMED = /^role=\w+\[name=(["']?)(.*)\1i?\]$|^(?:text|label|placeholder)=(.*)$/s;
/** How a page does: `button Save`. What has no role is `<div#id>`. */
const AS_PAGE =
  /^(?:button|checkbox|combobox|gridcell|heading|img|link|listbox|menuitem|option|radio|searchbox|slider|spinbutton|switch|tab|textbox|treeitem) (.+)$/s;

/** What a target is called; null for one that only a program understands. */
function nameOf(target: string): string | null {
  const [, , byRole, byWords] = NAMED.exec(target) ?? [];
  return byRole ?? byWords?.replace(/^(["'])(.*)\1$/s, '$2') ?? AS_PAGE.exec(target)?.[1] ?? null;
}

/** Fields are named by their labels. */
const LABELLED = /^(?:fill|check|uncheck) (?!(?:f\d+)*e\d+$|\w+=)(.+)$/s;

/** The sentence of a line that the record has of a step. */
export function stepSentence(line: string, language: Language): StepSentence {
  const { verbs, verbsAlone } = words[language].inspector;
  const [kind = '', ...rest] = line.split(' ');
  const target = rest.join(' ');
  const name = nameOf(target) ?? LABELLED.exec(line)?.[1];
  const among: Readonly<Record<string, string>> = target === '' ? { ...verbs, ...verbsAlone } : verbs;
  return {
    verb: (Object.hasOwn(among, kind) ? among[kind] : undefined) ?? kind,
    what: name === undefined ? target : `“${name}”`,
  };
}
