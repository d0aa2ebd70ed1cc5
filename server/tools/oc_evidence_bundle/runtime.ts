import { createPrivateKey, type KeyObject } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { z } from 'zod';
import type { TabInfo } from '../../../shared/bridge/page.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import type { ocEvidenceBundle } from '../../../shared/tools/oc_evidence_bundle/manifest.ts';
import type { CallContext } from '../../core/context.ts';
import type { ToolRuntime, ToolRuntimes } from '../../core/registry/definition.ts';
import { formatTabId, askTab, requireTab, type TabTarget, explainTab } from '../../core/targets.ts';
import { errnoOf } from '../../machine/errno.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { capturePart, type CapturedPart, type LostPart, onDisk } from './capture.ts';
import { composeManifest, type Bundle, type Labels, produceArchive } from './deliver.ts';
import { PART_KINDS, type PartKind, type EvidenceServices, type SourceRequest } from './sources.ts';
import { algorithmOf, type Manifest } from './manifest.ts';

/** The browser answers by itself at its own deadline; the bridge waits a little longer. */
const GRACE_MS = 5_000;

/** A page that was reloaded for its bundle. */
interface Reloaded {
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
 * Starts the capture of the tab if requested, reloads the page and waits for its load. A failed load is
 * recorded in the manifest; whatever the tab then shows is still captured.
 */
async function reloadPage(request: ReloadRequest): Promise<Reloaded> {
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

const GROUP_AND_OTHERS = 0o077;
const KEY_MAX_BYTES = 64 * 1_024;

/**
 * The private key that signs bundles, read for each bundle, so that none stays in memory.
 * @throws SpillwayError `evidence_key_invalid`
 */
async function readSigningKey(path: string): Promise<KeyObject> {
  const key = parse(await readPrivate(path), path);
  if (algorithmOf(key) !== null) return key;
  throw refusal(`${path} contains a key that cannot sign: use Ed25519, ECDSA, or RSA of 2048 bits or more.`);
}

async function readPrivate(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((thrown: unknown) => {
    throw refusal(`${path} cannot be read (${errnoOf(thrown) ?? String(thrown)}).`);
  });
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > KEY_MAX_BYTES) throw refusal(`${path} is not a key file.`);
    if (process.platform !== 'win32' && (stats.mode & GROUP_AND_OTHERS) !== 0)
      throw refusal(`Other users can read ${path}.`, 'Run `chmod 600` on it, and consider a new key.');
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

function parse(pem: string, path: string): KeyObject {
  if (/^(?:-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED)/m.test(pem))
    throw refusal(
      `The key in ${path} is encrypted.`,
      'Decrypt it into a file that only you can read: openssl pkey -in KEY -out FILE.',
    );
  try {
    return createPrivateKey({ key: pem, format: 'pem' });
  } catch {
    // The parser's message may quote the key.
    throw refusal(`${path} does not hold a private key in PEM.`);
  }
}

const refusal = (message: string, hint?: string): SpillwayError =>
  new SpillwayError('evidence_key_invalid', `--evidence-key: ${message}`, hint === undefined ? {} : { hint });

type Args = z.output<typeof ocEvidenceBundle.input>;

export const createRuntimes = (services: EvidenceServices): ToolRuntimes => ({
  oc_evidence_bundle: createEvidenceBundle(services),
});

/**
 * `oc_evidence_bundle`: captures the parts one after another into a temporary folder, then packs them while
 * the archive is read. A failed part is listed. If none could be captured, the call fails with the first
 * part's error, at once if the page has a dialog open.
 */
export const createEvidenceBundle =
  (services: EvidenceServices): ToolRuntime<Args> =>
  async (args, context) => {
    const target = await requireTab(services.bridge, args, context);
    const { evidenceKey, evidenceTimestampUrl: timestampUrl } = services;
    const signingKey = evidenceKey === undefined ? null : await readSigningKey(evidenceKey);
    await tabOf(services, target, context);
    const folder = await onDisk('a temporary folder', () => services.scratch.folder());
    context.registerAfterCompletion(() => folder.remove());
    const kinds = PART_KINDS.filter(({ part }) => args.include?.includes(part) ?? true);
    const labels = { captured_by: args.captured_by ?? null, case_reference: args.case_reference ?? null };
    const job: Job = { services, target, context, folder: folder.path, kinds, labels };
    const bundle = await captureAll(job, args.reload ?? false);
    const manifest = composeManifest(services, bundle);
    const delivered = { bundle, manifest, context, folder: folder.path };
    return produceArchive({ ...delivered, signingKey, timestampUrl });
  };

interface Job {
  readonly services: EvidenceServices;
  readonly target: TabTarget;
  readonly context: CallContext;
  readonly folder: string;
  readonly kinds: readonly PartKind[];
  readonly labels: Labels;
}

async function tabOf(
  { bridge }: EvidenceServices,
  target: TabTarget,
  context: CallContext,
): Promise<TabInfo> {
  const answer = await askTab({ bridge, target, context }, 'tabs.get', { tab_id: target.tabId });
  return answer.tab;
}

async function captureAll(job: Job, isReload: boolean): Promise<Bundle> {
  const { services, target, context, kinds } = job;
  const isCaptured = kinds.some(({ part }) => part === 'network');
  const reloaded = isReload ? await reloadPage({ services, target, context, isCaptured }) : null;
  const captured: CapturedPart[] = [];
  const lost: LostPart[] = [];
  context.keepState(() => ({
    parts: kinds.map(({ part }) => part),
    captured: captured.map(({ entry }) => entry.part),
    lost: lost.map(({ entry, error }) => ({ part: entry.part, code: error.code })),
  }));
  try {
    const page = await tabOf(services, target, context);
    const createdAt = services.clock.now();
    for (const [at, kind] of kinds.entries()) {
      context.progress({ done: at, total: kinds.length, message: kind.part });
      const source = sourceOf(kind, { reloaded, gone: browserLostError(job, lost) });
      const part = await capturePart(source, { ...job, reloadedAt: reloaded?.at ?? null });
      if ('path' in part) captured.push(part);
      // Until the dialog is answered, nothing more can be captured; after that, everything can.
      else if (part.error.code === 'dialog_open') throw part.error;
      else lost.push(part);
    }
    const [first] = lost;
    if (captured.length === 0 && first !== undefined) throw first.error;
    const { tab, reload } = { tab: formatTabId(target), reload: reloaded?.entry ?? null };
    return { tab, browser: target.browser, labels: job.labels, page, reload, createdAt, captured, lost };
  } finally {
    await reloaded
      ?.stopCapture()
      .catch((err: unknown) => context.logger.warn({ err }, 'a capture was not stopped'));
  }
}

/**
 * The error while the browser is disconnected: the bridge waits for it to return, and the part that first
 * noticed has waited for all.
 */
function browserLostError({ services, target }: Job, lost: readonly LostPart[]): SpillwayError | null {
  const isConnected = services.bridge
    .browsers()
    .some(({ id, connected }) => id === target.browser && connected);
  if (isConnected) return null;
  return lost.find(({ error }) => GONE.includes(error.code))?.error ?? null;
}

const GONE: readonly string[] = ['browser_disconnected', 'browser_not_connected'];

/** The error of the capture, not the one for a missing capture. */
function sourceOf(
  kind: PartKind,
  { reloaded, gone }: { readonly reloaded: Reloaded | null; readonly gone: SpillwayError | null },
): PartKind {
  const error = gone ?? (kind.part === 'network' ? (reloaded?.captureError ?? null) : null);
  return error === null ? kind : { ...kind, source: () => Promise.reject(error) };
}
