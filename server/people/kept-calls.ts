import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { SpillwayError, toSpillwayError } from '../../shared/base/errors.ts';
import { canonicalJson, defined, type JsonObject } from '../../shared/base/json.ts';
import { Digest, FlowSource, type CallFacts } from '../../shared/core/policy/call-facts.ts';
import { waitAtMost } from '../../shared/base/async.ts';
import { browserWithin } from '../core/targets.ts';
import { type ClientSession, callerOf } from '../core/context.ts';
import type { RaisedQuestion } from '../core/people.ts';
import type { Bridge, BrowserState, Clock } from '../core/services.ts';
import { sha256 } from '../core/machine/files.ts';
import { createExpiry, Lifetime, type Expiry } from '../core/machine/expiry.ts';
import type { RecordParts } from './act-record.ts';
import { StoredQuestions } from './stored-questions.ts';
import { StoredRecord, StoredText } from '../libraries/redaction/mark.ts';

/** A browser that is running connects sooner. */
const RETURN_MS = 5_000;

/** Maximum calls of all servers of a home. A person answers no more in ten minutes. */
const CALLS_MAX = 64;

/** A call that another server left, with the question that its browser still knows. */
export interface AdoptedCall {
  readonly tool: string;
  readonly args: JsonObject;
  /** `b1:q_…`, by this server's name for the browser. */
  readonly question: string;
  /** From which sites its arguments have text. */
  readonly sources?: readonly FlowSource[] | undefined;
}

/** A call that waits for a person, as the next server finds it. */
const KeptRecord = z.object({
  call_id: StoredText,
  tool: StoredText,
  /** Null if they are not stored: they contained a secret, or were too large. */
  args: StoredRecord.nullable(),
  /** SHA-256 of the client's name. */
  client: Digest,
  /** The extension's instance, and the server's id for it. */
  browser: z.object({ instance: z.string(), name: z.string().regex(/^b\d+$/) }),
  question: z.string().min(1).max(64),
  /** Proves to the browser that the question belongs to the reader. */
  key: Digest,
  /** Number of the tab that the session worked in. */
  tab: z.int().nullable(),
  /** From which sites the arguments have text, without the text. */
  sources: z.array(FlowSource).optional(),
  lifetime: Lifetime,
});
type KeptRecord = z.infer<typeof KeptRecord>;
type KeptRows = StoredQuestions<KeptRecord>;

/** @throws SpillwayError `approval_expired` for a call that cannot be performed as it was made */
function usableArgs(rows: KeptRows, record: KeptRecord, isExpired: boolean): NonNullable<KeptRecord['args']> {
  if (!isExpired && record.args !== null) return record.args;
  rows.remove(record.call_id);
  throw buildExpired(
    isExpired
      ? 'The ten minutes of the question are over.'
      : 'The server that had its arguments has stopped. They are not stored, since they held a secret or were too large.',
  );
}

/** The connected browser that asked. @throws SpillwayError `browser_not_connected`, the signal's reason */
async function browserOf(
  bridge: Bridge,
  { browser: { instance } }: KeptRecord,
  signal: AbortSignal,
): Promise<BrowserState> {
  await bridge.ready({ signal });
  const browser = await browserWithin(bridge, (one) => one.instance === instance, RETURN_MS, signal);
  if (browser === undefined)
    throw new SpillwayError(
      'browser_not_connected',
      'The browser in which a person is asked is not connected.',
    );
  return browser;
}

/**
 * Servers name browsers in the order of arrival. A name in the arguments must not lead to another browser.
 * @throws SpillwayError `approval_expired`
 */
function expectNames(rows: KeptRows, record: KeptRecord, { id }: BrowserState): void {
  const before = record.browser.name;
  const text = JSON.stringify(record.args);
  if (before === id || !(text.includes(`"${before}"`) || text.includes(`"${before}:`))) return;
  rows.remove(record.call_id);
  throw buildExpired(`Its arguments name browser ${before}, which this server calls ${id}.`);
}

const buildExpired = (why: string): SpillwayError =>
  new SpillwayError('approval_expired', `The call cannot be resumed. ${why} Nothing was done.`);

const KEPT_MS = 10 * 60_000;
/** Longest time that an ended call waits until it is stored. */
const KEEP_MS = 1_000;
const SWEEP_MS = 1_000;
const KEY_BYTES = 32;

interface KeptParts extends Omit<RecordParts, 'ledger'> {
  readonly home: string;
  readonly bridge: Bridge;
  readonly clock: Clock;
}

