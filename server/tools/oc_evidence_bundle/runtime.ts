import type { z } from 'zod';
import type { TabInfo } from '../../../shared/bridge/tab.ts';
import type { SpillwayError } from '../../../shared/errors.ts';
import type { ocEvidenceBundle } from '../../../shared/tools/oc_evidence_bundle/manifest.ts';
import type { CallContext } from '../../core/context.ts';
import type { ToolRuntime, ToolRuntimes } from '../../core/registry/runtime.ts';
import { formatTabId, onTab, requireTab, type TabTarget } from '../../core/targets.ts';
import { capturePart, type CapturedPart, type LostPart } from './capture.ts';
import { composeManifest, type Bundle, type Labels } from './compose.ts';
import { produceArchive } from './deliver.ts';
import { PART_KINDS, type PartKind } from './parts.ts';
import { reloadPage, type Reloaded } from './reload.ts';
import { readSigningKey } from './signing-key.ts';
import type { EvidenceServices } from './sources.ts';
import { onDisk } from './spool.ts';

type Args = z.output<typeof ocEvidenceBundle.input>;

export const createRuntimes = (services: EvidenceServices): ToolRuntimes => ({
  oc_evidence_bundle: createEvidenceBundle(services),
});

/**
 * `oc_evidence_bundle`: captures the parts one after another into a temporary folder, then packs them
 * while the archive is read. A part that fails is listed; when none could be captured, the call fails
 * as the first of them did, and as soon as the page has a dialog open.
 */
export function createEvidenceBundle(services: EvidenceServices): ToolRuntime<Args> {
  return {
    async run(args, context) {
      const target = await requireTab(services.bridge, args, context);
      const { evidenceKey, evidenceTimestampUrl: timestampUrl } = services;
      const signingKey = evidenceKey === undefined ? null : await readSigningKey(evidenceKey);
      await tabOf(services, target, context);
      const folder = await onDisk('a temporary folder', () => services.scratch.folder());
      context.registerAfterCompletion(() => folder.remove());
      const kinds = PART_KINDS.filter(({ part }) => args.include?.includes(part) ?? true);
      const labels = {
        captured_by: args.captured_by ?? null,
        case_reference: args.case_reference ?? null,
      };
      const job: Job = { services, target, context, folder: folder.path, kinds, labels };
      const bundle = await captureAll(job, args.reload ?? false);
      const manifest = composeManifest(services, bundle);
      const format = args.format ?? 'tar.gz';
      const delivered = { bundle, manifest, context, format, folder: folder.path };
      return produceArchive({ ...delivered, signingKey, timestampUrl });
    },
  };
}

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
  const answer = await onTab(target, context, () =>
    bridge.request(
      target.browser,
      'tabs.get',
      { tab_id: target.tabId },
      { call: context.call, signal: context.signal },
    ),
  );
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
      // Until it is answered, nothing more of the page can be had; after that, all of it.
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
 * Why the browser is disconnected, while it is: the bridge waits for it to come back, and the part that
 * found it gone has waited for all.
 */
function browserLostError({ services, target }: Job, lost: readonly LostPart[]): SpillwayError | null {
  const isConnected = services.bridge
    .browsers()
    .some(({ id, connected }) => id === target.browser && connected);
  if (isConnected) return null;
  return lost.find(({ error }) => GONE.includes(error.code))?.error ?? null;
}

const GONE: readonly string[] = ['browser_disconnected', 'browser_not_connected'];

interface Known {
  readonly reloaded: Reloaded | null;
  readonly gone: SpillwayError | null;
}

/** What is known to fail fails with its own reason: requests as their capture did, not as if none had been asked for. */
function sourceOf(kind: PartKind, { reloaded, gone }: Known): PartKind {
  const error = gone ?? (kind.part === 'network' ? (reloaded?.captureError ?? null) : null);
  return error === null ? kind : { ...kind, source: () => Promise.reject(error) };
}
