import { isJsonList, isObject, type JsonObject } from '../../../shared/json.ts';
import type { ToolRegistry } from '../registry/registry.ts';
import type { ToolCall } from './call.ts';

type Names = Pick<ToolRegistry, 'has'>;

/** The call, or other request of a session, that the text belongs to. */
type Reader = Pick<ToolCall, 'session'> & Partial<Pick<ToolCall, 'tool'>>;

const BETWEEN = [/^, or $/, /^; (?:or )?$/, /^[.?!] (?:Or )?$/];
const SEPARATOR = /(, or |; (?:or )?|(?<=\w\w|[)"'`])[.?!] (?:Or )?(?=[A-Z`"]))/;
/** Tools whose names are ordinary words count only after one of these words. */
const BEFORE_A_NAME = /\b(?:call|with|from|by)\s+$/i;
/** An argument may have the name of a tool. */
const BEFORE_AN_ARGUMENT = /\bpass\s+$/i;

/** Next steps that need no tool. */
const ENOUGH = /\bsame call again\b|\b(?:ask|tell) the person\b/i;

/** The tools that a text tells its reader to call. */
export function toolsNamedIn(text: string, registry: Names): readonly string[] {
  return [...text.matchAll(/(?<![\w"/.?&=-])\w+/g)]
    .filter(({ 0: word, index }) => {
      const before = text.slice(0, index);
      return (
        registry.has(word) &&
        (word.includes('_') || BEFORE_A_NAME.test(before)) &&
        !BEFORE_AN_ARGUMENT.test(before)
      );
    })
    .map(([word]) => word);
}

/**
 * A hint or note without the clauses that name a tool that its reader lacks: many clients call only the tools
 * listed when they connected. Empty if no clause is left and no listed tool leads to the others.
 */
export function fitNames(text: string, { tool, session }: Reader, registry: Names): string {
  const callable = new Set([...session.tools.known(), ...(tool === undefined ? [] : [tool])]);
  const isOpen = (part: string): boolean => toolsNamedIn(part, registry).every((name) => callable.has(name));
  if (isOpen(text)) return text;
  let fitted = '';
  let between = '';
  for (const [at, part] of text.split(SEPARATOR).entries()) {
    if (at % 2 === 1) between = strength(part) >= strength(between) ? part : between;
    else if (isOpen(part)) {
      const isFirst = fitted === '';
      fitted += isFirst ? capitalise(part) : between + (/^[.?!]/.test(between) ? capitalise(part) : part);
      between = '';
    }
  }
  // The rest may state the problem without the next step.
  const isEnough = ENOUGH.test(fitted) || toolsNamedIn(fitted, registry).length > 0;
  if (!isEnough && callable.has('find_tools')) {
    const missing = [...new Set(toolsNamedIn(text, registry).filter((name) => !callable.has(name)))];
    const inScript = callable.has('script')
      ? `, or in script call ${missing.map((name) => `tools.${name}`).join(' or ')}`
      : '';
    return `Call find_tools with select ${JSON.stringify(missing)} first${inScript}. ${text}`;
  }
  return fitted === '' || /[.?!]$/.test(fitted) ? fitted : `${fitted}.`;
}

interface Fitting {
  readonly registry: Names;
  /** Commands in this installation's form. */
  readonly ownCommands: (text: string) => string;
}

const NO_TOOL = 'Tell the person: this session has no tool for it.';

/** A hint never ends up empty: an error without a next step leaves a model guessing. */
export const fitHint = (hint: string, reader: Reader, { registry, ownCommands }: Fitting): string =>
  ownCommands(fitNames(hint, reader, registry) || NO_TOOL);

/** Any session may ask about a failed run, or list several: the hints fit each session. */
export function fitRuns(about: JsonObject, fit: (hint: string) => string): JsonObject {
  const { error, runs } = about;
  return {
    ...about,
    ...(isObject(error) && typeof error['hint'] === 'string'
      ? { error: { ...error, hint: fit(error['hint']) } }
      : {}),
    ...(isJsonList(runs) ? { runs: runs.map((run) => (isObject(run) ? fitRuns(run, fit) : run)) } : {}),
  };
}

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const strength = (separator: string): number => BETWEEN.findIndex((each) => each.test(separator));
