import { canonicalJson } from '../../../shared/canonical-json.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { CallScope } from '../../../shared/policy/call-facts.ts';
import type { CleanRecord } from '../../redact/clean.ts';
import { callerOf } from '../caller.ts';
import type { ToolDefinition } from '../registry/definition.ts';
import type { People, Redactor } from '../services.ts';
import type { ToolCall } from './call.ts';

/** Arguments that take more text than this are not shown to a person: nobody would read them. */
const SHOWN_UNITS = 16_384;

interface Scoped {
  readonly call: ToolCall;
  readonly definition: ToolDefinition;
  /** Validated. */
  readonly args: JsonObject;
  readonly services: {
    readonly redactor: Redactor;
    readonly people: Pick<People, 'asksClients' | 'home'>;
    /** SHA-256 of a text, in hexadecimal. */
    digest(text: string): string;
  };
}

/** What a browser gets to know of a call: who makes it, and what a person may be asked about. */
export function scopeOf({ call, definition, args, services }: Scoped): CallScope {
  const { redactor, people, digest } = services;
  const text = textOf(args);
  const shown: CleanRecord | null = text === null || text.length > SHOWN_UNITS ? null : redactor.value(args);
  return {
    caller: callerOf(call),
    call: {
      call_id: call.callId,
      tool: definition.manifest.name,
      title: definition.presentation.title,
      args: shown,
      is_editable: shown !== null && canonicalJson(shown) === text,
      // What has no text is like nothing else: a yes to it is good for this call.
      args_hash: digest(text ?? call.callId),
    },
    // The agent's own client is to ask its person.
    ...(people.asksClients && call.askPerson !== undefined ? { asks: 'client' as const } : {}),
    home: people.home,
  };
}

/** Null for arguments that are nested too deeply to be written: their tools refuse them. */
function textOf(args: JsonObject): string | null {
  try {
    return canonicalJson(args);
  } catch (thrown) {
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}
