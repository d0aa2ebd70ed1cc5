import { SpillwayError } from '../../../shared/errors.ts';
import type { HumanInputRequest } from '../../../shared/human/request.ts';
import { TAKEOVER_MS } from '../../../shared/policy/takeover.ts';
import type { CallContext } from '../../core/context.ts';
import type { Bridge, BrowserId } from '../../core/services.ts';
import { parseTabId, resolveBrowser } from '../../core/targets.ts';
import type { GivenAnswer } from '../../toolkit/human-answer.ts';
import type { TakeoverServices } from './takeover.ts';

/**
 * Shows a question in the window or the side panel of the extension. Null where nobody has answered in the time of a call: the
 * same question joins it.
 *
 * @throws SpillwayError `human_unreachable`, `human_input_expired`, and what the take-overs throw
 */
export async function askInBrowser(
  { type, message, choices, schema }: HumanInputRequest,
  context: CallContext,
  { bridge, takeovers }: TakeoverServices,
): Promise<GivenAnswer | null> {
  const { call, session, signal, syncWaitMs } = context;
  if (type === 'takeover') throw new SpillwayError('internal_error', 'A take-over is about a tab.');
  const target = { browser: await browserOf(bridge, context), tabId: null };
  const ask = {
    type,
    ...(choices === undefined ? {} : { choices }),
    ...(schema === undefined ? {} : { schema }),
  };
  const limitMs = TAKEOVER_MS.byDefault;
  const request = { target, ask, message, until: null, limitMs, call, sessionSignal: session.signal };
  const end = await takeovers.takeOver(request, { timeoutMs: syncWaitMs, signal });
  if (end === null) return null;
  const { outcome, where, answer } = end;
  const facts = {
    ...(where === null
      ? {}
      : { where: where === 'side_panel' ? 'the side panel' : 'the window of the extension' }),
    ...(end.reason === null ? {} : { reason: end.reason }),
  };
  if (outcome === 'done' && answer !== undefined) return { ...facts, answer };
  if (outcome === 'declined') return { ...facts, declined: true };
  if (outcome === 'timeout')
    throw new SpillwayError('human_input_expired', `Nobody answered within ${limitMs / 60_000} minutes.`);
  throw new SpillwayError('human_unreachable', 'The browser could not show the question to a person.');
}

/** The browser of the session's tab, or the only one. */
async function browserOf(bridge: Bridge, { session, signal }: CallContext): Promise<BrowserId> {
  try {
    const current = session.currentTab === null ? undefined : parseTabId(session.currentTab).browser;
    return await resolveBrowser(bridge, current, signal);
  } catch (thrown) {
    if (!(thrown instanceof SpillwayError) || !thrown.code.startsWith('browser_')) throw thrown;
    throw new SpillwayError(
      'human_unreachable',
      `Neither the client nor a browser could show the question, so nobody saw it. ${thrown.message}`,
      { cause: thrown },
    );
  }
}
