import type { StepRisk } from '../../../shared/act/risks.ts';
import { cut } from '../../../shared/cut.ts';
import type { ErrorCode } from '../../../shared/errors.ts';
import { isJsonList, isObject, type JsonObject } from '../../../shared/json.ts';
import { toolNames } from '../../../shared/tools/names.ts';
import type { ToolManifest } from '../../../shared/tools/manifest.ts';
import type { Feed, Meter } from '../feed.ts';
import { isForModels, type ToolAudience } from '../registry/definition.ts';
import type { ToolRegistry } from '../registry/registry.ts';
import type { ContentBlock, ToolResult } from '../result.ts';
import type { Journal, JournalEntry } from '../services.ts';
import type { ToolCall } from './call.ts';
import { parseUrl } from '../../../shared/private-address.ts';

/** A call that has ended, or that waits for a person. */
export interface EndedCall {
  readonly call: ToolCall;
  readonly result: ToolResult;
  /** False for a call that was refused or left to wait before it took the path. */
  readonly isPerformed: boolean;
  /** A browser asks a person: the answer arrives later. */
  readonly isRaised: boolean;
  readonly durationMs: number;
  readonly risks: readonly StepRisk[];
  /** The person who approved it, if approval was needed. */
  readonly approvedBy?: string | undefined;
  /** The tool's audience; an unknown name counts as a tool for the model. */
  readonly audience: ToolAudience;
  readonly contentBytes: number;
}

/** Called when each call begins and ends. */
export interface CallObserver {
  begun?(call: ToolCall, audience: ToolAudience): void;
  ended(end: EndedCall): void;
}

interface RecordParts {
  readonly registry: ToolRegistry;
  readonly meter: Pick<Meter, 'answered'>;
  /** Called with each call that has taken the path. */
  readonly ended?: (call: ToolCall, result: ToolResult) => void;
}

/** Tells the journal, people at the browsers, the meter and the recipes about calls. */
export class CallRecord {
  readonly #registry: ToolRegistry;
  readonly #observers: readonly CallObserver[];

  constructor(
    { registry, meter, ended }: RecordParts,
    { journal, feed }: { readonly journal: Pick<Journal, 'record'>; readonly feed: Feed },
  ) {
    this.#registry = registry;
    this.#observers = [
      { ended: (end) => journal.record({ ...journalEntry(end), ...this.#aboutOf(end.call, end.result) }) },
      {
        begun: (call, audience) =>
          feed.begun(call, () => ({ ...begunEntry(call, audience), ...this.#aboutOf(call) })),
        ended: ({ call, result, contentBytes }) => feed.ended(call, result, contentBytes),
      },
      { ended: ({ call, result, isPerformed }) => isPerformed && ended?.(call, result) },
      { ended: (end) => meterAnswer(end, { meter, registry }) },
    ];
  }

  begun(call: ToolCall): void {
    for (const each of this.#observers) each.begun?.(call, this.#audienceOf(call));
  }

  /** @throws for blocks of another server that cannot even be examined; nobody is notified then */
  ended({ call, result, ...end }: Pick<EndedCall, 'call' | 'result'> & Partial<EndedCall>): void {
    const contentBytes = result.content.reduce((sum, block) => sum + sizeOf(block), 0);
    const audience = this.#audienceOf(call);
    const unknown = { isPerformed: false, isRaised: false, durationMs: 0, risks: [] };
    for (const each of this.#observers)
      each.ended({ ...unknown, ...end, call, result, audience, contentBytes });
  }

  /** For people: steps, site, and the title of a foreign tool. */
  #aboutOf({ tool, args }: ToolCall, result?: ToolResult): JsonObject {
    const manifest = this.#registry.find(tool)?.manifest;
    const { did, url, status } = result?.state ?? {};
    const done = isJsonList(did) ? did.flatMap((one) => (isObject(one) ? [one['step'] ?? ''] : [])) : null;
    const steps = done ?? plannedSteps(manifest?.stepsOf, args);
    const site = typeof url === 'string' ? (parseUrl(url)?.host ?? '') : '';
    return {
      ...(steps.length === 0 ? {} : { did: [...steps] }),
      ...(site === '' ? {} : { site: cut(site, SITE_UNITS) }),
      ...(typeof status === 'number' ? { status } : {}),
      ...(manifest === undefined || toolNames(tool) !== null
        ? {}
        : { title: cut(manifest.title, TITLE_UNITS) }),
    };
  }

  #audienceOf({ tool }: ToolCall): ToolAudience {
    return this.#registry.find(tool)?.row.audience ?? 'model';
  }
}

/** Unknown tool names share one line of the meter. */
const UNKNOWN = '(unknown)';

/** Counts an answer. Skips calls of widgets and steps of recipes: models do not read those. */
function meterAnswer(
  { call, result, isPerformed, isRaised }: EndedCall,
  { meter, registry }: Pick<RecordParts, 'meter' | 'registry'>,
): void {
  const definition = registry.find(call.tool);
  if (!isPerformed || isRaised || call.recipe !== undefined) return;
  if (definition !== undefined && !isForModels(definition)) return;
  const isKnown = definition !== undefined || call.own !== undefined;
  meter.answered({ ...call, tool: isKnown ? call.tool : UNKNOWN }, result);
}

const SITE_UNITS = 300;
const TITLE_UNITS = 100;

function plannedSteps(stepsOf: ToolManifest['stepsOf'], args: unknown): readonly string[] {
  try {
    return isObject(args) ? (stepsOf?.(args) ?? []) : [];
  } catch {
    // The caller's own getter threw.
    return [];
  }
}

const JOURNALLED_TEXT = 200;
const AGENT_UNITS = 100;
const ENDED_BY_SOMEONE: ReadonlySet<ErrorCode> = new Set(['cancelled', 'call_denied']);

/** Arguments for the journal: only scalars, nothing nested or unreadable. */
function summariseArguments(args: unknown): JsonObject {
  const scalars: Record<string, string | number | boolean> = {};
  try {
    for (const [key, value] of Object.entries(isObject(args) ? args : {}).slice(0, 20)) {
      if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
        scalars[cut(key, 64)] = value;
    }
  } catch {
    // The caller's own getter threw.
  }
  return scalars;
}

function sizeOf(block: ContentBlock): number {
  if (block.type === 'foreign') return Buffer.byteLength(JSON.stringify(block.block));
  return Buffer.byteLength(block.type === 'text' ? block.text : block.data);
}

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
    ...(audience === 'widget' ? { audience } : {}),
  };
}

const begunEntry = (call: ToolCall, audience: ToolAudience): JournalEntry => ({
  ...nameCall(call, audience),
  args: summariseArguments(call.args),
});

/** The journal's line about a call that has ended, or that waits for a person. */
function journalEntry({ call, result, audience, ...end }: EndedCall): JournalEntry {
  const { durationMs, contentBytes, approvedBy } = end;
  const risks = [...new Set(end.risks.map(({ risk }) => risk))];
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
    content_bytes: contentBytes,
    args: summariseArguments(call.args),
  };
}
