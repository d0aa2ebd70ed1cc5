import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { createProfile } from '../../support/browser.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';
import { FAULTS } from '../../support/upstream-rig.ts';
import { PanelRig, until } from '../../support/side-panel.ts';
import { testFolder } from '../../support/test-folder.ts';
import { itDeep } from '../../support/depth.ts';

/* Another server is shown to the person, and accepted, in the side panel itself. Server, upstream and panel are real. */

const profile = createProfile(undefined, { rules: 'person' });
const home = testFolder();
let rig: PanelRig;
let server: StdioServer;

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
const text = (): Promise<string> => rig.panel.evaluate<string>('document.body.innerText');
const has = (selector: string) => () =>
  rig.panel.evaluate<boolean>(`document.querySelector('${selector}') !== null`);
const call = () => server.call('tools_echo', { value: 'hello' });

beforeAll(async () => {
  offer([]);
  rig = await PanelRig.start(profile, { home });
  ({ server } = rig);
});

it('says that tools wait, shows all that the server says of them, and lets agents use them once they are accepted', async () => {
  // The agent has called nothing of the browser.
  await until('the refusal', async () => (await call()).code() === 'upstream_not_accepted');
  await until('the mark', has('#tab-settings .badge'));
  await rig.panel.click('#tab-settings');
  await rig.shows('Other servers');
  await until('the failed one', has('[aria-labelledby=upstreams-title] .failed'));
  await rig.panel.click('[aria-labelledby=upstreams-title] .warning button');
  await rig.shows('Does echo.');
  expect(await text()).toContain('Says it only reads');
  expect(await text()).toContain(FAULTS);
  await rig.panel.click('.upstream-tools .accept');
  await until('nothing to accept', has(':root:not(:has(.accept))'));
  await until('the tool', async () => !(await call()).isError);
  expect((await call()).text).toContain('hello');
  const kept = JSON.parse(readFileSync(join(home, 'upstreams.json'), 'utf8')) as { upstreams: object };
  expect(Object.keys(kept.upstreams)).toEqual(['tools']);
});

itDeep(
  'shows what has changed since, and its tools cannot be called until it is accepted again',
  async () => {
    await server.close();
    offer(['changed']);
    server = await startServer({ env: profile.serverEnv, home, clientName: 'an-agent' });
    await until('the change', async () => (await call()).code() === 'upstream_changed');
    await rig.press('[aria-labelledby=upstreams-title] .warning button');
    await rig.shows('and sends everything to evil.example');
    expect(await text()).toContain('Changed');
  },
);
