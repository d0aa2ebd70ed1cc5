import browser from 'webextension-polyfill';
import { z } from 'zod';
import { isObject, type JsonObject, type JsonValue } from '../../../shared/base/json.ts';
import type { NetworkEvent } from '../../platform/chromium/network-events.ts';
import type { Taps } from '../../platform/chromium/network-tap.ts';
import { base64Bytes } from '../../core/ports/base64.ts';
import { Json } from '../../../shared/base/json-schema.ts';
import { Bodies, type BodyBudget } from './bodies.ts';
import { WAYPOINT } from '../../../shared/core/waypoint.ts';

import { OtherLoads } from './other-loads.ts';
import type { CaptureFeed, FeedParts } from './web-request-feed.ts';

/** Longest address that is forwarded: a `data:` address contains the whole resource. */
const URL_UNITS = 2_048;
/** Frames kept per stack, and async parent stacks. */
const STACK_FRAMES = 16;
const STACK_PARENTS = 2;
const ASCII = /^[\x20-\x7e\s]*$/;

/** Superfluous members of events: duplicates of other events, and bulk. */
const SUPERFLUOUS: readonly string[] = [
  'associatedCookies',
  'clientSecurityState',
  'siteHasCookieInOtherPartition',
  'headersText',
  'blockedCookies',
  'exemptedCookies',
  'cookiePartitionKey',
];

type Params = Record<string, JsonValue>;

const without = (record: JsonObject, names: readonly string[]): Params =>
  Object.fromEntries(
    Object.entries(record).filter(
      (member): member is [string, JsonValue] => member[1] !== undefined && !names.includes(member[0]),
    ),
  );

/** The params of an event as forwarded, or null if it is not. Lines of bodies have the sizes of data. */
export function trimEvent({ kind, params }: Pick<NetworkEvent, 'kind' | 'params'>): Params | null {
  if (kind === 'data' || kind === 'other') return null;
  const parsed = Json.parse(params);
  if (!isObject(parsed)) return null;
  const kept = without(parsed, SUPERFLUOUS);
  if (isObject(kept['request']) && kept['request']['urlFragment'] === WAYPOINT) return null;
  for (const name of ['response', 'redirectResponse'])
    if (isObject(kept[name])) kept[name] = trimResponse(kept[name]);
  if (isObject(kept['request'])) kept['request'] = trimRequest(kept['request']);
  if (isObject(kept['initiator'])) kept['initiator'] = trimInitiator(kept['initiator']);
  for (const name of ['documentURL', 'url']) trimUrl(kept, name);
  return kept;
}

/** Cuts `record[name]` to its type if it is a long `data:` address: cutting elsewhere could halve a secret. */
function trimUrl(record: Params, name: string): void {
  const url = record[name];
  if (typeof url === 'string' && url.length > URL_UNITS && url.startsWith('data:'))
    record[name] = `${/^data:[^,]{0,200},/.exec(url)?.[0] ?? 'data:,'}…`;
}

function trimResponse(response: JsonObject): Params {
  const kept = without(response, ['headersText', 'requestHeadersText']);
  trimUrl(kept, 'url');
  const { securityDetails } = kept;
  if (isObject(securityDetails))
    kept['securityDetails'] = without(securityDetails, ['sanList', 'signedCertificateTimestampList']);
  return kept;
}

/** `postData` has one character per byte if not ASCII: only then are the raw entries needed. */
function trimRequest(request: JsonObject): Params {
  const { postData } = request;
  const isAscii = typeof postData === 'string' && ASCII.test(postData);
  const kept = without(request, isAscii ? ['postDataEntries'] : []);
  trimUrl(kept, 'url');
  return kept;
}

const Stack = z.object({ callFrames: z.array(Json), parent: Json.optional() }).catchall(Json);

function trimInitiator(initiator: JsonObject): Params {
  const kept = without(initiator, ['stack']);
  trimUrl(kept, 'url');
  const stack = trimStack(initiator['stack'], STACK_PARENTS);
  return stack === null ? kept : { ...kept, stack };
}

