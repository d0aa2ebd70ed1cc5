import { beforeAll, expect, it } from 'vitest';
import { launched } from '../../support/launched.ts';
import { PATIENCE } from '../../support/patience.ts';
import { startServer } from '../../support/stdio-server.ts';
import { itDeep } from '../../support/depth.ts';

const { site, browser, server, ok, openTab } = await launched();

const SEEN = `async () => ({
  width: screen.width, turned: screen.orientation.type, ratio: devicePixelRatio, touch: navigator.maxTouchPoints > 0,
  dark: matchMedia('(prefers-color-scheme: dark)').matches,
  reduced: matchMedia('(prefers-reduced-motion: reduce)').matches,
  saves: navigator.connection.saveData,
  media: ['print', '(prefers-contrast: more)', '(forced-colors: active)'].map((query) => matchMedia(query).matches),
  locale: Intl.DateTimeFormat().resolvedOptions().locale,
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  agent: navigator.userAgent,
  hints: [navigator.userAgentData.mobile, navigator.userAgentData.brands.length],
  online: await fetch('/tables/', { cache: 'no-store' }).then(() => true, () => false),
  worker: await new Promise((done) => {
    const code = 'fetch("' + location + '", { cache: "no-store" }).then(() => postMessage(true), () => postMessage(false))';
    new Worker(URL.createObjectURL(new Blob([code]))).onmessage = ({ data }) => done(data);
  }),
})`;

let tab: string;
const open = (): Promise<string> => openTab(`${site.url}/tables/`);
const seen = async (): Promise<Record<string, unknown>> => (await ok('evaluate', { tab, code: SEEN })).json();
const emulate = (more: object) => server.call('emulate', { tab, ...more });

let plain: Record<string, unknown>;
beforeAll(async () => {
  tab = await open();
  plain = await seen();
});

it('shows a tab all of it at once, over navigations, and nothing of it after the reset', async () => {
  const set = {
    device: 'phone',
    color_scheme: 'dark',
    reduced_motion: true,
    print: true,
    reduced_data: true,
    contrast: 'more',
    forced_colors: true,
    locale: 'de-CH',
    timezone: 'Asia/Tokyo',
    geolocation: { latitude: 47, longitude: 8 },
    network: 'offline',
    cpu_slowdown: 2,
  };
  await ok('emulate', { tab, ...set });
  const shown = {
    width: 412,
    turned: 'portrait-primary',
    ratio: 2.625,
    touch: true,
    dark: true,
    reduced: true,
    saves: true,
    media: [true, true, true],
    locale: 'de-CH',
    zone: 'Asia/Tokyo',
    agent: expect.stringContaining('Mobile'),
    hints: [true, Object(plain['hints'])[1]],
    online: false,
    worker: false,
  };
  expect(await seen()).toEqual(shown);
  await emulate({ network: 'slow_4g' });
  await server.call('navigate', { tab, action: 'reload' });
  expect(await seen()).toEqual({ ...shown, online: true, worker: true });
  expect((await emulate({ reset: true })).json()).toMatchObject({ emulates: {} });
  expect(await seen()).toEqual(plain);
});

it.each([
  [{ timezone: 'Mars/Olympus' }, 'timezone'],
  [{ locale: 'xx-invalid-locale-12' }, 'locale'],
  [{ viewport: { width: 10 } }, 'height'],
])('refuses %j, and keeps what was emulated', async (wrong, word) => {
  await emulate({ reset: true, color_scheme: 'dark' });
  const failed = await emulate({ reduced_motion: true, ...wrong });
  expect(failed.code()).toBe('invalid_argument');
  expect(failed.text.toLowerCase()).toContain(word);
  expect(await seen()).toEqual({ ...plain, dark: true });
  await emulate({ reset: true });
});

it('ends with its server, and is kept from other agents until then', async () => {
  const other = await startServer({ env: browser.serverEnv });
  await other.call('tabs');
  await ok('emulate', { tab, color_scheme: 'dark' }, other);
  expect((await emulate({ touch: true })).code()).toBe('tab_busy');
  await other.close();
  await expect.poll(async () => (await seen())['dark'], PATIENCE).toBe(false);
  expect((await emulate({})).json()).toMatchObject({ emulates: {} });
});

itDeep('ends with its tab', async () => {
  const gone = await open();
  await server.call('emulate', { tab: gone, device: 'tablet' });
  await server.call('tabs', { action: 'close', tab: gone });
  expect((await server.call('emulate', { tab: gone })).code()).toBe('tab_not_found');
});
