import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Listeners } from '../../server/core/listeners.ts';
import { startMemoryServer, type MemoryServer } from '../support/memory-client.ts';
import { PATIENCE } from '../support/patience.ts';

// A resource of the adapter's own is subscribed to like any other, when it can say that it changed.

const uri = 'own://changes';
const changes = new Listeners<void>();
let following = 0;
let server: MemoryServer;
beforeAll(async () => {
  const resource = (name: string) => ({
    resource: { uri: name, name },
    matches: (asked: string) => asked === name,
    read: async () => [{ uri: name, text: 'now' }],
  });
  server = await startMemoryServer(
    {},
    {
      ownResources: [
        resource('own://stays'),
        {
          ...resource(uri),
          onUpdate: (_uri, listener) => {
            const stop = changes.add(listener);
            following += 1;
            return () => {
              following -= 1;
              stop();
            };
          },
        },
      ],
    },
  );
});
afterAll(() => server.close());

it('is notified of each change until it ends, and ends with its session', async () => {
  const client = await server.connect();
  const updates: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    updates.push(params.uri);
  });
  await client.subscribeResource({ uri });
  await client.subscribeResource({ uri });
  expect(following).toBe(1);
  changes.notify();
  await vi.waitFor(() => expect(updates).toEqual([uri]), PATIENCE);
  await client.unsubscribeResource({ uri });
  expect(following).toBe(0);
  await client.subscribeResource({ uri });
  await client.close();
  await vi.waitFor(() => expect(following).toBe(0), PATIENCE);
});

it('is refused for one that cannot say so', async () => {
  await expect(server.client.subscribeResource({ uri: 'own://stays' })).rejects.toMatchObject({
    code: -32_002,
  });
});
