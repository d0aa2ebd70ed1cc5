import type { ToolRegistry } from '../registry/registry.ts';
import type { ToolCall } from './call.ts';

/** What separates two alternatives, the weakest first. */
const BETWEEN = [/^, or $/, /^; (?:or )?$/, /^[.?!] (?:Or )?$/];
const SEPARATOR = /(, or |; (?:or )?|(?<=\w\w|[)"'`])[.?!] (?:Or )?(?=[A-Z`"]))/;
/** Tools whose names are words of the language are meant behind one of these words. */
const BEFORE_A_NAME = /\b(?:call|with|from|by)\s+$/i;

/** The tools that a text tells its reader to call. */
export function toolsNamedIn(text: string, registry: Pick<ToolRegistry, 'has'>): readonly string[] {
  return [...text.matchAll(/(?<![\w"/-])\w+/g)]
    .filter(
      ({ 0: word, index }) =>
        registry.has(word) && (word.includes('_') || BEFORE_A_NAME.test(text.slice(0, index))),
    )
    .map(([word]) => word);
}

/**
 * A hint without the ways for which its reader lacks a tool: many clients call only what was listed when they connected, whatever
 * is listed later.
 */
export function fitHint(
  hint: string,
  { tool, session }: Pick<ToolCall, 'tool' | 'session'>,
  registry: Pick<ToolRegistry, 'has'>,
): string {
  const callable = new Set([...session.tools.listed(), tool]);
  const isOpen = (text: string): boolean => toolsNamedIn(text, registry).every((name) => callable.has(name));
  if (isOpen(hint)) return hint;
  let fitted = '';
  let between = '';
  for (const [at, part] of hint.split(SEPARATOR).entries()) {
    if (at % 2 === 1) between = strength(part) >= strength(between) ? part : between;
    else if (isOpen(part)) {
      const isFirst = fitted === '';
      fitted += isFirst ? capitalise(part) : between + (/^[.?!]/.test(between) ? capitalise(part) : part);
      between = '';
    }
  }
  // What is left may say what is the matter, and no longer what to do about it.
  if (toolsNamedIn(fitted, registry).length === 0 && callable.has('find_tools')) {
    const missing = toolsNamedIn(hint, registry).filter((name) => !callable.has(name));
    return `Call find_tools with select ${JSON.stringify([...new Set(missing)])} first. ${hint}`;
  }
  if (fitted === '') return 'Tell the person: this session has no tool for it.';
  return /[.?!]$/.test(fitted) ? fitted : `${fitted}.`;
}

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const strength = (separator: string): number => BETWEEN.findIndex((each) => each.test(separator));
