import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, vi } from 'vitest';
import { codeOf } from '../../support/code-of.ts';
import type { MemoryServer } from '../../support/memory-client.ts';
import { PATIENCE } from '../../support/patience.ts';
import { FAULTS, keptLog, program } from '../../support/upstream-rig.ts';
import { startClient, startUpstreams } from '../../support/upstream-test.ts';

const OWN = 'file:///notes/a.txt';
const URI = `upstream://odd/${OWN}`;

async function start(...flags: string[]) {
  const log = keptLog();
  const server = await startUpstreams([program('odd', [FAULTS, 'offers', ...flags])], { logger: log });
  /** What the upstream was asked, in its order. */
  const asked = (): readonly string[] =>
    log.lines.flatMap((line) => /\b(?:un)?subscribe .*$/.exec(line)?.[0] ?? []);
  return { server, asked };
}

async function follower(server: MemoryServer): Promise<{ client: Client; updates: string[] }> {
  const updates: string[] = [];
  const client = await startClient(server, {}, (made) =>
    made.setNotificationHandler(
      ResourceUpdatedNotificationSchema,
      ({ params }) => void updates.push(params.uri),
    ),
  );
  return { client, updates };
}

describe('a resource of an upstream', () => {
  it('is followed once for all that follow it, and until the last one leaves', async () => {
    const { server, asked } = await start();
    const one = await follower(server);
    const two = await follower(server);
    await Promise.all([one, two, one].map(({ client }) => client.subscribeResource({ uri: URI })));
    await server.call('odd_touches', { uris: [OWN] });
    await vi.waitFor(() => expect([one.updates, two.updates]).toEqual([[URI], [URI]]), PATIENCE);
    await one.client.unsubscribeResource({ uri: URI });
    await server.call('odd_touches', { uris: [OWN] });
    await vi.waitFor(() => expect(two.updates).toHaveLength(2), PATIENCE);
    expect(one.updates).toHaveLength(1);
    // The end of its session.
    await two.client.close();
    await vi.waitFor(() => expect(asked()).toEqual([`subscribe ${OWN}`, `unsubscribe ${OWN}`]), PATIENCE);
  });

  it('tells of what is below it, and of nothing else', async () => {
    const { server } = await start();
    const { client, updates } = await follower(server);
    await client.subscribeResource({ uri: 'upstream://odd/file:///notes' });
    await server.call('odd_touches', { uris: ['file:///other', 'file:///notes2', OWN] });
    await vi.waitFor(() => expect(updates).toEqual([URI]), PATIENCE);
  });

  it('that changes without an end is passed on now and then', async () => {
    const { server } = await start();
    const { client, updates } = await follower(server);
    await client.subscribeResource({ uri: URI });
    await server.call('odd_touches', { uris: Array<string>(1_000).fill(OWN) });
    await vi.waitFor(() => expect(updates).toHaveLength(2), PATIENCE);
  });

  it('is followed again after its upstream was started again, and may have changed', async () => {
    const { server, asked } = await start();
    const { client, updates } = await follower(server);
    await client.subscribeResource({ uri: URI });
    await server.call('odd_dies');
    await vi.waitFor(() => expect(asked()).toEqual([`subscribe ${OWN}`, `subscribe ${OWN}`]), PATIENCE);
    await vi.waitFor(() => expect(updates).toEqual([URI]), PATIENCE);
  });

  it.each([
    ['upstream://odd/file:///none', [], 'no such resource'],
    ['upstream://none/file:///a', [], 'no upstream none'],
    [URI, ['still'], 'does not tell of changes'],
  ] as const)('is not followed as %s with flags %j, for a reason', async (uri, flags, why) => {
    const { server } = await start(...flags);
    const refused = server.client.subscribeResource({ uri });
    await expect(refused).rejects.toThrow(why);
    await expect(codeOf(refused)).resolves.toBe('-32002');
    // It may be asked again.
    await expect(server.client.subscribeResource({ uri })).rejects.toThrow(why);
  });
});
