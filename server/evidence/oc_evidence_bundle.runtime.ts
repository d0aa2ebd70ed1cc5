import { createPrivateKey, type KeyObject } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { z } from 'zod';
import type { TabInfo } from '../../shared/core/bridge/page.ts';
import { SpillwayError, toSpillwayError } from '../../shared/base/errors.ts';
import type { ocEvidenceBundle } from '../../shared/evidence/oc_evidence_bundle.manifest.ts';
import { callerOf, type CallContext } from '../core/context.ts';
import type { Bridge } from '../core/services.ts';
import type { ToolRuntime, ToolRuntimes } from '../core/registry/definition.ts';
import { formatTabId, askTab, onTab, requireTab, type TabTarget } from '../core/targets.ts';
import { errnoOf } from '../core/machine/errno.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import { capturePart, type CapturedPart, type LostPart, onDisk } from './capture.ts';
import { composeManifest, type Bundle, produceArchive } from './deliver.ts';
import { PART_KINDS, type PartKind, type EvidenceServices } from './sources.ts';
import { algorithmOf, type Manifest } from './manifest.ts';

/** The browser answers by itself at its own deadline; the bridge waits a little longer. */
const GRACE_MS = 5_000;

/**
 * Reloads the page and waits for its load. A failed load is recorded in the manifest; whatever the tab then shows is
 * still captured.
 */
async function reloadPage({ services, target, context }: Job) {
  const at = services.clock.now();
  // Not redacted yet.
  const entry = { at: new Date(at).toISOString(), status: null, redirects: 0, error: null };
  const params = {
    tab_id: target.tabId,
    caller: callerOf(context),
    action: 'reload',
    wait_until: 'load',
    timeout_ms: LIMITS.navigateTimeoutMs,
  } as const;
  const load = askTab(
    { bridge: services.bridge, target, context },
    'page.navigate',
    params,
    LIMITS.navigateTimeoutMs + GRACE_MS,
  );
  const loaded: NonNullable<Manifest['reload']> = await load.then(
    ({ status, redirects }) => ({ ...entry, status, redirects: redirects.length }),
    (thrown: unknown) => {
      context.signal.throwIfAborted();
      const { code, message } = unlessAsked(thrown);
      return { ...entry, error: `${code}: ${message}` };
    },
  );
  return { at, entry: loaded };
}

/** An error to list. @throws SpillwayError a question to a person: the call waits, and is performed again */
function unlessAsked(thrown: unknown): SpillwayError {
  const error = toSpillwayError(thrown);
  if (error.questionId !== undefined) throw error;
  return error;
}

/** Why requests are not captured, and how to end a capture that was started for the bundle. */
interface Capture {
  readonly error: SpillwayError | null;
  readonly stop: () => Promise<void>;
}

const NOT_STARTED: Capture = { error: null, stop: () => Promise.resolve() };

const NOT_RELOADED = { at: null, entry: null };

async function startCapture({ services: { network }, target, context }: Job): Promise<Capture> {
  const { session, signal, call } = context;
  const name = formatTabId(target);
  const isRunning = network
    .status(session)
    .captures.some(({ tab, state }) => tab === name && state === 'capturing');
  if (isRunning) return NOT_STARTED;
  try {
    await onTab(target, context, () => network.start(session, target, { bodies: 'all', signal, call }));
  } catch (thrown) {
    signal.throwIfAborted();
    return { ...NOT_STARTED, error: unlessAsked(thrown) };
  }
  return { error: null, stop: async () => void (await network.stop(session, target)) };
}

const GROUP_AND_OTHERS = 0o077;
const KEY_MAX_BYTES = 64 * 1_024;

/**
 * The private key that signs bundles, read for each bundle, so that none stays in memory.
 * @throws SpillwayError `evidence_key_invalid`
 */
async function readSigningKey(path: string): Promise<KeyObject> {
  const pem = await readPrivate(path);
  if (/^(?:-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED)/m.test(pem))
    throw refusal(
      `The key in ${path} is encrypted.`,
      'Decrypt it into a file that only you can read: openssl pkey -in KEY -out FILE.',
    );
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    // The parser's message may quote the key.
    throw refusal(`${path} does not hold a private key in PEM.`);
  }
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

