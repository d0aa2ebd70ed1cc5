import type { z } from 'zod';
import { invalidArgument } from '../../../shared/errors.ts';
import type { outputKeep } from '../../../shared/tools/output_keep/manifest.ts';
import type { ToolRuntimes } from '../../core/registry/definition.ts';
import type { Produced } from '../../core/result.ts';
import { produceJson } from '../../core/calls/produce.ts';
import type { Clock } from '../../core/services.ts';
import type { OutputKeeping, OutputSaves } from '../../core/output.ts';

type Args = z.output<typeof outputKeep.input>;

interface Services {
  readonly store: OutputKeeping;
  readonly saves: OutputSaves;
  readonly clock: Pick<Clock, 'now'>;
}

/** `output_keep`: keeps a stored output, lets it expire, or saves it to a file. */
export const createRuntimes = ({ store, saves, clock }: Services): ToolRuntimes => ({
  output_keep: async (args: Args, { redact, signal }) => {
    const { output_handle: handle, keep = true, note, save_as: name } = args;
    if (name !== undefined) return save({ ...args, save_as: name }, saves, signal);
    if (args.overwrite === true) throw invalidArgument('overwrite: it goes with save_as.');
    if (!keep && note !== undefined) throw invalidArgument('note: an output that is released has none.');
    const usage = keep
      ? await store.keep(handle, note === undefined ? undefined : redact(note))
      : await store.release(handle);
    const { kept, keptBytes, keptMaxBytes, expires_at_ms: end } = usage;
    const left = Math.max(0, Math.round((end - clock.now()) / 1_000));
    const value = {
      output_handle: handle,
      kept: kept !== null,
      ...(kept === null ? { expires_in_seconds: left } : {}),
      ...(kept?.by === 'person' ? { kept_by: kept.by } : {}),
      ...(kept === null || kept.note === null ? {} : { note: kept.note }),
      kept_bytes: keptBytes,
      kept_max_bytes: keptMaxBytes,
    };
    return produceJson(value);
  },
});

async function save(
  {
    output_handle: handle,
    save_as: name,
    overwrite = false,
    keep,
    note,
  }: Args & { readonly save_as: string },
  saves: OutputSaves,
  signal: AbortSignal,
): Promise<Produced> {
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
