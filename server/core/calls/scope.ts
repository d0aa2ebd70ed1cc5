import { cut } from '../../../shared/base/cut.ts';
import {
  canonicalJson,
  isJsonList,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../shared/base/json.ts';
import { SOURCES_MAX, type CallScope, type FlowSource } from '../../../shared/core/policy/call-facts.ts';
import { ARGUMENT_UNITS } from '../../../shared/core/policy/names.ts';
import { writeOut } from '../../../shared/core/policy/reveal.ts';
import type { CleanRecord } from '../../libraries/redaction/clean.ts';
import { callerOf } from '../context.ts';
import type { Flows } from '../flows.ts';
import type { People } from '../people.ts';
import type { ToolDefinition } from '../registry/definition.ts';
import type { Redactor } from '../services.ts';
import type { ToolCall } from './call.ts';

export interface ScopeServices {
  readonly redactor: Redactor;
  readonly people: People;
  readonly flows: Flows;
  /** SHA-256 of a text, in hexadecimal. */
  digest(text: string): string;
}

/** The scope of a call whose arguments are known. */
export function scopeOf(
  {
    call,
    definition,
    args,
  }: { readonly call: ToolCall; readonly definition: ToolDefinition; readonly args: JsonObject },
  { redactor, people, flows, digest }: ScopeServices,
): CallScope {
  const text = formatArguments(args);
  const isShown = text !== null && text.length <= ARGUMENT_UNITS;
  const shown = isShown ? argumentsToShow(redactor, args) : null;
  const found = flows.sourcesOf({ ...call, tool: definition.manifest.name, args }, shown);
  const sources = joined(call.sources ?? [], found);
  return {
    caller: callerOf(call),
    call: {
      call_id: call.callId,
      tool: definition.manifest.name,
      title: definition.presentation.title,
      args: shown,
      ...(text === null || isShown ? {} : { largest: largestOf(args) }),
      is_editable: shown !== null && canonicalJson(shown) === text,
      // Arguments without text match no other call: a yes permits only this call.
      args_hash: digest(text ?? call.callId),
      ...(sources.length === 0 ? {} : { sources }),
    },
    // The agent's own client should ask its person.
    ...(people.asksClients && call.askPerson !== undefined ? { asks: 'client' as const } : {}),
    home: people.home,
  };
}

/** Each site once: the first time. */
const joined = (first: readonly FlowSource[], more: readonly FlowSource[]): FlowSource[] =>
  [...first, ...more.filter(({ site }) => !first.some((one) => one.site === site))].slice(0, SOURCES_MAX);

/**
 * The scope of a call that also sends files: they are shown with its arguments, and a yes is for them as they are now.
 * @param texts what is searched for text of sites; default: what is shown
 */
export function withFiles(
  { scope: { call, ...scope }, of }: { readonly scope: CallScope; readonly of: ToolCall },
  files: Readonly<Record<string, string>>,
  { redactor, flows, digest }: ScopeServices,
  texts: readonly string[] = Object.values(files),
): CallScope {
  // The name of a file, which the agent may have chosen, hides nothing of its text.
  const clean = Object.values(files).map((text) => argumentsToShow(redactor, { text })['text'] ?? '');
  const names = Object.keys(argumentsToShow(redactor, files));
  const contents = Object.fromEntries(names.map((name, at) => [name, clean[at]]));
  const args = call.args && { ...call.args, contents };
  const args_hash = digest(canonicalJson({ args: call.args_hash, files }));
  const found = flows.sourcesOf({ ...of, args: { texts } }, args);
  const sources = joined(call.sources ?? [], found);
  return {
    ...scope,
    call: {
      ...call,
      args,
      args_hash,
      is_editable: false,
      ...(sources.length === 0 ? {} : { sources }),
    },
  };
}

const argumentsToShow = (redactor: Redactor, args: JsonObject): CleanRecord =>
  redactor.value(redactor.enabled ? writtenOut(args) : args);

/**
 * Arguments whose invisible characters are written out: the redactor would remove them, and a person decides about what
 * runs. A secret between whose letters they are is therefore not hidden.
 */
const writtenOut = (args: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(args).map(([name, value]) => [writeOut(name), valueOut(value ?? null)]));

function valueOut(value: JsonValue): JsonValue {
  if (typeof value === 'string') return writeOut(value);
  if (isJsonList(value)) return value.map(valueOut);
  return isObject(value) ? writtenOut(value) : value;
}

/** The largest argument and its size. */
function largestOf(args: JsonObject): string {
  const sizes = Object.entries(args).map(([name, value]) => ({ name, units: valueUnits(value) }));
  const { name = '', units = 0 } = sizes.toSorted((one, other) => other.units - one.units)[0] ?? {};
  return `${cut(name, 100)} has ${units} characters`;
}

const valueUnits = (value: JsonValue | undefined): number =>
  typeof value === 'string' ? value.length : JSON.stringify(value ?? null).length;

/** Null for arguments that are nested too deeply to serialise: their tools refuse them. */
function formatArguments(args: JsonObject): string | null {
  try {
    return canonicalJson(args);
  } catch (thrown) {
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}