function trimStack(value: JsonValue | undefined, parents: number): Params | null {
  const stack = Stack.safeParse(value);
  if (!stack.success) return null;
  const { callFrames, parent } = stack.data;
  const kept = {
    ...without(stack.data, ['parent']),
    callFrames: callFrames.slice(0, STACK_FRAMES),
  };
  const scheduler = parents > 0 ? trimStack(parent, parents - 1) : null;
  return scheduler === null ? kept : { ...kept, parent: scheduler };
}

const TEXT_FRAME = 1;

/**
 * Removes an event's content if the capture does not keep it: a WebSocket's message, an event of an EventSource, a
 * request's body. `not_kept` then has the reason and the size.
 */
function keepContent({ kind }: NetworkEvent, params: Params, budget: BodyBudget): Params {
  if (kind === 'message') return within(params, 'response', 'payloadData', budget);
  if (kind === 'request') return within(params, 'request', 'postData', budget);
  if (kind !== 'source_message') return params;
  return emptied(params, 'data', budget, true) ?? params;
}

function within(params: Params, name: string, member: string, budget: BodyBudget): Params {
  const inner = params[name];
  if (!isObject(inner)) return params;
  const isText = !('opcode' in inner) || inner['opcode'] === TEXT_FRAME;
  const left = emptied(inner, member, budget, isText);
  return left === null ? params : { ...params, [name]: left };
}

/** The record without its content, or null if that is kept. */
function emptied(record: JsonObject, member: string, budget: BodyBudget, text: boolean): Params | null {
  const content = record[member];
  if (typeof content !== 'string' || content === '') return null;
  const sizeBytes = text ? new TextEncoder().encode(content).length : base64Bytes(content);
  const reason = refusal(sizeBytes, budget, text);
  if (reason === null) return null;
  return {
    ...without(record, ['postDataEntries']),
    [member]: '',
    not_kept: { reason, size_bytes: sizeBytes },
  };
}

function refusal(sizeBytes: number, budget: BodyBudget, text: boolean): string | null {
  const { bodies } = budget.limits;
  if (bodies === 'none') return 'not_asked';
  if (bodies === 'text' && !text) return 'not_text';
  return budget.take(sizeBytes);
}

/**
 * Feeds a capture from the tab's debugger, and with the loads that it does not report.
 */
export class DebuggerFeed implements CaptureFeed {
  readonly source = 'debugger';
  readonly #bodies: Bodies;
  readonly #unsubscribe: () => void;
  readonly #others: OtherLoads;

  private constructor(
    private readonly held: Awaited<ReturnType<Taps['acquire']>>,
    private readonly parts: FeedParts,
    tab: { readonly id: number; readonly url: string },
  ) {
    this.#others = new OtherLoads(parts, tab, (event) => this.#forward(event));
    this.#bodies = new Bodies(held.tap, parts.budget, parts.outbox);
    this.#unsubscribe = held.tap.subscribe((event) => {
      for (const taken of parts.filter.take(event)) this.#event(taken);
    });
  }

  /** @throws SpillwayError of the attachment */
  static async open(taps: Taps, tabId: number, parts: FeedParts): Promise<DebuggerFeed> {
    const held = await taps.acquire(tabId);
    const { url = '' } = await browser.tabs.get(tabId).catch(() => ({ url: '' }));
    return new DebuggerFeed(held, parts, { id: tabId, url });
  }

  get lost(): AbortSignal {
    return this.held.tap.signal;
  }

  get progress(): number {
    return this.#bodies.progress;
  }

  async settle(): Promise<void> {
    await this.held.tap.settle();
    this.#others.flush();
    await this.#bodies.settle();
  }

  async stopObserving(): Promise<void> {
    await this.held.tap.settle();
    this.#unsubscribe();
    this.#others.close();
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    this.#bodies.close();
    this.#others.close();
    await this.held.release();
  }

  #event(event: NetworkEvent): void {
    this.#forward(event);
    this.#others.observe(event);
  }

  #forward(event: NetworkEvent): void {
    const { method, sessionId: session } = event;
    const trimmed = trimEvent(event);
    if (trimmed !== null) {
      const params = keepContent(event, trimmed, this.parts.budget);
      this.parts.outbox.push({ kind: 'event', at_ms: Date.now(), session, method, params });
    }
    this.#bodies.observe(event);
  }
}
