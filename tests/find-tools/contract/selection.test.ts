import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { describe, expect, it } from 'vitest';
import { GROUPS } from '../../../server/core/registry/definition.ts';
import { MODES } from '../../../server/core/modes/loader.ts';
import { MANIFESTS } from '../../../shared/core/tools/index.ts';
import { sample } from '../../support/depth.ts';
import { startMemoryServer } from '../../support/memory-client.ts';

const MODE_NAMES = MODES.map(({ name }) => name);

const names = async (client: Client): Promise<readonly string[]> =>
  (await client.listTools()).tools.map(({ name }) => name);

/** Sentences of a server that names a tool, as words: `find` is also a verb. */
const mentions = (instructions: string, name: string): boolean =>
  new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(instructions);

const SELECTIONS: readonly (readonly string[])[] = sample(
  [[], ...GROUPS.map((group) => [group]), ...MANIFESTS.map(({ name }) => [name])],
  6,
);

describe.each(MODE_NAMES)('in mode %s', (mode) => {
  it('the tools of the default mode are listed, and its instructions mention those and no other', async () => {
    const { connect, executor } = await startMemoryServer({ mode });
    const plain = await startMemoryServer();
    for (const selectors of SELECTIONS) {
      const [client, other] = await Promise.all([connect(selectors), plain.connect(selectors)]);
      const listed = await names(client);
      expect(listed.filter((name) => !name.endsWith('_internal'))).toEqual(await names(other));
      const instructions = client.getInstructions() ?? '';
      const known = executor.registry.all();
      const strangers = known.filter(
        ({ manifest: { name } }) => !listed.includes(name) && mentions(instructions, name),
      );
      expect([selectors, strangers.map(({ manifest }) => manifest.name)]).toEqual([selectors, []]);
      for (const { manifest, row } of known) {
        const role = row.systemRole ?? manifest.systemRole;
        if (role !== null && row.audience === 'model')
          expect(instructions.includes(role)).toBe(listed.includes(manifest.name));
      }
      await Promise.all([client.close(), other.close()]);
    }
    await plain.close();
  });
});
