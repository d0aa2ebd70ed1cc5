import { expect, it } from 'vitest';
import { serveFixtures } from '../../../fixtures/serve.ts';
import { findProcesses, waitForNoProcess } from '../../support/processes.ts';
import { startServer } from '../../support/stdio-server.ts';

it('a private browser starts with the first call, follows a redirect in its first navigation, and goes with the server', async () => {
  const site = await serveFixtures();
  const server = await startServer({ args: ['--launch', '--headless', '--window-size', '900x800'] });
  expect(findProcesses(server.home).filter(({ command }) => command.includes('chromium'))).toEqual([]);
  const answer = await server.call('navigate', { url: `${site.url}/__/cross?to=/many-pages/tiny.html` });
  expect(answer.isError, answer.text).toBe(false);
  const receipt = answer.json<{ readonly url: string }>();
  expect(receipt).toMatchObject({ status: 200, redirects: expect.any(Array) });
  expect(new URL(receipt.url).pathname).toBe('/many-pages/tiny.html');
  expect((await server.call('read_page')).isError).toBe(false);
  const health = (await server.call('oc_connection_health')).json<{ browsers: object[] }>();
  expect(health.browsers).toMatchObject([{ connected: true, window: { width: 900, height: 800 } }]);
  // It runs without a sandbox when it is root, and says so.
  expect(server.said().includes('--no-sandbox')).toBe(process.getuid?.() === 0);
  process.kill(server.pid, 'SIGTERM');
  await waitForNoProcess(server.home);
  await server.close();
  await site.close();
});
