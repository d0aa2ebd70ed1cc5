import { toSpillwayError, type SpillwayError } from '../../../shared/errors.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { explainTab, formatTabId } from '../../core/targets.ts';
import type { Manifest } from './manifest.ts';
import type { SourceRequest } from './sources.ts';

/** The browser answers by itself at its own deadline; the bridge waits a little longer. */
const GRACE_MS = 5_000;

/** A page that was reloaded for its bundle. */
export interface Reloaded {
  /** Wall clock, before the first request. */
  readonly at: number;
  /** Not redacted yet. */
  readonly entry: NonNullable<Manifest['reload']>;
  /** Why its requests are not captured. */
  readonly captureError: SpillwayError | null;
  /** Ends a capture that was started for the bundle; an earlier one continues. */
  readonly stopCapture: () => Promise<void>;
}

type ReloadRequest = Omit<SourceRequest, 'signal' | 'reloadedAt'> & { readonly isCaptured: boolean };

/**
 * Starts the capture of the tab when it is wanted, reloads the page and waits for its load. A load that
 * fails is recorded in the manifest; what the tab shows then is still captured.
 */
export async function reloadPage(request: ReloadRequest): Promise<Reloaded> {
  const { services, target, context, isCaptured } = request;
  const { error: captureError, stop } = isCaptured ? await startCapture(request) : NOT_STARTED;
  const at = services.clock.now();
  const entry = { at: new Date(at).toISOString(), status: null, redirects: 0, error: null };
  const reloaded = { at, captureError, stopCapture: stop };
  const params = {
    tab_id: target.tabId,
    action: 'reload',
    wait_until: 'load',
    timeout_ms: LIMITS.navigateTimeoutMs,
  } as const;
  try {
    const { status, redirects } = await services.bridge.request(target.browser, 'page.navigate', params, {
      call: context.call,
      signal: context.signal,
      idleTimeoutMs: LIMITS.navigateTimeoutMs + GRACE_MS,
    });
    return { ...reloaded, entry: { ...entry, status, redirects: redirects.length } };
  } catch (thrown) {
    context.signal.throwIfAborted();
    const { code, message } = toSpillwayError(explainTab(thrown, target, context));
    return { ...reloaded, entry: { ...entry, error: `${code}: ${message}` } };
  }
}

const NOT_STARTED = { error: null, stop: () => Promise.resolve() };

async function startCapture({ services, target, context }: ReloadRequest): Promise<{
  error: SpillwayError | null;
  stop: () => Promise<void>;
}> {
  const { network } = services;
  const name = formatTabId(target);
  const isRunning = network
    .status(context.session)
    .captures.some(({ tab, state }) => tab === name && state === 'capturing');
  if (isRunning) return NOT_STARTED;
  try {
    await network.start(context.session, target, {
      bodies: 'all',
      signal: context.signal,
      call: context.call,
    });
  } catch (thrown) {
    context.signal.throwIfAborted();
    return { error: toSpillwayError(explainTab(thrown, target, context)), stop: NOT_STARTED.stop };
  }
  return { error: null, stop: async () => void (await network.stop(context.session, target)) };
}
