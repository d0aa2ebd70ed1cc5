import type { ANSWER_METHODS, CallAnswer, HealthHop, ShownPage } from '../../shared/bridge/answers.ts';
import { LedgerLine } from '../../shared/bridge/answers.ts';
import type { ServerMethods } from '../../shared/bridge/server-methods.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { LedgerPages } from '../core/ledger.ts';
import type { FetchedPage, OutputKeeping, OutputPager, OutputSearch } from '../core/output.ts';
import type { Runs } from '../core/runs.ts';
import type { Bridge, Redactor } from '../core/services.ts';
import type { Clean } from '../redact/clean.ts';
import { cleanBy, type MakeClean } from './clean.ts';
import { describeAnswer, fitting } from './call-answer.ts';
import { readHealth } from './health.ts';
import type { LastAnswers } from './last-answers.ts';

interface AnswerParts {
  readonly answers: Pick<LastAnswers, 'of'>;
  /** Its pages have to fit in a frame of the bridge, whatever the size of those that agents read. */
  readonly pages: Pick<OutputPager, 'fetch'>;
  readonly search: OutputSearch;
  readonly store: { delete(handle: string): Promise<void> } & OutputKeeping;
  readonly runs: Pick<Runs, 'page'>;
  readonly ledger: LedgerPages;
  readonly bridge: Bridge;
  /** Writes to the ledger that a person has deleted, kept or released an output. It never rejects. */
  readonly changed: (facts: {
    readonly kind: 'output_deleted' | 'output_kept' | 'output_released';
    readonly subject: string;
  }) => Promise<void>;
  readonly redactor: Redactor;
}

type AnswerMethods = Pick<ServerMethods, keyof typeof ANSWER_METHODS>;

/** Bytes of items that one answer holds: the rest of its frame is for what is around them. */
const ITEMS_BYTES = LIMITS.bridgeFrameBytes / 2;

/** What people at the browsers open: answers, outputs, items, the ledger, and how the connections are. */
export function createAnswerMethods(parts: AnswerParts): AnswerMethods {
  const { answers, pages, search, store, runs, ledger, bridge, changed, redactor } = parts;
  const clean = cleanBy(redactor);
  const answerOf = (callId: string): Clean<{ answer: CallAnswer | null }> => {
    const kept = answers.of(callId);
    return { answer: kept === null ? null : clean(fitting(describeAnswer(kept))) };
  };
  const healthOf = async (signal: AbortSignal): Promise<Clean<{ hops: HealthHop[] }>> =>
    clean({ hops: [...(await readHealth(bridge, signal))] });
  return {
    'call.result': async ({ call_id: callId }) => answerOf(callId),
    'outputs.page': async ({ handle, offset, limit, format = 'auto' }, signal) => {
      const request = { output_handle: handle, offset, limit, format, encoding: 'auto' } as const;
      return pageOf(await pages.fetch(request, signal), clean);
    },
    'outputs.search': async (request, signal) => {
      const { matches, ...found } = await search(request, signal);
      return { ...found, matches: matches.map((match) => clean({ ...match })) };
    },
    'outputs.delete': async ({ handle }) => {
      await store.delete(handle);
      await changed({ kind: 'output_deleted', subject: handle });
      return {};
    },
    'outputs.keep': async ({ handle, keep }) => {
      await (keep ? store.keep(handle, undefined, 'person') : store.release(handle, 'person'));
      await changed({ kind: keep ? 'output_kept' : 'output_released', subject: handle });
      return {};
    },
    'runs.items': async ({ run_id: runId, offset, limit }) => itemsOf(runs, { runId, offset, limit }, clean),
    'ledger.page': async (query, signal) => {
      const { lines, ...page } = await ledger(query, signal);
      return { ...page, lines: lines.map((line) => LedgerLine.parse(clean(line))) };
    },
    'health.read': (_params, signal) => healthOf(signal),
  };
}

function pageOf({ page, stored }: FetchedPage, clean: MakeClean): ShownPage {
  const { offset, total, next_offset, content, oversized } = page;
  const common = { offset, total, next_offset, mime_type: stored.mimeType };
  if (typeof content !== 'string')
    return {
      ...common,
      unit: 'items',
      items: clean({ content }).content,
      ...(oversized === undefined ? {} : { oversized }),
    };
  const isText = stored.kind !== 'bytes';
  return { ...common, unit: 'bytes', ...(isText ? clean({ text: content }) : { base64: content }) };
}

/** A page of a server with large pages is asked for with fewer items until it fits. */
async function itemsOf(
  runs: Pick<Runs, 'page'>,
  { runId, offset, limit }: { readonly runId: string; readonly offset: number; readonly limit: number },
  clean: MakeClean,
) {
  for (let count = limit; count >= 1; count = Math.floor(count / 2)) {
    const { content, total, next_offset: next } = await runs.page({ runId, offset, limit: count });
    if (Buffer.byteLength(JSON.stringify(content)) <= ITEMS_BYTES)
      return { ...clean({ items: content }), total, next_offset: next };
  }
  throw new SpillwayError('frame_too_large', `Item ${offset} of ${runId} is too large to be shown here.`, {
    hint: 'Open the output of the run once it has ended.',
  });
}
