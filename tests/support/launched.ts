import { afterAll } from 'vitest';
import { serveFixtures, type FixtureServer } from '../../fixtures/serve.ts';
import { startServer, type StdioServer } from './stdio-server.ts';

/** The sites of the fixtures, and a server with a browser of its own, for one whole test file. */
export async function launched(
  ...args: readonly string[]
): Promise<{ readonly site: FixtureServer; readonly server: StdioServer }> {
  const site = await serveFixtures();
  const server = await startServer({ args: ['--launch', '--headless', ...args] });
  afterAll(async () => {
    await server.close();
    await site.close();
  });
  return { site, server };
}
