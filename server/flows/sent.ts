import { parseStep } from '../../shared/act/parse-step.ts';
import { isObject, type JsonObject } from '../../shared/json.ts';
import { valuesIn } from '../core/slices.ts';
import { partsOfAddress } from './decoded.ts';

/** A text that a call sends. */
export interface SentText {
  /** The searched texts: of an address, only those that its site gets. */
  readonly parts: readonly string[];
  /** The whole of an address; null for another text. */
  readonly address: string | null;
}

/** Arguments that say where and how to act: no site gets them. */
const NOT_SENT: ReadonlySet<string> = new Set(
  (
    'tab browser action target to selector ref wait_for wait_until timeout_ms show output_mode output_handle run run_id ' +
    'resume format area scope save_as include exclude do as'
  ).split(' '),
);

const SHORT = 3;

/** The texts in the arguments of a call that a site could get. */
export function sentIn(tool: string, args: JsonObject): readonly SentText[] {
  const found: string[] = [];
  const walk = (value: unknown, isStep: boolean): void => {
    if (typeof value === 'string') found.push(isStep ? valueOf(value) : value);
    else if (typeof value === 'number') found.push(String(value));
    else if (Array.isArray(value)) for (const one of value) walk(one, isStep);
    else if (isObject(value)) walkMembers(value, isStep);
  };
  const walkMembers = (members: object, isStep: boolean, isTop = false): void => {
    for (const [name, value] of Object.entries(members)) {
      if ((isTop || isStep) && NOT_SENT.has(name)) continue;
      if (!isTop && !isStep && name !== '') found.push(name);
      const isOfInteract = tool === 'interact' && isTop;
      if (isOfInteract && name === 'fields' && isObject(value))
        Object.values(value).forEach((one) => walk(one, false));
      else walk(value, isOfInteract && name === 'steps');
    }
  };
  walkMembers(tool === 'storage' ? withoutDomain(args) : args, false, true);
  return found
    .filter(({ length }) => length > 0)
    .map((text) => {
      const parts = text.length > SHORT ? partsOfAddress(text) : null;
      return parts === null ? { parts: [text], address: null } : { parts, address: text.trim() };
    });
}

/** A cookie's domain is part of the page's host, or refused. */
function withoutDomain({ cookie, ...args }: JsonObject): JsonObject {
  if (!isObject(cookie)) return args;
  const { domain: _domain, ...sent } = cookie;
  return { ...args, cookie: sent };
}

/** The text of a step that a page gets. */
function valueOf(step: string): string {
  try {
    const { value = '' } = parseStep(step);
    return Array.isArray(value) ? value.join(' ') : String(value);
  } catch {
    return step;
  }
}

/** The texts and numbers in a value. */
export function leavesOf(value: unknown): readonly string[] {
  const found: string[] = [];
  for (const one of valuesIn(value))
    if (typeof one === 'string' || typeof one === 'number') found.push(String(one));
  return found.reverse();
}
