import type { StepRisk } from '../../../shared/act/risks.ts';
import type { ErrorCode } from '../../../shared/errors.ts';
import { isObject, type JsonObject } from '../../../shared/json.ts';
import type { ToolCall } from './call.ts';
import type { ToolAudience } from '../registry/definition.ts';
import { cut } from '../../../shared/cut.ts';
import type { ContentBlock, ToolResult } from '../result.ts';
import type { JournalEntry } from '../services.ts';

const JOURNALLED_TEXT = 200;
const AGENT_UNITS = 100;
const ENDED_BY_SOMEONE: ReadonlySet<ErrorCode> = new Set(['cancelled', 'call_denied']);

/** Arguments as the journal takes them: scalars, nothing nested. It redacts and cuts them. */
function summariseArguments(args: unknown): JsonObject {
  if (!isObject(args)) return {};
  const scalars: Record<string, string | number | boolean> = {};
  for (const [key, value] of Object.entries(args).slice(0, 20)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      scalars[cut(key, 64)] = value;
  }
  return scalars;
}

function sizeOf(block: ContentBlock): number {
  if (block.type === 'foreign') return Buffer.byteLength(JSON.stringify(block.block));
  return Buffer.byteLength(block.type === 'text' ? block.text : block.data);
}

/** What says which call it is. */
function nameCall(call: ToolCall, audience: ToolAudience): JournalEntry {
  return {
    event: 'tool_call',
    tool: cut(call.tool, 64),
    call_id: call.callId,
    // A member called `session` would be redacted as a secret.
    client_session: call.session.id,
    agent: cut(call.session.name, AGENT_UNITS),
    ...(call.session.version === undefined ? {} : { agent_version: cut(call.session.version, AGENT_UNITS) }),
    ...(call.step === undefined ? {} : { step: call.step.id }),
    ...(call.recipe === undefined ? {} : { recipe: call.recipe }),
    ...(audience === 'model' ? {} : { audience }),
  };
}

/** What can be said of a call that has begun. */
export function begunEntry(call: ToolCall, audience: ToolAudience): JournalEntry {
  return { ...nameCall(call, audience), args: summariseArguments(call.args) };
}

/** The line of the journal about a call that has ended, or that waits for a person. */
export function journalEntry(
  call: ToolCall,
  result: ToolResult,
  how: {
    readonly durationMs: number;
    /** Whom the tool is for; an unknown name counts as a tool for the model. */
    readonly audience: ToolAudience;
    readonly risks: readonly StepRisk[];
    /** The person who approved it, if approval was needed. */
    readonly approvedBy?: string | undefined;
  },
): JournalEntry & { readonly content_bytes: number } {
  const { durationMs, audience, approvedBy } = how;
  const risks = [...new Set(how.risks.map(({ risk }) => risk))];
  return {
    ...nameCall(call, audience),
    ...(risks.length === 0 ? {} : { risks }),
    ok: result.ok,
    ...(result.pending === undefined ? {} : { pending: true }),
    ...(approvedBy === undefined ? {} : { approved_by: cut(approvedBy, JOURNALLED_TEXT) }),
    ...(result.error === undefined ? {} : { code: result.error.code }),
    // Who cancelled, or refused.
    ...(result.error !== undefined && ENDED_BY_SOMEONE.has(result.error.code)
      ? { message: cut(result.error.message, JOURNALLED_TEXT) }
      : {}),
    ...(result.descriptor === undefined ? {} : { handle: result.descriptor.output_handle }),
    duration_ms: durationMs,
    content_bytes: result.content.reduce((sum, block) => sum + sizeOf(block), 0),
    args: summariseArguments(call.args),
  };
}