const refusal = (message: string, hint?: string): SpillwayError =>
  new SpillwayError('evidence_key_invalid', `--evidence-key: ${message}`, { hint });

type BundleArgs = z.output<typeof ocEvidenceBundle.input>;

export const createRuntimes = (services: EvidenceServices): ToolRuntimes => ({
  oc_evidence_bundle: createEvidenceBundle(services),
});

/**
 * `oc_evidence_bundle`: captures the parts one after another into a temporary folder, then packs them while
 * the archive is read. A failed part is listed. If none could be captured, the call fails with the first
 * part's error, at once if the page has a dialog open.
 */
export const createEvidenceBundle =
  (services: EvidenceServices): ToolRuntime<BundleArgs> =>
  async (args, context) => {
    const target = await requireTab(services.bridge, args, context);
    const { evidenceKey, evidenceTimestampUrl: timestampUrl } = services;
    const signingKey = evidenceKey === undefined ? null : await readSigningKey(evidenceKey);
    await tabOf(services.bridge, target, context);
    const folder = await onDisk('a temporary folder', () => services.scratch.folder());
    context.registerAfterCompletion(() => folder.remove());
    const kinds = PART_KINDS.filter(({ part }) => args.include?.includes(part) ?? true);
    const job: Job = { services, target, context, folder: folder.path, kinds };
    const labels = { captured_by: args.captured_by ?? null, case_reference: args.case_reference ?? null };
    const bundle = { ...(await captureAll(job, args.reload ?? false)), target, labels };
    const manifest = composeManifest(services, bundle);
    return produceArchive({ bundle, manifest, context, folder: folder.path, signingKey, timestampUrl });
  };

interface Job {
  readonly services: EvidenceServices;
  readonly target: TabTarget;
  readonly context: CallContext;
  readonly folder: string;
  readonly kinds: readonly PartKind[];
}

async function tabOf(bridge: Bridge, target: TabTarget, context: CallContext): Promise<TabInfo> {
  const answer = await askTab({ bridge, target, context }, 'tabs.get', { tab_id: target.tabId });
  return answer.tab;
}

const WITHOUT_RELOAD = 'Call again without reload: the call then waits for the person.';

async function captureAll(job: Job, isReload: boolean): Promise<Omit<Bundle, 'target' | 'labels'>> {
  const { services, target, context, kinds } = job;
  const captured: CapturedPart[] = [];
  const lost: LostPart[] = [];
  context.keepState(() => ({
    parts: kinds.map(({ part }) => part),
    captured: captured.map(({ entry }) => entry.part),
    lost: lost.map(({ entry, error }) => ({ part: entry.part, code: error.code })),
  }));
  const isCapturing = isReload && kinds.some(({ part }) => part === 'network');
  const capture = isCapturing ? await startCapture(job) : NOT_STARTED;
  try {
    const reloaded = isReload ? await reloadPage(job) : NOT_RELOADED;
    const page = await tabOf(services.bridge, target, context);
    const createdAt = services.clock.now();
    for (const [at, kind] of kinds.entries()) {
      context.progress({ done: at, total: kinds.length, message: kind.part });
      // The error of the capture, not the one for a missing capture.
      const captureError = kind.part === 'network' ? capture.error : null;
      const error = browserLostError(job, lost) ?? captureError;
      const source = error ? { ...kind, source: () => Promise.reject(error) } : kind;
      const part = await capturePart(source, { ...job, reloadedAt: reloaded.at });
      if ('path' in part) captured.push(part);
      // Until the dialog is answered, nothing more can be captured; after that, everything can.
      else if (part.error.code === 'dialog_open') throw part.error;
      else if (part.error.questionId === undefined) lost.push(part);
      // To wait and reload again would replace the document that the yes is for.
      else if (isReload) lost.push({ ...part, entry: { ...part.entry, hint: WITHOUT_RELOAD } });
      else throw part.error;
    }
    const [first] = lost;
    if (captured.length === 0 && first !== undefined) throw first.error;
    return { page, reload: reloaded.entry, createdAt, captured, lost };
  } finally {
    await capture.stop().catch((err: unknown) => context.logger.warn({ err }, 'a capture was not stopped'));
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
