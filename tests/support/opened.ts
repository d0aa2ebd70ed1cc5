import { expect } from 'vitest';
import type { StdioServer } from './stdio-server.ts';

interface Receipt {
  readonly tab: string;
  readonly url: string;
}

/** Goes to a page, which has to succeed. */
export async function open(server: StdioServer, url: string, args: object = {}): Promise<Receipt> {
  const answer = await server.call('navigate', { url, ...args });
  expect(answer.isError, answer.text).toBe(false);
  return answer.json<Receipt>();
}

/** The window of the only browser, which is connected. */
export async function firstWindow(server: StdioServer): Promise<object | undefined> {
  const health = (await server.call('oc_connection_health')).json<{ browsers: { window: object }[] }>();
  expect(health.browsers).toMatchObject([{ connected: true }]);
  return health.browsers[0]?.window;
}
