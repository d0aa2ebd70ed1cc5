import { setImmediate } from 'node:timers/promises';
import { afterEach } from 'vitest';
import type { AppParts } from '../../server/core/app.ts';
import type { SpillwayOptions } from '../../server/library/options.ts';
import { assembleSpillway, type Spillway } from '../../server/library/spillway.ts';
import { FakeBridge } from './fake-bridge.ts';
import type { FakeTab } from './fake-tabs.ts';
import { testFolder } from './test-folder.ts';

export type LocalSpillway = { readonly spillway: Spillway; readonly bridge: FakeBridge };

export const PAGE: FakeTab = {
  url: 'https://example.com/',
  title: 'Example',
  content: () => ['# Example\n', 'Hello.\n'],
};

export async function* endlessText(): AsyncGenerator<string> {
  for (;;) yield await setImmediate('line\n');
}

/** Starts libraries that are closed after each test of the file that calls this. */
export function localSpillways(): (options?: SpillwayOptions, parts?: AppParts) => Promise<LocalSpillway> {
  const open: Spillway[] = [];
  afterEach(async () => {
    for (const spillway of open.splice(0)) await spillway.close();
  });
  return async (options = {}, parts = {}) => {
    const bridge = new FakeBridge();
    const spillway = assembleSpillway({ home: testFolder(), ...options }, { bridge, ...parts });
    open.push(spillway);
    return { spillway, bridge };
  };
}
