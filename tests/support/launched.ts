import { serveFixtures } from '../../fixtures/serve.ts';
import { calling } from './calling.ts';
import { spawnFirefox } from './firefox.ts';
import { lendChromium } from './lent-browser.ts';
import { startServer } from './stdio-server.ts';
import { atEndOfFile } from './end-of-file.ts';

/** The sites of the fixtures, and a server connected to the browser of this worker, for one whole test file. */
export async function launched(...args: readonly string[]) {
  const site = await serveFixtures();
  atEndOfFile(() => site.close());
  const browser = await (process.env.SPILLWAY_ENGINE === 'firefox' ? spawnFirefox() : lendChromium());
  const server = await startServer({ env: browser.serverEnv, args });
  return { site, browser, server, ...calling(() => server) };
}
