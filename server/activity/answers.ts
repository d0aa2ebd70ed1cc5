import { withOwnCommands } from '../core/machine/command-line.ts';
import {
  type ANSWER_METHODS,
  type CallAnswer,
  type HealthHop,
  type ShownPage,
  LedgerLine,
} from '../../shared/core/bridge/answers.ts';
import type { ServerMethods } from '../../shared/core/bridge/server-methods.ts';
import { SpillwayError, toSpillwayError } from '../../shared/base/errors.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import type { LedgerPages } from '../ledger/face.ts';
import type { FetchedPage, OutputSearch } from '../core/output/index.ts';
import type { OutputPager } from '../core/output/pager.ts';
import type { OutputStore } from '../core/output/store.ts';
import type { Runs } from '../core/runs.ts';
import type { Bridge, BrowserState } from '../core/services.ts';
import { VERSION } from '../../shared/base/version.ts';
import { isObject } from '../../shared/base/json.ts';
import { jsonOrText } from '../../shared/base/json-schema.ts';
import type { ContentBlock } from '../core/result.ts';
import type { MethodParts } from './methods.ts';
import { cleanBy, type MakeClean, type LastAnswers, type KeptAnswer } from './ring.ts';

/** Room for the rest of the frame around an answer. */
const ENVELOPE_BYTES = 8 * 1024;
const TOO_LARGE = 'This answer is too large to be shown here.';
/** The mark before page text, which `--content-boundaries` puts in its own block. */
const OPEN = /^«untrusted ([0-9a-f]{32})»/;

type AnswerContent = Pick<CallAnswer, 'value' | 'picture'>;
type Defined<T> = Exclude<T, undefined>;

/** The blocks of the payload, and those about it. */
function splitPayload(content: readonly ContentBlock[]): {
  readonly payload: ContentBlock | undefined;
  readonly notes: readonly ContentBlock[];
} {
  const [first, second, third, ...rest] = content;
  const nonce = first?.type === 'text' ? OPEN.exec(first.text)?.[1] : undefined;
  if (nonce !== undefined && third?.type === 'text' && third.text === `«/untrusted ${nonce}»`)
    return { payload: second, notes: rest };
  return { payload: first, notes: content.slice(1) };
}

function payloadOf(block: ContentBlock | undefined, kind: KeptAnswer['kind']): AnswerContent {
  if (block?.type === 'image') return { picture: { mime_type: block.mimeType, base64: block.data } };
  if (block?.type !== 'text') return { picture: null };
  const isJson = kind === 'json' || kind === 'items';
  return { picture: null, value: isJson ? jsonOrText(block.text) : block.text };
}

/** Another server's object or texts, and its first picture. */
function foreignOf({ content, structured }: KeptAnswer): AnswerContent {
  const blocks = content.flatMap((block) => (block.type === 'foreign' ? [block.block] : []));
  const texts = blocks.flatMap(({ type, text }) =>
    type === 'text' && typeof text === 'string' ? [text] : [],
  );
  const image = blocks.find(({ type }) => type === 'image');
  const { data, mimeType } = image ?? {};
  const isPicture = typeof data === 'string' && typeof mimeType === 'string';
  return {
    picture: isPicture ? { mime_type: mimeType, base64: data } : null,
    value: structured ?? (texts.length > 0 ? texts.join('\n\n') : undefined),
  };
}

const listLines = (blocks: readonly ContentBlock[]): string[] =>
  blocks
    .flatMap((block) => (block.type === 'text' ? block.text.split('\n') : []))
    .filter((line) => line !== '');

function answerToShow(answer: KeptAnswer): AnswerContent & Pick<CallAnswer, 'notes'> {
  if (answer.content[0].type === 'foreign') return { ...foreignOf(answer), notes: [] };
  const { payload, notes } = splitPayload(answer.content);
  const isPayload = answer.ok && answer.descriptor === undefined;
  // The descriptor, or the error, has its own members and replaces the payload.
  const shown =
    answer.structured === undefined
      ? payloadOf(payload, answer.kind)
      : { picture: null, value: answer.structured };
  return { ...(isPayload ? shown : { picture: null }), notes: listLines(notes) };
}

/** An answer for people at the browsers; another server's is not yet redacted. */
export function describeAnswer(answer: KeptAnswer): CallAnswer {
  const { ok, state, error, descriptor } = answer;
  return {
    ok,
    ...answerToShow(answer),
    state,
    error: error === undefined ? null : errorOf(error),
    stored: descriptor === undefined ? null : factsOfStored(descriptor),
  };
}

const errorOf = ({ code, message, hint, body }: Defined<KeptAnswer['error']>): CallAnswer['error'] => ({
  ...{ code, message, hint },
  ...(isObject(body) ? { body } : {}),
});

const factsOfStored = ({ output_handle: handle, ...facts }: Defined<KeptAnswer['descriptor']>) => {
  const { mime_type, size_bytes, item_count, preview } = facts;
  return { handle, mime_type, size_bytes, item_count, preview };
};

export function fitAnswer(answer: CallAnswer): CallAnswer {
  if (fits(answer)) return answer;
  const without = { ...answer, value: undefined, picture: null, notes: [TOO_LARGE, ...answer.notes] };
  if (fits(without)) return without;
  return {
    ...without,
    state: {},
    error: answer.error && { ...answer.error, body: undefined },
    notes: [TOO_LARGE],
  };
}

