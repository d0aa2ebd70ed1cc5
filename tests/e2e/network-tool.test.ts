import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveFixtures, type FixtureServer } from '../../fixtures/serve.ts';
import { startServer, type StdioServer } from '../support/stdio-server.ts';

let site: FixtureServer;
let server: StdioServer;

beforeAll(async () => {
  site = await serveFixtures();
  server = await startServer({ args: ['--launch', '--headless'] });
});
afterAll(async () => {
  await server.close();
  await site.close();
});

interface Entry {
  readonly _id: string;
  readonly request: { readonly url: string; readonly method: string };
  readonly response: { readonly status: number; readonly content: { readonly text?: string } };
}

describe('network through the browser', () => {
  it('captures a page from its first request on', async () => {
    await server.call('tabs', { action: 'open', url: 'about:blank' });
    const started = await server.call('network', { action: 'start' });
    expect(started.json()).toMatchObject({ state: 'capturing', source: 'debugger' });
    await server.call('navigate', { url: `${site.url}/network/` });
    const slice = await server.call('network', { bodies: 'text', filter: { url: 'page.js' } });
    const [entry] = slice.json<Entry[]>();
    expect(entry?.response.content.text).toContain('Makes every kind of request');
  });
});
