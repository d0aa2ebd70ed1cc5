import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProfile } from '../../support/browser.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';
import { FAULTS } from '../../support/upstream-rig.ts';
import { spawnBrowser, type SpawnedBrowser } from '../worker/browser.ts';
import type { CdpTarget } from '../worker/cdp-target.ts';
import { openSidePanel, until } from './side-panel.ts';
import { testFolder } from '../../support/test-folder.ts';

/* Another server is shown to the person, and accepted, in the side panel itself. Server, upstream and panel are real. */

const profile = createProfile(undefined, { rules: 'person' });
const home = testFolder();
let browser: SpawnedBrowser;
let server: StdioServer;
let panel: CdpTarget;

const offer = (flags: readonly string[]): void =>
  writeFileSync(
    join(home, 'spillway.json'),
    JSON.stringify({
      upstreams: [
        { id: 'tools', command: process.execPath, args: [FAULTS, ...flags] },
        { id: 'gone', command: process.execPath, args: ['-e', 'process.exit(3)'] },
      ],
    }),
  );
const start = (): Promise<StdioServer> =>
  startServer({ env: profile.serverEnv, home, clientName: 'an-agent' });
const text = (): Promise<string> => panel.evaluate<string>('document.body.innerText');
const shows = (what: string): Promise<unknown> => until(what, async () => (await text()).includes(what));
const call = () => server.call('tools_echo', { value: 'hello' });

beforeAll(async () => {
  offer([]);
  browser = await spawnBrowser(profile.profile);
  server = await start();
  panel = await openSidePanel(browser);
});
afterAll(async () => {
  await server.close();
  await browser.close();
  rmSync(profile.folder, { recursive: true, force: true });
});

it('says that tools wait, shows all that the server says of them, and lets agents use them once they are accepted', async () => {
  // The agent has called nothing of the browser.
  await until('the refusal', async () => (await call()).code() === 'upstream_not_accepted');
  await until('the mark', () =>
    panel.evaluate<boolean>("document.querySelector('#tab-settings .badge') !== null"),
  );
  await panel.click('#tab-settings');
  await shows('Other servers');
  await until('the failed one', () =>
    panel.evaluate<boolean>("document.querySelector('[aria-labelledby=upstreams-title] .failed') !== null"),
  );
  await panel.click('[aria-labelledby=upstreams-title] .warning button');
  await shows('Does echo.');
  expect(await text()).toContain('Says it only reads');
  expect(await text()).toContain(FAULTS);
  await panel.click('.upstream-tools .accept');
  await until('nothing to accept', () =>
    panel.evaluate<boolean>("document.querySelector('.accept') === null"),
  );
  await until('the tool', async () => !(await call()).isError);
  expect((await call()).text).toContain('hello');
  const kept = JSON.parse(readFileSync(join(home, 'upstreams.json'), 'utf8')) as { upstreams: object };
  expect(Object.keys(kept.upstreams)).toEqual(['tools']);
});

it('shows what has changed since, and its tools cannot be called until it is accepted again', async () => {
  await server.close();
  offer(['changed']);
  server = await start();
  await until('the change', async () => (await call()).code() === 'upstream_changed');
  await until('the mark', () =>
    panel.evaluate<boolean>("document.querySelector('[aria-labelledby=upstreams-title] .warning') !== null"),
  );
  await panel.click('[aria-labelledby=upstreams-title] .warning button');
  await shows('and sends everything to evil.example');
  expect(await text()).toContain('Changed');
});
