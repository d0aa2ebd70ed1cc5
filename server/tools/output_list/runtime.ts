import type { z } from 'zod';
import type { outputList } from '../../../shared/tools/output_list/manifest.ts';
import { produceJson } from '../../core/calls/produce.ts';
import type { ToolRuntimes } from '../../core/registry/definition.ts';
import type { Clock } from '../../core/services.ts';
import type { ListedOutput, OutputStoreInfo } from '../../core/output.ts';

type Args = z.output<typeof outputList.input>;

interface Services {
  readonly store: Pick<OutputStoreInfo, 'list'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** `output_list`: the stored outputs of this home, whichever session stored them. */
export const createRuntimes = ({ store, clock }: Services): ToolRuntimes => ({
  output_list: async (args: Args) => {
    const { offset, limit } = args;
    const now = clock.now();
    const found = (await store.list()).filter((output) => matches(output, args, now));
    const end = offset + limit;
    const value = {
      outputs: found.slice(offset, end).map((output) => shown(output, now)),
      total: found.length,
      next_offset: end < found.length ? end : null,
    };
    return produceJson(value);
  },
});

const ageOf = ({ created_at_ms: createdAt }: ListedOutput, now: number): number =>
  Math.max(0, Math.round((now - createdAt) / 1_000));

function matches(
  output: ListedOutput,
  { tool, text, kept, max_age_minutes: minutes }: Args,
  now: number,
): boolean {
  if (tool !== undefined && output.source_tool !== tool) return false;
  if (kept !== undefined && kept !== (output.kept !== null)) return false;
  const words = [output.page, output.kept?.note].map((one) => one?.toLowerCase() ?? '');
  if (text !== undefined && !words.some((one) => one.includes(text.toLowerCase()))) return false;
  return minutes === undefined || ageOf(output, now) <= minutes * 60;
}

/** Without empty members: few tokens are enough to choose one. */
function shown(output: ListedOutput, now: number) {
  const { handle, source_tool: tool, mime_type, size_bytes, item_count: items, page, kept } = output;
  return {
    output_handle: handle,
    tool,
    ...(page === null ? {} : { page }),
    mime_type,
    size_bytes,
    ...(items === null ? {} : { items }),
    age_seconds: ageOf(output, now),
    ...(kept === null
      ? { expires_in_seconds: Math.max(0, Math.round((output.expires_at_ms - now) / 1_000)) }
      : {
          kept: true,
          ...(kept.by === 'person' ? { kept_by: kept.by } : {}),
          ...(kept.note === null ? {} : { note: kept.note }),
        }),
  };
}
