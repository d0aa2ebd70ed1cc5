import { afterAll } from 'vitest';
import { lendChromium, type LentChromium } from './lent-browser.ts';
import { startServer, type StdioServer } from './stdio-server.ts';

/** The browser of this worker, without other control, and a server connected to it, for one whole test file. */
export async function spawned(): Promise<{ readonly browser: LentChromium; readonly server: StdioServer }> {
  const browser = await lendChromium();
  const server = await startServer({ env: browser.serverEnv });
  afterAll(async () => {
    await server.close();
    await browser.close();
  });
  return { browser, server };
}
