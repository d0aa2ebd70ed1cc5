import { extname } from 'node:path';
import type { MethodResult } from '../../shared/core/bridge/methods.ts';
import { areInterrupted } from '../../shared/core/downloads.ts';
import { SpillwayError, invalidArgument } from '../../shared/base/errors.ts';
import type { manifest } from '../../shared/files/downloads.manifest.ts';
import { asQuoting } from '../../shared/base/quoting.ts';
import { produceJson } from '../core/calls/produce.ts';
import type { ArgsOf, ToolRuntimes } from '../core/registry/definition.ts';
import type { Produced } from '../core/result.ts';
import type { OutputSaves } from '../outputs/save.ts';
import { askTab, formatTabId, requireTab } from '../core/targets.ts';
import { decodeText, fileTypeOf } from '../core/file-stream.ts';
import { checkTaken } from '../core/arguments.ts';
import { awaitIn } from '../wait/wait-first.ts';
import type { ToolServices } from '../core/index.ts';

type DownloadsArgs = ArgsOf<typeof manifest>;

type DownloadsServices = Pick<ToolServices, 'bridge' | 'saves'>;
type On = Parameters<typeof askTab>[0];

/** If the browser warns about a file, a person has not agreed to keep it. */
const KEPT: readonly string[] = ['safe', 'accepted'];
const TAKES: Readonly<Record<DownloadsArgs['action'], readonly (keyof DownloadsArgs)[]>> = {
  list: [],
  wait: [],
  take: ['id', 'save_as', 'overwrite'],
};

/** `downloads`: the files that acts in a tab saved. */
export const createRuntimes = ({ bridge, saves }: DownloadsServices): ToolRuntimes => ({
  downloads: async (args: DownloadsArgs, context) => {
    const { id, save_as, overwrite } = args;
    checkTaken(args.action, { id, save_as, overwrite }, TAKES);
    const target = await requireTab(bridge, args, context);
    const on = { bridge, target, context };
    if (args.action === 'take') return take(args, on, saves);
    if (args.action === 'wait') await waitFor(on, args.timeout_ms);
    const tab = formatTabId(target);
    const { url, ...listed } = await askTab(on, 'downloads.list', { tab_id: target.tabId });
    return { ...produceJson({ tab, ...listed }, { tab, url }), untrustedFrom: () => url };
  },
});

/** Why a file is not taken, or null. */
function refusalOf({ file, danger, exists }: MethodResult<'downloads.take'>): string | null {
  if (!KEPT.includes(danger)) return `is one that the browser warns of (${danger})`;
  if (file.state !== 'completed') return `is not complete (${file.state})`;
  return exists ? null : 'is not there any more';
}

/** @throws SpillwayError `timeout`, and `download_refused` where all were interrupted */
async function waitFor(on: On, timeoutMs: number): Promise<void> {
  const wait = { conditions: { download: true }, timeout_ms: timeoutMs } as const;
  const { is_over: isOver, downloads } = await awaitIn(on, wait);
  if (!isOver) return;
  if (areInterrupted(downloads))
    throw new SpillwayError('download_refused', 'Each download was interrupted.');
  const which = downloads.length === 0 ? 'none began' : `${downloads.length} have not ended`;
  throw new SpillwayError('timeout', `No download completed within ${timeoutMs} ms: ${which}.`);
}

/** @throws SpillwayError `download_refused` */
function expectTakeable(taken: MethodResult<'downloads.take'>, saveAs: string | undefined): void {
  const { name } = taken.file;
  const why = refusalOf(taken);
  if (why !== null) throw new SpillwayError('download_refused', `${JSON.stringify(name)} ${why}.`);
  if (saveAs === undefined) return;
  const [ending, wanted] = [extname(name), extname(saveAs)].map((one) => one.toLowerCase());
  if (ending !== wanted)
    throw new SpillwayError(
      'download_refused',
      `save_as: ${JSON.stringify(name)} keeps its ending "${ending}".`,
    );
}

async function take(
  { id, save_as, overwrite }: DownloadsArgs,
  on: On,
  saves: OutputSaves,
): Promise<Produced> {
  if (id === undefined) throw invalidArgument('id: take needs one, from list.');
  const tab = formatTabId(on.target);
  const asksFolder = save_as !== undefined && !saves.hasRoot;
  const taken = await askTab(on, 'downloads.take', {
    tab_id: on.target.tabId,
    id,
    ...(asksFolder && { asks_folder: true }),
  });
  const { name, url, mime_type: declared, total_bytes: sizeBytes } = taken.file;
  const open = async () => {
    expectTakeable(taken, save_as);
    return saves.openSaved(taken.path, sizeBytes);
  };
  const { start, bytes, close } = await open().catch((thrown: unknown) => {
    // The page chose the name of the file.
    throw asQuoting(thrown, url);
  });
  on.context.registerAfterCompletion(close);
  if (save_as !== undefined) {
    const saved = await saves.write(bytes, { name: save_as, overwrite }, taken.folder);
    return produceJson({ tab, saved_as: saved.path, size_bytes: saved.sizeBytes }, { tab, url });
  }
  const { kind, mimeType, charset } = fileTypeOf(declared, start);
  const isText = kind === 'text';
  return {
    payload: isText
      ? { kind: 'text', mimeType, chunks: decodeText(bytes, charset) }
      : { kind: 'bytes', mimeType, chunks: bytes },
    outcome: () => ({
      state: { tab, url, file_name: name, content_type: mimeType, size_bytes: sizeBytes },
      coverage: [
        `File: ${JSON.stringify(name)}, ${mimeType}${declared === '' || declared === mimeType ? '' : `, which its server calls ${declared}`}.`,
        ...(isText ? [] : ['Its bytes are not redacted.']),
      ],
    }),
    untrustedFrom: () => url,
    deliverAs: 'handle',
  };
}
