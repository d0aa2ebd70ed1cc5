import { z } from 'zod';
import type { CallContext } from '../../server/core/context.ts';
import type { Outcome, Produced } from '../../server/core/result.ts';
import { produceJson } from '../../server/core/calls/produce.ts';
import { defineTool, type ToolDraft, type ToolManifest } from '../../shared/core/tools/manifest.ts';
import { MIME } from '../../shared/base/mime.ts';
import type { MemoryParts } from './memory-client.ts';

const Input = z.strictObject({ value: z.string().optional() });
type Input = z.output<typeof Input>;

export type Work = (args: Input, context: CallContext) => Promise<Produced>;

export function testManifest(
  name: string,
  changes: Partial<ToolDraft<string, typeof Input>> = {},
): ToolManifest<string, typeof Input> {
  return defineTool({
    name,
    title: 'Of a test',
    category: 'experimental',
    risk: 'none',
    does: 'Does what its test says.',
    use: 'Only there.',
    input: Input,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    tasks: 'optional',
    ...changes,
  });
}

export function testTools(
  works: Readonly<Record<string, Work>>,
  changes: Partial<ToolDraft<string, typeof Input>> = {},
): Pick<MemoryParts, 'manifests' | 'runtimes'> {
  return {
    manifests: Object.keys(works).map((name) => testManifest(name, changes)),
    runtimes: Object.fromEntries(
      Object.entries(works).map(([name, run]) => [name, async () => ({ [name]: run })]),
    ),
  };
}

export const echo: Work = async ({ value = '' }) => produceJson({ value });

/** Rejects with the signal's reason when it aborts, and never before. */
export function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(signal.reason);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}

/** A payload whose items and end are the test's own. */
export const produceItems = (
  items: AsyncIterable<string>,
  outcome: () => Outcome = () => ({ state: {}, coverage: [] }),
): Produced => ({ payload: { kind: 'items', mimeType: MIME.json, items }, outcome });
