import type { ScanWindow } from './span.ts';

function phrases(...sources: readonly string[]): RegExp {
  return new RegExp(sources.map((one) => one.replaceAll(' ', '[ \\t]')).join('|'), 'gi');
}

/**
 * Phrases that address a model rather than a person. They are counted, never removed: a detector
 * misses too much to promise anything, and what a person can see stays. Each is searched for by a
 * rare word and looks back, bounded, from there.
 */
const PHRASES: readonly RegExp[] = [
  phrases(
    '(?:instruction|prompt)(?<=\\b(?:ignore|disregard|forget|override) (?:(?:all|any|every|of|the|your|my|these|those) ){0,4}(?:previous|prior|above|preceding|earlier|former|system) (?:\\w{1,20} ){0,2}(?:instruction|prompt))',
    '(?:instruction|prompt)(?<=\\b(?:reveal|print|repeat|output|show|leak) (?:me )?(?:your|the) (?:system|initial|hidden) (?:instruction|prompt))',
    'instruction(?<=\\b(?:new|updated|important|real) (?:system )?instruction)s? (?:for|to) (?:the )?(?:ai|assistant|agent|model|llm)\\b',
  ),
  // Three in one pass, by the ends of their rare words.
  phrases(
    "[glw] (?:(?<=\\b(?:disregard|ignore|forget) (?:every|any)thing )(?:above|before|you)\\b|(?<=\\b(?:do not|don[’']t|never) tell )(?:the|your) (?:user|human|operator)\\b|(?<=\\byou are now )(?:a|an|in|the|no) \\w{1,20} (?:mode|assistant|agent|ai|model)\\b)",
  ),
];
/** Marks of the formats in which models are trained, and the beginnings without which there is none. */
const MARKS = phrases('<\\|(?:im_start|im_end|system|endoftext)\\|>', '\\[/?INST\\]', '<</?SYS>>');
const MARK_BEGINNINGS = ['<|', '<<', '[I', '[i', '[/'];

/** Where phrases are that read like an instruction to a model. */
export function findInstructions({ text, from }: ScanWindow): number[] {
  const places: number[] = [];
  const hasMarks = MARK_BEGINNINGS.some((beginning) => text.includes(beginning, from));
  for (const phrase of hasMarks ? [...PHRASES, MARKS] : PHRASES) {
    phrase.lastIndex = from;
    for (let hit = phrase.exec(text); hit !== null; hit = phrase.exec(text)) places.push(hit.index);
  }
  return places;
}
