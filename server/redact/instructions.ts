import type { ScanWindow } from './span.ts';

/**
 * Phrases that address a model rather than a person. They are counted, never removed: a detector
 * misses too much to promise anything, and what a person can see stays. Each is anchored at a
 * literal word and bounded.
 */
const PHRASE = new RegExp(
  [
    '\\b(?:ignore|disregard|forget|override)[ \\t](?:(?:all|any|every|of|the|your|my|these|those)[ \\t]){0,4}(?:previous|prior|above|preceding|earlier|former|system)[ \\t](?:\\w{1,20}[ \\t]){0,2}(?:instruction|prompt|rule|direction|message|context|guideline)',
    '\\b(?:disregard|ignore)[ \\t](?:everything|anything|all)[ \\t](?:above|before|you)',
    '\\b(?:reveal|print|repeat|output|show|leak)[ \\t](?:me[ \\t])?(?:your|the)[ \\t](?:system|initial|hidden)[ \\t](?:prompt|instruction|message)',
    '\\byou[ \\t]are[ \\t]now[ \\t](?:a|an|in|the|no)[ \\t]\\w{1,20}[ \\t](?:mode|assistant|agent|ai|model)',
    '\\b(?:new|updated|important|real)[ \\t](?:system[ \\t])?instructions?[ \\t](?:for|to)[ \\t](?:the[ \\t])?(?:ai|assistant|agent|model|llm)',
    "\\b(?:do[ \\t]not|don[’']t|never)[ \\t](?:tell|inform|mention[ \\t]this[ \\t]to|alert)[ \\t](?:the|your)[ \\t](?:user|human|operator)",
    '\\bas[ \\t]an?[ \\t](?:ai|llm)[ \\t](?:assistant|agent|model)?,?[ \\t]?you[ \\t](?:must|should|will)',
    '<\\|(?:im_start|im_end|system|endoftext)\\|>',
    '\\[/?INST\\]',
    '<</?SYS>>',
  ].join('|'),
  'gi',
);

/** Starts of phrases that read like an instruction to a model. */
export function findInstructions({ text, from }: ScanWindow): number[] {
  const starts: number[] = [];
  PHRASE.lastIndex = from;
  for (let hit = PHRASE.exec(text); hit !== null; hit = PHRASE.exec(text)) starts.push(hit.index);
  return starts;
}
