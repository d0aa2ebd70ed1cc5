import type { Logger } from '../core/services.ts';
import type { RedactJson } from './answers.ts';
import { fingerprintOf, targetOf, type McpEntry } from './config.ts';
import { Upstreams, type UpstreamSlot } from './provider.ts';
import type { Trust } from './trust.ts';

export {
  configPath,
  parseEntry,
  readUpstreams,
  type ConfigPlaces,
  type McpEntry,
  type McpEntryInput,
} from './config.ts';
export type { Upstreams, UpstreamReport } from './provider.ts';
export type { UpstreamTool } from './source.ts';
export { trustAll, trustOf, type Trust } from './trust.ts';

/** What upstreams are made with. */
export interface CreateUpstreamsOptions {
  readonly entries: readonly McpEntry[];
  readonly trust: Trust;
  /** Whether a name is one of ours. */
  readonly isTaken: (name: string) => boolean;
  /** Everything that is secret or invisible. */
  readonly redact: RedactJson;
  /** Our own secrets alone: those of `--secrets`. */
  readonly redactOwn: RedactJson;
  readonly logger: Logger;
  readonly version: string;
}

/** The upstreams of a server. Nothing is connected, or even loaded, before `start`. */
export function createUpstreams({ entries, version, ...options }: CreateUpstreamsOptions): Upstreams {
  const { logger } = options;
  const slots = entries.map((entry): UpstreamSlot => {
    const { id, output } = entry;
    return {
      id,
      output,
      target: targetOf(entry),
      fingerprint: fingerprintOf(entry),
      open: async (distinct) => {
        const { McpSource } = await import('./mcp/source.ts');
        return new McpSource({ entry, id: distinct, version, logger, environment: process.env });
      },
    };
  });
  return new Upstreams({ ...options, slots });
}
