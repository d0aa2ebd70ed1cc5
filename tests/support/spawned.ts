import { afterAll } from 'vitest';
import { spawnChromium, type TestChromium } from './browser.ts';
import { startServer, type StdioServer } from './stdio-server.ts';

/** A browser without other control, and a server connected to it, for one whole test file. */
export async function spawned(): Promise<{ readonly browser: TestChromium; readonly server: StdioServer }> {
  const browser = await spawnChromium();
  const server = await startServer({ env: browser.serverEnv });
  afterAll(async () => {
    await server.close();
    await browser.close();
  });
  return { browser, server };
}
