import type { StepKind } from '../../../shared/act/step-words.ts';
import { wordOf } from '../../ui/call-line.tsx';
import { wordFor } from '../../ui/shown.ts';
import type { FaceCall, Summary } from '../../ui/faces/face.ts';
import type { FaceWords } from '../../ui/words/en/faces.ts';
import { toolTexts } from '../../ui/words/en/tools.ts';
import type { Language } from '../../ui/words/locale.ts';

/** How a call names an element by its words: `text=Save`, `role=button[name="Save"]`. */
const NAMED = /^role=\w+\[name=(["']?)(.*)\1i?\]$|^(?:text|label|placeholder)=(.*)$/s;
/** A page's name for an element: `button Save`. Without a role it is `<div#id>`. */
const AS_PAGE =
  /^(?:button|checkbox|color|combobox|date|datetime|file|gridcell|heading|img|link|listbox|menuitem|menuitemcheckbox|menuitemradio|month|option|password|radio|searchbox|slider|spinbutton|summary|switch|tab|textbox|time|treeitem|week) (.+)$/s;
const QUOTED = /^(["'])(.*)\1$/s;

/** Null for a target that only a program understands. */
function parseTargetName(target: string): string | null {
  const [, , byRole, byWords = target] = NAMED.exec(target) ?? [];
  if (byRole !== undefined || byWords !== target) return byRole ?? byWords.replace(QUOTED, '$2');
  return QUOTED.exec(target)?.[2] ?? AS_PAGE.exec(target)?.[1] ?? null;
}

/** Fields are named by their labels. */
const LABELLED = /^(?:fill|check|uncheck) (?!(?:f\d+)*e\d+$|\w+=)(.+)$/s;

/** A step's line in the record for people: `Click` and `“Add to cart”`, or nothing for a step without a target. */
export function stepSentence(line: string, language: Language) {
  const { verbsAlone, ...words } = toolTexts(language).lines.interact;
  const verbs: Readonly<Record<StepKind | 'dialog', string>> = words.verbs;
  const [kind = '', ...rest] = line.split(' ');
  const target = rest.join(' ');
  const name = parseTargetName(target) ?? LABELLED.exec(line)?.[1];
  return {
    verb: wordFor(target === '' ? { ...verbs, ...verbsAlone } : verbs, kind),
    what: name === undefined ? target : `“${name}”`,
  };
}

/** The first step is shown, with the number of further ones next to it. */
export function stepLine({ args, did = [] }: FaceCall, language: Language): Partial<Summary> {
  const [first, ...more] = did;
  const snapshot = wordOf(toolTexts(language).lines.interact, args.show);
  if (first === undefined) return { about: [args.tab], tags: [snapshot] };
  const { verb, what } = stepSentence(first, language);
  return { name: verb, about: [what], tags: [more.length > 0 && `+${more.length}`, snapshot] };
}

type Kind = 'done' | keyof FaceWords['interact']['parts'];

/** A receipt's lines by subject, in order. */
export type Receipt = Readonly<Partial<Record<Kind, readonly string[]>>>;

const BEGINNINGS: readonly (readonly [Kind, RegExp])[] = [
  ['done', /^done \d+$/],
  ['page', /^(?:url|title) |^tab closed$/],
  ['dialog', /^dialog /],
  ['opened', /^opened b\d+:\d+ /],
  ['download', /^download |^\d+ more downloads$/],
  ['requests', /^requests \d+ \(act |^still loading /],
  ['error', /^error /],
  ['untried', /^not tried: /],
];

/** A line without its subject, which is in the heading. */
export const factOf = (line: string): string =>
  line.replace(/^(?:url|title|dialog|opened|download|requests|error|not tried:) /, '');

/** Lines of other steps come before page lines; after the first page line, all lines are the page's. */
export function readReceipt(text: string): Receipt {
  const receipt: Partial<Record<Kind, string[]>> = {};
  let hasChanges = false;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const known: Kind | undefined = hasChanges
      ? undefined
      : BEGINNINGS.find(([, pattern]) => pattern.test(line))?.[0];
    hasChanges ||= known === undefined && receipt.done !== undefined && !isNote(line, receipt);
    (receipt[known ?? (hasChanges ? 'change' : 'step')] ??= []).push(line);
  }
  return receipt;
}

/** `Phone: shows "…"`. */
const isNote = (line: string, { done, page, requests }: Receipt): boolean =>
  done !== undefined && (page ?? requests) === undefined && /^[^#+~-][^:]*: /.test(line);
