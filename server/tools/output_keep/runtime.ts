import type { z } from 'zod';
import { SpillwayError } from '../../../shared/errors.ts';
import { MIME } from '../../../shared/mime.ts';
import type { outputKeep } from '../../../shared/tools/output_keep/manifest.ts';
import type { ToolRuntime, ToolRuntimes } from '../../core/registry/runtime.ts';
import type { Clock, OutputKeeping } from '../../core/services.ts';

type Args = z.output<typeof outputKeep.input>;

interface Services {
  readonly store: OutputKeeping;
  readonly clock: Pick<Clock, 'now'>;
}

export const createRuntimes = (services: Services): ToolRuntimes => ({
  output_keep: createOutputKeep(services),
});

/** `output_keep`: keeps a stored output, or lets it expire. */
function createOutputKeep({ store, clock }: Services): ToolRuntime<Args> {
  return {
    async run({ output_handle: handle, keep, note }, { redact }) {
      if (!keep && note !== undefined)
        throw new SpillwayError('invalid_argument', 'note: an output that is released has none.');
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
      return {
        payload: { kind: 'json', mimeType: MIME.json, value },
        done: Promise.resolve({ state: {}, coverage: [] }),
      };
    },
  };
}
