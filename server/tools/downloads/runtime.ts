import { extname } from 'node:path';
import type { z } from 'zod';
import type { MethodResult } from '../../../shared/bridge/methods.ts';
import { areInterrupted } from '../../../shared/act/downloads.ts';
import { SpillwayError, invalidArgument } from '../../../shared/errors.ts';
import type { manifest } from '../../../shared/tools/downloads/manifest.ts';
import { produceJson } from '../../core/calls/produce.ts';
import { callerOf, type CallContext } from '../../core/context.ts';
import type { ToolRuntime, ToolRuntimes } from '../../core/registry/definition.ts';
import type { Produced } from '../../core/result.ts';
import type { Bridge } from '../../core/services.ts';
import type { OutputSaves } from '../../core/output.ts';
import { formatTabId, onTab, requireTab, type TabTarget } from '../../core/targets.ts';
import { decodeText, fileTypeOf } from '../../toolkit/file-stream.ts';
import type { ToolServices } from '../index.ts';

type Args = z.output<typeof manifest.input>;

type Services = Pick<ToolServices, 'bridge' | 'saves'>;

/** If the browser warns about a file, a person has not agreed to keep it. */
const KEPT: readonly string[] = ['safe', 'accepted'];
/** The browser answers by itself within the time. */
const GRACE_MS = 30_000;

export const createRuntimes = (services: Services): ToolRuntimes => ({
  downloads: createDownloads(services),
});

/** `downloads`: the files that acts in a tab saved. */
function createDownloads({ bridge, saves }: Services): ToolRuntime<Args> {
  const take = async (args: Args, target: TabTarget, { call, signal }: CallContext): Promise<Produced> => {
    if (args.id === undefined) throw invalidArgument('id: take needs one, from list.');
    const { file, path, danger, exists } = await bridge.request(
      target.browser,
      'downloads.take',
      { tab_id: target.tabId, id: args.id },
      { call, signal },
    );
    const why = KEPT.includes(danger)
      ? file.state !== 'completed'
        ? `is not complete (${file.state})`
        : exists
          ? null
          : 'is not there any more'
      : `is one that the browser warns of (${danger})`;
    if (why !== null) throw new SpillwayError('download_refused', `${JSON.stringify(file.name)} ${why}.`);
    const { start, bytes } = await saves.openSaved(path, file.total_bytes);
    return await produceTaken({ args, tab: formatTabId(target), file, start, bytes }, saves);
  };
  return async (args, context) => {
    const target = await requireTab(bridge, args, context);
    return await onTab(target, context, async () => {
      if (args.action === 'take') return await take(args, target, context);
      const { call, signal } = context;
      const where = { tab_id: target.tabId };
      if (args.action === 'wait') await waitFor(bridge, target, { args, context });
      const { url, ...listed } = await bridge.request(target.browser, 'downloads.list', where, {
        call,
        signal,
      });
      const tab = formatTabId(target);
      return { ...produceJson({ tab, ...listed }, { tab, url }), untrustedFrom: () => url };
    });
  };
}

/** @throws SpillwayError `timeout`, and `download_refused` where all were interrupted */
async function waitFor(
  bridge: Bridge,
  { browser, tabId }: TabTarget,
  { args, context }: { readonly args: Args; readonly context: CallContext },
): Promise<void> {
  const { is_over: isOver, downloads } = await bridge.request(
    browser,
    'page.await',
    {
      tab_id: tabId,
      caller: callerOf(context),
      conditions: { download: true },
      mode: 'all',
      timeout_ms: args.timeout_ms,
    },
    { call: context.call, signal: context.signal, idleTimeoutMs: args.timeout_ms + GRACE_MS },
  );
  if (!isOver) return;
  if (areInterrupted(downloads))
    throw new SpillwayError('download_refused', 'Each download was interrupted.');
  const which = downloads.length === 0 ? 'none began' : `${downloads.length} have not ended`;
  throw new SpillwayError('timeout', `No download completed within ${args.timeout_ms} ms: ${which}.`);
}

interface Taken {
  readonly args: Args;
  readonly tab: string;
  readonly file: MethodResult<'downloads.take'>['file'];
  readonly start: Uint8Array;
  readonly bytes: AsyncIterable<Uint8Array>;
}

async function produceTaken({ args, tab, file, start, bytes }: Taken, saves: OutputSaves): Promise<Produced> {
  const { name, url, mime_type: declared } = file;
  if (args.save_as !== undefined) {
    const [ending, wanted] = [extname(name), extname(args.save_as)].map((one) => one.toLowerCase());
    if (ending !== wanted)
      throw new SpillwayError(
        'download_refused',
        `save_as: ${JSON.stringify(name)} keeps its ending "${ending}".`,
      );
    const { path, sizeBytes } = await saves.write(bytes, { name: args.save_as, overwrite: args.overwrite });
    return produceJson({ tab, saved_as: path, size_bytes: sizeBytes }, { tab, url });
  }
  const { kind, mimeType, charset } = fileTypeOf(declared, start);
  const isText = kind === 'text';
  return {
    payload: isText
      ? { kind: 'text', mimeType, chunks: decodeText(bytes, charset) }
      : { kind: 'bytes', mimeType, chunks: bytes },
    done: Promise.resolve({
      state: { tab, url, file_name: name, content_type: mimeType, size_bytes: file.total_bytes },
      coverage: [
        `File: ${JSON.stringify(name)}, ${mimeType}${declared === '' || declared === mimeType ? '' : `, which its server calls ${declared}`}.`,
        ...(isText ? [] : ['Its bytes are not redacted.']),
      ],
    }),
    untrustedFrom: () => url,
    deliverAs: 'handle',
  };
}