const fits = (answer: CallAnswer): boolean =>
  Buffer.byteLength(JSON.stringify(answer)) <= LIMITS.bridgeFrameBytes - ENVELOPE_BYTES;

/** A browser that has not answered by then has failed. */
const ECHO_MS = 3_000;

/** Links that only `spillway doctor` tests, and why. */
const LEFT: readonly (readonly [id: string, why: string])[] = [
  ['build', 'The files of the build'],
  ['browser', 'Which browsers are installed'],
  ['extension_id', 'The id of the extension'],
  ['host_manifest', 'The manifest of the native host'],
  ['page_read', 'Reading a page, which opens a tab,'],
];

const hop = (id: string, detail: string, facts: Partial<HealthHop> = {}): HealthHop => ({
  id,
  status: 'ok',
  code: null,
  fix: null,
  detail: withOwnCommands(detail),
  ...facts,
});

/**
 * The links between this server and a page, by the ids of `spillway doctor`: the state of its connections,
 * and one round trip to each worker. Anything that would start a program or open a tab is left to `doctor`.
 */
async function readHealth(bridge: Bridge, signal: AbortSignal): Promise<readonly HealthHop[]> {
  const browsers = bridge.browsers().filter(({ connected }) => connected);
  const names = browsers.map(({ facts: { name, version } }) => `${name} ${version}`).join(', ');
  return [
    hop('node', `Node ${process.version}, pid ${process.pid}`),
    ...(browsers.length === 0 ? [notConnected()] : [hop('handshake', `Connected to ${names}`)]),
    ...browsers.map(versionsOf),
    ...(await Promise.all(browsers.map((browser) => workerOf(bridge, browser, signal)))),
    ...LEFT.map(([id, why]) =>
      hop(id, `${why} is tested by \`spillway doctor\` alone.`, { status: 'not_tested' }),
    ),
  ];
}

const notConnected = (): HealthHop =>
  hop('handshake', 'No browser is connected.', {
    status: 'failed',
    code: 'browser_not_connected',
    fix: withOwnCommands('Run `spillway doctor` to see which link is broken.'),
  });

function versionsOf({ facts, hostVersion, extensionVersion, wire, reconnects }: BrowserState): HealthHop {
  const detail = `${facts.name}: server ${VERSION}, host ${hostVersion}, extension ${extensionVersion}, wire ${wire}, reconnects ${reconnects}`;
  if (hostVersion === VERSION && extensionVersion === VERSION) return hop('versions', detail);
  return hop('versions', `${detail}. The builds differ: run \`spillway install\`, and reload the extension.`);
}

async function workerOf(
  bridge: Bridge,
  { id, facts }: BrowserState,
  signal: AbortSignal,
): Promise<HealthHop> {
  const startedAt = performance.now();
  try {
    const options = { call: null, signal, idleTimeoutMs: ECHO_MS };
    await bridge.request(id, 'bridge.echo', { value: 'health' }, options);
    return hop('worker', `${facts.name} echoes in ${(performance.now() - startedAt).toFixed(1)} ms`);
  } catch (thrown) {
    signal.throwIfAborted();
    const { code, message, hint } = toSpillwayError(thrown);
    return hop('worker', `${facts.name}: ${message}`, { status: 'failed', code, fix: hint });
  }
}

interface AnswerParts extends Pick<MethodParts, 'bridge' | 'changed' | 'redactor'> {
  readonly answers: Pick<LastAnswers, 'of'>;
  /** Its pages have to fit in a frame of the bridge, however large the pages for agents are. */
  readonly pages: Pick<OutputPager, 'fetch'>;
  readonly search: OutputSearch;
  readonly store: Pick<OutputStore, 'delete' | 'keep' | 'release'>;
  readonly runs: Pick<Runs, 'page'>;
  readonly ledger: LedgerPages;
}

/** Bytes of items in one answer: the rest of its frame is for the fields around them. */
const ITEMS_BYTES = LIMITS.bridgeFrameBytes / 2;

/** Answers, outputs, items, the ledger, and the state of the connections. */
export function createAnswerMethods(parts: AnswerParts): Pick<ServerMethods, keyof typeof ANSWER_METHODS> {
  const { answers, pages, search, store, runs, ledger, bridge, changed, redactor } = parts;
  const clean = cleanBy(redactor);
  return {
    'call.result': async ({ call_id: callId }) => {
      const kept = answers.of(callId);
      return { answer: kept === null ? null : clean(fitAnswer(describeAnswer(kept))) };
    },
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
    'health.read': async (_params, signal) => clean({ hops: [...(await readHealth(bridge, signal))] }),
  };
}

function pageOf({ page, stored }: FetchedPage, clean: MakeClean): ShownPage {
  const { offset, total, next_offset, content } = page;
  const common = { offset, total, next_offset, mime_type: stored.mimeType };
  if (typeof content !== 'string') return { ...common, unit: 'items', items: clean({ content }).content };
  const isText = stored.kind !== 'bytes';
  return { ...common, unit: 'bytes', ...(isText ? clean({ text: content }) : { base64: content }) };
}

/** If a server's pages are large, fewer items are requested until one fits. */
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
