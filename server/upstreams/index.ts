import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { lazy } from '../../shared/base/async.ts';
import { describeFacts, loggerOf, type KnownSecret, type Logger } from '../core/services.ts';
import { Lineage } from '../core/upstreams.ts';
import { sha256 } from '../core/machine/files.ts';
import { createChangingCleaners, type Cleaner, type RedactorsWith, credentialsOf } from './answers.ts';
import { fillVariables, fingerprintOf, isDocument, targetOf, type UpstreamEntry } from './config.ts';
import type { OAuthSession } from './mcp/oauth/session.ts';
import { Upstreams, type UpstreamSlot, type UpstreamsOptions } from './provider.ts';

export {
  configPath,
  isDocument,
  parseEntry,
  readUpstreams,
  type ConfigPlaces,
  type RemoteEntry,
  type UpstreamEntry,
  type UpstreamEntryInput,
} from './config.ts';
export { mayStart } from './answers.ts';
export type { Upstreams, UpstreamReport } from './provider.ts';
export { trustAll, trustOf, type Trust } from './trust.ts';

export interface CreateUpstreamsOptions extends Pick<UpstreamsOptions, 'trust' | 'isTaken' | 'logger'> {
  readonly entries: readonly UpstreamEntry[];
  readonly redactorsWith: RedactorsWith;
  readonly home: string;
  /** It only inspects, in place of a server. */
  readonly isVisitor?: boolean;
}

/** The upstreams of a server. Nothing is connected, or even loaded, before `start`. */
export function createUpstreams(given: CreateUpstreamsOptions): Upstreams {
  const { entries, redactorsWith, home, isVisitor = false, ...options } = given;
  const { logger } = options;
  const lineage = new Lineage({ id: randomUUID(), home: sha256(resolve(home)), isVisitor });
  const endLeftoversOnce = lazy(async () => (await import('./mcp/stdio.ts')).endLeftovers(home));
  const slots = entries.map((entry): UpstreamSlot => {
    const credentials = credentialsOf(entry, process.env);
    // An open sign-in: its tokens change.
    let session: OAuthSession | null = null;
    const secretsNow = (): readonly KnownSecret[] => [...credentials, ...(session?.secrets() ?? [])];
    const redactors = createChangingCleaners(secretsNow, redactorsWith);
    const { redactOwn } = redactors;
    const shown = { id: entry.id, target: targetOf(entry), fingerprint: fingerprintOf(entry), redactors };
    if (isDocument(entry))
      return {
        ...shown,
        output: 'policy',
        open: async (id) => {
          const { OpenApiSource } = await import('./openapi/index.ts');
          const headers = fillVariables(entry.headers, `upstream ${id}: headers`);
          const own = { id, headers, redactOwn: (text: string) => redactOwn.json(text) };
          return new OpenApiSource({ ...entry, ...own }, { answerMs: entry.timeoutMs });
        },
      };
    const own = cleanLogger(logger, redactOwn);
    return {
      ...shown,
      output: entry.output,
      open: async (id) => {
        const { McpSource } = await import('./mcp/source.ts');
        if ('command' in entry)
          endLeftoversOnce().catch((err: unknown) => own.warn({ err }, 'leftover upstreams were not ended'));
        if ('url' in entry) {
          const { openSession } = await import('./mcp/oauth/sessions.ts');
          session = openSession(entry, { home, id });
        }
        return new McpSource({ entry, id, logger: own, lineage, home, ...redactors, session });
      },
    };
  });
  return new Upstreams({ ...options, lineage, slots });
}

/**
 * Log lines about an upstream: errors quote its words, and the logger does not know the credentials of its
 * entry.
 */
const cleanLogger = (logger: Logger, { json }: Cleaner): Logger =>
  loggerOf((level, facts, message) => logger[level](json(describeFacts(facts)), json(message)));
