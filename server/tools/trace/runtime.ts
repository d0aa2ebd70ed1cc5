import { z } from 'zod';
import { cutUrl, textsOf } from '../../../shared/cut.ts';
import { each } from '../../../shared/async/queue.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { isObject, type JsonObject } from '../../../shared/json.ts';
import { Json, parseAs } from '../../../shared/json-schema.ts';
import { MIME } from '../../../shared/mime.ts';
import type { manifest, Traced } from '../../../shared/tools/trace/manifest.ts';
import { callerOf, type CallContext } from '../../core/context.ts';
import type { ToolRuntimes } from '../../core/registry/definition.ts';
import type { Sealer } from '../../core/runs.ts';
import type { Bridge, BridgeStream, Redactor } from '../../core/services.ts';
import { formatTabId, onTab, requireTab } from '../../core/targets.ts';
import { cleanBytes, cleanJsonText, type CleanBytes, type CleanText } from '../../redact/clean.ts';
import { nodesOf, ownEvents, withNames } from './events.ts';
import { analyseInThread } from './thread.ts';

interface Services {
  readonly bridge: Bridge;
  readonly redactor: Redactor;
  readonly sealer: Pick<Sealer, 'seal'>;
}

interface Source extends Services {
  namesOf(ids: readonly number[]): Promise<Readonly<Record<string, string>>>;
}

const URL_UNITS = 120;
/** Longer than the browser needs to convert a large trace. */
const SILENCE_MS = 45_000;

/** `trace`: the figures of each recording, and the recording itself in the store. */
export const createRuntimes = (services: Services): ToolRuntimes => ({
  trace: async ({ tab, action, cache, ms }: z.output<typeof manifest.input>, context) => {
    const { bridge } = services;
    const target = await requireTab(bridge, { tab }, context);
    const { browser, tabId: tab_id } = target;
    const name = formatTabId(target);
    const caller = callerOf(context);
    const options = { call: context.call, signal: context.signal, idleTimeoutMs: ms + SILENCE_MS };
    const source: Source = {
      ...services,
      namesOf: async (ids) => {
        if (ids.length === 0) return {};
        const named = bridge.request(browser, 'trace.nodes', { tab_id, ids: [...ids] }, options);
        // They only help to read the trace.
        return named.then(
          ({ names }) => names,
          () => ({}),
        );
      },
    };
    const load = async (is_cold: boolean): Promise<Traced> =>
      keep(bridge.stream(browser, 'trace.load', { tab_id, caller, is_cold, ms }, options), source, context);
    return onTab(target, context, async () => {
      if (action === 'start') {
        await bridge.request(browser, 'trace.start', { tab_id, caller }, options);
        return produce({ tab: name });
      }
      if (action === 'stop') {
        const stream = bridge.stream(browser, 'trace.stop', { tab_id, caller }, options);
        const acts = await keep(stream, source, context);
        return produce({ tab: name, acts }, acts.url);
      }
      if (cache !== 'both') {
        const loaded = await load(cache === 'cold');
        return produce({ tab: name, [cache]: loaded }, loaded.url);
      }
      const cold = await load(true);
      const warm = await load(false);
      const { url, lcp = '', trace, notes = [] } = warm;
      // Its causes are those of the cold load.
      return produce(
        { tab: name, compared: compare(cold, warm), cold, warm: { url, lcp, trace, notes } },
        url,
      );
    });
  },
});

const produce = (value: JsonObject & { readonly tab: string }, source?: string) => ({
  payload: { kind: 'json' as const, mimeType: MIME.json, value },
  done: Promise.resolve({ state: { tab: value.tab }, coverage: [] }),
  ...(source !== undefined && { untrustedFrom: () => source }),
});

type Vital = 'lcp' | 'fcp_ms' | 'cls' | 'tbt';

/** Each vital as `cold → warm`. */
function compare(cold: Traced, warm: Traced): JsonObject {
  const valueOf = (figure: Traced[Vital]): number | string => {
    if (typeof figure !== 'object') return typeof figure === 'number' ? figure : '-';
    return 'ms' in figure ? figure.ms : figure.score;
  };
  const row = (name: Vital): string => `${valueOf(cold[name])} → ${valueOf(warm[name])}`;
  return { lcp: row('lcp'), fcp: row('fcp_ms'), cls: row('cls'), tbt: row('tbt') };
}

/** Stores a recording, redacted, and analyses what it stored. */
async function keep(
  stream: BridgeStream<'trace.load'> | BridgeStream<'trace.stop'>,
  { redactor, sealer, namesOf }: Source,
  { redact, signal, session }: CallContext,
): Promise<Traced> {
  const chunks: string[] = [];
  for await (const chunk of stream.chunks) chunks.push(chunk);
  const recorded = await stream.done;
  const { url, own, is_late: isLate, is_lossy: isLossy } = recorded;
  const events = ownEvents(eventsIn(chunks.join('')), recorded);
  const named = withNames(events, await namesOf(nodesOf(events, recorded)), recorded);
  const { payload, report } = redactor.payload({ kind: 'items', mimeType: MIME.json, items: each(named) });
  if (payload.kind !== 'items') throw new SpillwayError('internal_error', 'Redaction changed the trace.');
  const { items } = payload;
  const kept: CleanText[] = [];
  const lines = async function* (): AsyncGenerator<CleanBytes> {
    for await (const item of items) {
      const text = cleanJsonText(item);
      kept.push(text);
      yield cleanBytes(text);
    }
  };
  const descriptor = await sealer.seal({ tool: 'trace', untrustedFrom: redact(url) }, lines());
  session.outputs.add({ descriptor, tool: 'trace' });
  const answer = await analyseInThread({ events: `[${kept.join(',')}]`, own }, signal);
  const counts = Object.entries(report().secrets).flatMap(([kind, count]) =>
    count > 0 ? [`${count} ${kind}`] : [],
  );
  const notes = textsOf(
    isLate && 'The page was still busy when the time was over: pass a larger ms.',
    isLossy && 'The browser lost events: record for a shorter time.',
    'failed' in answer && `The trace could not be analysed: ${answer.failed}.`,
    counts.length > 0 && `Redacted in the trace: ${counts.join(', ')}.`,
  );
  return {
    url: cutUrl(url, URL_UNITS),
    ...('figures' in answer && answer.figures),
    trace: descriptor.output_handle,
    ...(notes.length > 0 && { notes }),
  };
}

/** @throws SpillwayError `stream_corrupt` */
function eventsIn(trace: string): readonly JsonObject[] {
  const { data } = Trace.safeParse(parseAs(Json, trace));
  if (data === undefined) throw new SpillwayError('stream_corrupt', 'The trace is not JSON.');
  return data.traceEvents;
}

const Trace = z.object({ traceEvents: z.array(z.custom<JsonObject>(isObject)) });
