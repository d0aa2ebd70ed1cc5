import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMixedToolsClient, type MixedToolsClient } from '../../../server/library/index.ts';
import { temporaryHome } from '../../support/home.ts';
import { FAULTS, FILESYSTEM } from '../../support/upstream-rig.ts';

let home: string;
let client: MixedToolsClient | undefined;
beforeEach(async () => {
  home = await temporaryHome();
});
afterEach(() => client?.close());

const servers = () => [
  { id: 'odd', command: process.execPath, args: [FAULTS] },
  { id: 'files', command: process.execPath, args: [FILESYSTEM, home] },
];

it('mixes tools of several servers, chosen by either name', async () => {
  client = createMixedToolsClient(servers(), { home });
  expect(Object.keys(await client.tools())).toEqual(
    expect.arrayContaining(['odd_echo', 'files_read_text_file']),
  );
  expect(Object.keys(await client.tools({ names: ['odd_echo', 'none'] }))).toEqual(['odd_echo']);
  const filtered = await client.tools({
    filter: (name, { id, rawName }) => id === 'odd' && name !== rawName && rawName === 'act',
  });
  expect(Object.values(filtered)).toMatchObject([
    { name: 'odd_act', id: 'odd', rawName: 'act', isReadOnly: false },
  ]);
  const { odd_echo: echo } = await client.tools();
  expect(await echo?.execute?.({ value: 'a' })).toMatchObject({ ok: true, text: 'a' });
  // It reads handles.
  expect(client.spillway.find('oc_output_fetch')).toMatchObject({ name: 'oc_output_fetch' });
});
