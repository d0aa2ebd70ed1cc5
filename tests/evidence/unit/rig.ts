import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CallContext } from '../../../server/core/context.ts';
import { systemClock } from '../../../server/core/services.ts';
import type { Produced } from '../../../server/core/result.ts';
import { createScratch } from '../../../server/core/machine/private-folder.ts';
import { createRedactor } from '../../../server/libraries/redaction/index.ts';
import { createEvidenceBundle } from '../../../server/evidence/oc_evidence_bundle.runtime.ts';
import type { EvidencePart } from '../../../shared/evidence/oc_evidence_bundle.manifest.ts';
import { silentLogger } from '../../support/app-options.ts';
import { payloadOf } from '../../support/clean.ts';
import { temporaryHome } from '../../support/home.ts';
import { callContext } from '../../support/session.ts';
import { FakeTab } from './fake-tab.ts';

interface Call {
  readonly include?: EvidencePart[];
  readonly reload?: boolean;
  readonly mode?: CallContext['output']['mode'];
  readonly limitBytes?: number;
  readonly signal?: AbortSignal;
}

export async function rig(tab = new FakeTab(), evidenceKey?: string, evidenceTimestampUrl?: string) {
  const home = await temporaryHome();
  const scratch = createScratch({ home, logger: silentLogger });
  const after: Parameters<CallContext['registerAfterCompletion']>[0][] = [];
  const progress: string[] = [];
  const runtime = createEvidenceBundle({
    bridge: tab.bridge,
    network: tab.network,
    redactor: createRedactor({ enabled: true }),
    scratch,
    clock: systemClock,
    version: '0.1.0',
    evidenceKey,
    evidenceTimestampUrl,
  });
  const run = ({ include, reload = false, mode = 'handle', limitBytes = 32_768, signal }: Call = {}) =>
    runtime(
      { tab: 'b1:42', reload, ...(include === undefined ? {} : { include }) },
      callContext({
        signal: signal ?? new AbortController().signal,
        progress: ({ message }) => void progress.push(message ?? ''),
        output: { mode, inlineLimitBytes: limitBytes },
        aside: (waiting) => waiting(),
        registerAfterCompletion: (task) => void after.push(task),
      }),
    );
  const finish = async (isSuccess = true): Promise<string[]> => {
    for (const task of after) await task({ isSuccess });
    return existsSync(join(home, 'tmp')) ? readdirSync(join(home, 'tmp')) : [];
  };
  return { tab, progress, run, finish };
}

export async function bytesOf(produced: Produced): Promise<Buffer> {
  const payload = payloadOf(produced);
  if (payload.kind !== 'bytes') throw new Error(`It is ${payload.kind}.`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of payload.chunks) chunks.push(chunk);
  return Buffer.concat(chunks);
}
