import { SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import { deferred } from '../../shared/async/deferred.ts';
import { waitAtMost } from '../../shared/async/wait.ts';
import { callerOf } from '../core/caller.ts';
import type { ClientSession } from '../core/context.ts';
import type { AdoptedCall } from '../core/kept-calls.ts';
import type { Bridge, BrowserState } from '../core/services.ts';
import { sha256 } from '../machine/digest.ts';
import type { KeptFile, KeptFolder, KeptRecord } from './kept-folder.ts';

/** A browser that is there connects sooner. */
const RETURN_MS = 5_000;

interface AdoptionParts {
  readonly folder: KeptFolder;
  readonly bridge: Bridge;
}

/** Who wants a call. */
interface Adopter {
  readonly session: ClientSession;
  readonly signal: AbortSignal;
}

/**
 * Takes a call over that another server of the home has kept; null for one that is not there, or is another client's.
 * @throws SpillwayError `approval_expired`, `call_not_pending`, `browser_not_connected`, the signal's reason
 */
export async function adoptCall(
  parts: AdoptionParts,
  callId: string,
  { session, signal }: Adopter,
): Promise<AdoptedCall | null> {
  const { folder, bridge } = parts;
  const file = await folder.find(callId);
  const record = file === null ? null : await folder.read(file, callId);
  if (file === null || record === null) return null;
  // Who knows an id may still be somebody else.
  if (record.client !== sha256(callerOf({ session }).name)) return null;
  if (file.owner === 'elsewhere')
    throw new SpillwayError('call_not_pending', `Another server, which is still there, waits for ${callId}.`);
  await expectUsable(folder, file, record);
  const browser = await browserOf(bridge, record, signal);
  await expectNames(folder, file, { record, browser });
  if (!(await folder.claim(file, callId))) return null;
  return bind(parts, record, { session, signal, browser });
}

/** @throws SpillwayError `approval_expired` for a call that cannot be performed as it was made */
async function expectUsable(folder: KeptFolder, { name }: KeptFile, record: KeptRecord): Promise<void> {
  const isExpired = folder.isExpired(record);
  if (!isExpired && record.args !== null) return;
  await folder.remove(name);
  throw expired(
    isExpired
      ? 'The ten minutes of the question are over.'
      : 'The server that had its arguments has stopped. They are not stored, since they held a secret or were too large.',
  );
}

/** The connected browser that was asked. @throws SpillwayError `browser_not_connected`, the signal's reason */
async function browserOf(
  bridge: Bridge,
  { browser: { instance } }: KeptRecord,
  signal: AbortSignal,
): Promise<BrowserState> {
  const find = (): BrowserState | undefined =>
    bridge.browsers().find((one) => one.instance === instance && one.connected);
  await bridge.ready({ signal });
  if (find() === undefined) {
    const { promise: connected, resolve } = deferred<void>();
    const stopListening = bridge.onChange(() => {
      if (find() !== undefined) resolve();
    });
    await waitAtMost(connected, RETURN_MS, signal).finally(stopListening);
  }
  const browser = find();
  if (browser === undefined)
    throw new SpillwayError(
      'browser_not_connected',
      'The browser in which a person is asked is not connected.',
    );
  return browser;
}

/**
 * Servers name browsers in the order in which they come. A name in the arguments must not lead to another browser.
 * @throws SpillwayError `approval_expired`
 */
async function expectNames(
  folder: KeptFolder,
  { name }: KeptFile,
  { record, browser: { id } }: { readonly record: KeptRecord; readonly browser: BrowserState },
): Promise<void> {
  const before = record.browser.name;
  const text = JSON.stringify(record.args);
  if (before === id || !(text.includes(`"${before}"`) || text.includes(`"${before}:`))) return;
  await folder.remove(name);
  throw expired(`Its arguments name browser ${before}, which this server calls ${id}.`);
}

/** Makes the question this server's and this session's. */
async function bind(
  { folder, bridge }: AdoptionParts,
  { call_id: callId, question: id, key, tab, tool, args }: KeptRecord,
  { session, signal, browser }: Adopter & { readonly browser: BrowserState },
): Promise<AdoptedCall> {
  const params = { id, key, caller: callerOf({ session }) };
  const { adopted } = await bridge
    .request(browser.id, 'question.adopt', params, { call: null, signal })
    .catch((thrown: unknown) => {
      // Where the browser has gone meanwhile, its question is still there when it is back.
      if (toSpillwayError(thrown).code !== 'api_not_found') throw thrown;
      return { adopted: false };
    });
  if (!adopted || args === null) {
    await folder.removeOwn(callId);
    throw expired('The browser that asked does not know of it any longer.');
  }
  // Arguments without a tab mean the one that the session worked in.
  if (tab !== null) {
    session.currentTab = `${browser.id}:${tab}`;
    session.tabs.add(session.currentTab);
  }
  return { tool, args, question: `${browser.id}:${id}` };
}

const expired = (why: string): SpillwayError =>
  new SpillwayError('approval_expired', `The call cannot be resumed. ${why} Nothing was done.`);
