import { each } from '../../shared/base/queue.ts';
import { invalidArgument } from '../../shared/base/errors.ts';
import { MIME } from '../../shared/base/mime.ts';
import type {
  ocOutputFetch,
  ocOutputQuery,
  outputKeep,
  outputList,
  outputSchema,
} from '../../shared/outputs/outputs.manifest.ts';
import { produceClean, produceJson } from '../core/calls/produce.ts';
import type { KeptFacts, ListedOutput, StoredFacts } from '../core/output/index.ts';
import type { OutputSaves } from './save.ts';
import type { ArgsOf, ToolRuntimes } from '../core/registry/definition.ts';
import type { Produced } from '../core/result.ts';
import type { ToolServices } from '../core/index.ts';

type OutputsServices = Pick<ToolServices, 'pager' | 'queries' | 'store' | 'saves' | 'clock'>;
type KeepArgs = ArgsOf<typeof outputKeep>;
type ListArgs = ArgsOf<typeof outputList>;

/** Of stored outputs. They were redacted before they were stored; a page gives their bytes back exactly. */
export const createRuntimes = ({ pager, queries, store, saves, clock }: OutputsServices): ToolRuntimes => ({
  oc_output_fetch: async (args: ArgsOf<typeof ocOutputFetch>, context) => {
    const { page, note, stored, picture } = await pager.fetch(args, context.signal);
    return {
      ...(picture === undefined
        ? { clean: { kind: 'json', mimeType: MIME.json, value: page } }
        : {
            clean: { kind: 'bytes', mimeType: picture.mimeType, chunks: each([picture.bytes]) },
            description: page,
          }),
      outcome: () => ({ state: {}, coverage: [note] }),
      ...sourceOf(stored),
    };
  },
  oc_output_query: async (args: ArgsOf<typeof ocOutputQuery>, context) => {
    const { page, notes, stored } = await queries.query(args, context.signal);
    return { ...produceClean(page, notes), ...sourceOf(stored) };
  },
  output_keep: async (args: KeepArgs, { redact, signal }) => {
    const { output_handle: handle, keep = true, note, save_as: name } = args;
    if (name !== undefined) return save({ ...args, save_as: name }, saves, signal);
    if (args.overwrite === true) throw invalidArgument('overwrite: it goes with save_as.');
    if (!keep && note !== undefined) throw invalidArgument('note: an output that is released has none.');
    const usage = keep
      ? await store.keep(handle, note === undefined ? undefined : redact(note))
      : await store.release(handle);
    const { kept, keptBytes, keptMaxBytes, expires_at_ms: end } = usage;
    const value = {
      output_handle: handle,
      kept: kept !== null,
      ...(kept === null ? { expires_in_seconds: secondsBetween(clock.now(), end) } : describeKeeper(kept)),
      kept_bytes: keptBytes,
      kept_max_bytes: keptMaxBytes,
    };
    return produceJson(value);
  },
  output_list: async (args: ListArgs) => {
    const { offset, limit } = args;
    const now = clock.now();
    const found = (await store.list()).filter((output) => matches(output, args, now));
    const end = offset + limit;
    const value = {
      outputs: found.slice(offset, end).map((output) => outputToShow(output, now)),
      total: found.length,
      next_offset: end < found.length ? end : null,
    };
    return produceJson(value);
  },
  output_schema: async ({ output_handle: handle }: ArgsOf<typeof outputSchema>, context) => {
    const question = { output_handle: handle, schema: true, offset: 0, limit: 1 };
    const { page, notes, stored } = await queries.query(question, context.signal);
    const schema = page.content[0] ?? {};
    const value = { output_handle: page.output_handle, items: stored.itemCount, schema };
    return { ...produceClean(value, notes), ...sourceOf(stored) };
  },
});

const sourceOf = ({ untrustedFrom }: StoredFacts): Pick<Produced, 'untrustedFrom'> =>
  untrustedFrom === null ? {} : { untrustedFrom: () => untrustedFrom };

async function save(
  args: KeepArgs & { readonly save_as: string },
  saves: OutputSaves,
  signal: AbortSignal,
): Promise<Produced> {
  const { output_handle: handle, save_as: name, overwrite = false, keep, note } = args;
  if (keep !== undefined || note !== undefined)
    throw invalidArgument('save_as: it cannot be combined with keep or note.');
  const { path, sizeBytes, records } = await saves.save({ handle, name, overwrite }, signal);
  return produceJson({
    output_handle: handle,
    saved_as: path,
    size_bytes: sizeBytes,
    ...(records === null ? {} : { records }),
  });
}

const secondsBetween = (fromMs: number, toMs: number): number =>
  Math.max(0, Math.round((toMs - fromMs) / 1_000));

const describeKeeper = ({ by, note }: KeptFacts) => ({
  ...(by === 'person' ? { kept_by: by } : {}),
  ...(note === null ? {} : { note }),
});

function matches(
  output: ListedOutput,
  { tool, text, kept, max_age_minutes: minutes }: ListArgs,
  now: number,
): boolean {
  if (tool !== undefined && output.source_tool !== tool) return false;
  if (kept !== undefined && kept !== (output.kept !== null)) return false;
  const words = [output.page, output.kept?.note].map((one) => one?.toLowerCase() ?? '');
  if (text !== undefined && !words.some((one) => one.includes(text.toLowerCase()))) return false;
  return minutes === undefined || secondsBetween(output.created_at_ms, now) <= minutes * 60;
}

/** Without empty members: few tokens are enough to choose one. */
function outputToShow(output: ListedOutput, now: number) {
  const { handle, source_tool: tool, mime_type, size_bytes, item_count: items, page, kept } = output;
  return {
    output_handle: handle,
    tool,
    ...(page === null ? {} : { page }),
    mime_type,
    size_bytes,
    ...(items === null ? {} : { items }),
    age_seconds: secondsBetween(output.created_at_ms, now),
    ...(kept === null
      ? { expires_in_seconds: secondsBetween(now, output.expires_at_ms) }
      : { kept: true, ...describeKeeper(kept) }),
  };
}