interface Held {
  readonly question: string;
  /** Resolves when it is on disk and the browser knows, or has failed to. */
  readonly kept: Promise<void>;
  /** The browser keeps asking while no server is there. */
  staysOpen: boolean;
}

/**
 * Keeps calls that wait for a person in the home, so that the next server can resume them. A call is on disk
 * before the browser knows, and removed before it runs: it is done once, whatever ends.
 */
export class KeptQuestions {
  readonly #rows: KeptRows;
  readonly #expiry: Expiry;
  readonly #held = new Map<string, Held>();
  readonly #adopting = new Set<string>();
  #sweeping: NodeJS.Timeout | undefined;
  #isLeaving = false;

  constructor(private readonly parts: KeptParts) {
    const { home, server, clock } = parts;
    this.#expiry = createExpiry(clock, KEPT_MS);
    this.#rows = new StoredQuestions({
      ...{ home, kind: 'call', schema: KeptRecord, max: CALLS_MAX, server },
      now: () => clock.now(),
      isOver: ({ lifetime }) => this.#expiry.isExpired(lifetime),
    });
    // A killed server may have left something that no server asks for.
    const stopListening = parts.bridge.onChange(() => {
      stopListening();
      this.#sweep();
    });
  }

  /** Whether the browser keeps asking although this server no longer waits. */
  staysOpen(callId: string): boolean {
    return this.#isLeaving && this.#held.get(callId)?.staysOpen === true;
  }

  #sweep(): void {
    try {
      this.#rows.sweep();
    } catch (thrown) {
      this.parts.logger.warn({ err: thrown }, 'the calls that wait for people were not swept');
    }
  }

  /**
   * Keeps a call for the next server of the home, if its arguments contain no secret. Never rejects: a call
   * that cannot be kept ends with its server. Resolves within a second.
   */
  async keep(question: RaisedQuestion, session: ClientSession): Promise<void> {
    const { call_id: callId } = question.scope.call;
    const held = this.#held.get(callId);
    const kept = held?.question === question.id ? held.kept : this.#begin(question, session);
    await waitAtMost(kept, KEEP_MS);
  }

  #begin(question: RaisedQuestion, session: ClientSession): Promise<void> {
    const { call_id: callId } = question.scope.call;
    const before = this.#held.get(callId)?.kept ?? Promise.resolve();
    const kept = before
      .then(() => this.#keep(question, session))
      .catch((thrown: unknown) => {
        this.parts.logger.warn(
          { err: thrown, call_id: callId },
          'a call that waits for a person ends with this server',
        );
        if (this.#held.get(callId)?.kept === kept) this.#held.delete(callId);
        this.#remove(callId);
      });
    this.#held.set(callId, { question: question.id, kept, staysOpen: false });
    return kept;
  }

  async #keep({ id, scope }: RaisedQuestion, session: ClientSession): Promise<void> {
    const { bridge } = this.parts;
    const [name, question = ''] = id.split(':');
    const browser = bridge.browsers().find((one) => one.id === name);
    if (browser === undefined) throw new SpillwayError('browser_not_found', `There is no browser ${name}.`);
    const { call, caller } = scope;
    const key = randomBytes(KEY_BYTES).toString('hex');
    const { call_id: callId, tool, args } = this.#storable(call);
    const [tabOf, tab] = (session.currentTab ?? '').split(':');
    const lifetime = this.#expiry.begin();
    const record: KeptRecord = {
      call_id: callId,
      tool,
      args,
      client: sha256(caller.name),
      browser: { instance: browser.instance, name: browser.id },
      question,
      key,
      tab: tabOf === browser.id ? Number(tab) : null,
      ...defined({ sources: call.sources?.map((source) => ({ ...source, marks: [] })) }),
      lifetime,
    };
    this.#rows.store(callId, record, { forgetAtMs: lifetime.expires_at_ms });
    clearTimeout(this.#sweeping);
    this.#sweeping = setTimeout(() => this.#sweep(), KEPT_MS + SWEEP_MS).unref();
    // A question without arguments ends with its server.
    const params = { id: question, key_hash: sha256(key) };
    const staysOpen =
      args !== null &&
      (await bridge.request(browser.id, 'question.keep', params, { call: null }).then(
        ({ kept }) => kept,
        (thrown: unknown) => {
          // An extension of the wire version before ends it with its server.
          if (toSpillwayError(thrown).code === 'api_not_found') return false;
          throw thrown;
        },
      ));
    const held = this.#held.get(callId);
    if (held !== undefined) held.staysOpen = staysOpen;
    if (this.#isLeaving) this.#rows.move(callId, 'left');
  }

  /** Without arguments if they contain a secret, are too large, or were not examined. */
  #storable(call: CallFacts): Pick<KeptRecord, 'call_id' | 'tool' | 'args'> {
    const { call_id, tool, args, is_editable: isWhole } = call;
    const { redactor } = this.parts;
    const clean = redactor.value({ call_id, tool, args });
    // With --no-sanitize-content, nothing looks for secrets.
    const isStored = isWhole && redactor.enabled && canonicalJson(clean.args) === canonicalJson(args);
    return isStored ? clean : { ...clean, args: null };
  }

  /** Resolves once no server can adopt the call: it is about to run. */
  async take(callId: string): Promise<void> {
    const held = this.#held.get(callId);
    if (held === undefined) return;
    await held.kept;
    this.#held.delete(callId);
    const isRemoved = this.#remove(callId);
    if (this.#isLeaving && !isRemoved) throw new SpillwayError('cancelled', 'The server is stopping.');
  }

  /** A call has ended without running. Nothing happens once the server is leaving. */
  forget(callId: string): void {
    if (!this.#isLeaving) void this.take(callId).catch(() => undefined);
  }

  /** The server is about to stop: the next one takes over its calls, and its questions stay open. */
  leave(): void {
    this.#isLeaving = true;
    clearTimeout(this.#sweeping);
    for (const callId of this.#held.keys()) {
      try {
        this.#rows.move(callId, 'left');
      } catch (thrown) {
        this.parts.logger.warn({ err: thrown, call_id: callId }, 'a call was not left to the next server');
      }
    }
  }

  /** False if there was nothing, or it could not be removed. */
  #remove(callId: string): boolean {
    try {
      return this.#rows.removeOwn(callId);
    } catch (thrown) {
      this.parts.logger.warn({ err: thrown, call_id: callId }, 'a call that was kept was not removed');
      return false;
    }
  }

  close(): void {
    this.#rows.close();
  }

  /**
   * Takes over a call whose server has ended; null for an unknown call, or a call of another client.
   * @throws SpillwayError `approval_expired`, `call_not_pending`, `browser_not_connected`, the signal's
   *   reason
   */
  async adopt(callId: string, session: ClientSession, signal: AbortSignal): Promise<AdoptedCall | null> {
    if (this.#adopting.has(callId) || this.#held.has(callId)) return null;
    this.#adopting.add(callId);
    try {
      const adopted = await this.#takeOver(callId, session, signal);
      if (adopted !== null)
        this.#held.set(callId, { question: adopted.question, kept: Promise.resolve(), staysOpen: true });
      return adopted;
    } finally {
      this.#adopting.delete(callId);
    }
  }

  /**
   * Takes over a call that another server of the home has kept; null for a missing one, or another client's.
   * @throws SpillwayError `approval_expired`, `call_not_pending`, `browser_not_connected`, the signal's reason
   */
  async #takeOver(callId: string, session: ClientSession, signal: AbortSignal): Promise<AdoptedCall | null> {
    const rows = this.#rows;
    const { bridge } = this.parts;
    const [call] = rows.find(callId);
    if (call === undefined) return null;
    const record = call.facts;
    const caller = callerOf({ session });
    // Another client may know the id too.
    if (record.client !== sha256(caller.name)) return null;
    if (call.isElsewhere)
      throw new SpillwayError(
        'call_not_pending',
        `Another server, which is still running, waits for ${callId}.`,
      );
    const args = usableArgs(rows, record, this.#expiry.isExpired(record.lifetime));
    const browser = await browserOf(bridge, record, signal);
    expectNames(rows, record, browser);
    if (!rows.claim(call)) return null;
    const params = { id: record.question, key: record.key, caller };
    const { adopted } = await bridge.request(browser.id, 'question.adopt', params, { call: null, signal });
    if (!adopted) {
      rows.removeOwn(callId);
      throw buildExpired('The browser that asked no longer has the question.');
    }
    // Arguments without a tab mean the session's last tab.
    if (record.tab !== null) {
      session.currentTab = `${browser.id}:${record.tab}`;
      session.tabs.add(session.currentTab);
    }
    const { tool, sources } = record;
    return { tool, args, question: `${browser.id}:${record.question}`, ...defined({ sources }) };
  }
}
