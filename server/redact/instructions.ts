import type { ScanWindow } from './span.ts';

/** A group of phrases, and a cheap test that text without any of them fails. */
interface PhraseGroup {
  readonly gate: RegExp;
  readonly phrase: RegExp;
}

function group(gate: RegExp, sources: readonly string[]): PhraseGroup {
  return { gate, phrase: new RegExp(sources.map((one) => one.replaceAll(' ', '[ \\t]')).join('|'), 'gi') };
}

/**
 * Phrases that address a model rather than a person. They are counted, never removed: a detector
 * misses too much to promise anything, and what a person can see stays. Each starts with a literal
 * word and is bounded.
 */
const GROUPS: readonly PhraseGroup[] = [
  group(/prompt|instruction/i, [
    '\\b(?:ignore|disregard|forget|override) (?:(?:all|any|every|of|the|your|my|these|those) ){0,4}(?:previous|prior|above|preceding|earlier|former|system) (?:\\w{1,20} ){0,2}(?:instruction|prompt)',
    '\\b(?:reveal|print|repeat|output|show|leak) (?:me )?(?:your|the) (?:system|initial|hidden) (?:prompt|instruction)',
    '\\b(?:new|updated|important|real) (?:system )?instructions? (?:for|to) (?:the )?(?:ai|assistant|agent|model|llm)',
  ]),
  group(/(?:disregard|ignore|you are now|tell the|tell your) /i, [
    '\\b(?:disregard|ignore) (?:everything|anything|all) (?:above|before|you)',
    "\\b(?:do not|don[’']t|never) tell (?:the|your) (?:user|human|operator)",
    '\\byou are now (?:a|an|in|the|no) \\w{1,20} (?:mode|assistant|agent|ai|model)',
  ]),
  group(/<\||<<|INST\]/, ['<\\|(?:im_start|im_end|system|endoftext)\\|>', '\\[/?INST\\]', '<</?SYS>>']),
];

/** Where phrases start that read like an instruction to a model. */
export function findInstructions({ text, from }: ScanWindow): number[] {
  const starts: number[] = [];
  for (const { gate, phrase } of GROUPS) {
    if (!gate.test(text)) continue;
    phrase.lastIndex = from;
    for (let hit = phrase.exec(text); hit !== null; hit = phrase.exec(text)) starts.push(hit.index);
  }
  return starts;
}
