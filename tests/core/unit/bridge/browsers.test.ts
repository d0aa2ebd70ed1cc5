import { expect, it } from 'vitest';
import type { BrowserLink } from '../../../../server/core/bridge/browser-link.ts';
import { Browsers } from '../../../../server/core/bridge/discovery.ts';
import type { PeerInfo } from '../../../../server/core/bridge/frames.ts';

const peer = (instance: string, label: string | null = null): PeerInfo => {
  const identity = { product: 'spillway', version: '1', wire: { min: 1, max: 1 }, instance } as const;
  const browser = { name: 'Chromium', version: '156', label };
  return { host: identity, extension: identity, browser, wire: 1 };
};
const link = (): BrowserLink => ({}) as unknown as BrowserLink;

it('tells browsers of one version apart which nobody has named', () => {
  const browsers = new Browsers();
  const labels = (): (string | null)[] => browsers.states().map(({ facts }) => facts.label);
  browsers.connect(peer('aaaa-1'), link());
  expect(labels()).toEqual([null]);
  browsers.connect(peer('bbbb-2'), link());
  browsers.connect(peer('cccc-3', 'Work'), link());
  expect(labels()).toEqual(['unnamed aaaa', 'unnamed bbbb', 'Work']);
});
