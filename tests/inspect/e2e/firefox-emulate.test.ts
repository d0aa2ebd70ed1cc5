import { expect, it } from 'vitest';
import { calling, servePages } from '../../support/calling.ts';
import { atEndOfFile } from '../../support/end-of-file.ts';
import { namingFirefox } from '../../support/firefox.ts';
import { startServer } from '../../support/stdio-server.ts';

/* Emulation in a Firefox that the server has started. In a person's own there is only `proxy`: tests/core/e2e/firefox.test.ts. */
const SEES = `<!doctype html><title>Sees</title><p>asked HEADERS;</p><output id=out></output><script>
  const say = (...words) => out.append(words.join(' ') + '; ');
  const look = () => {
    out.textContent = '';
    say(navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone, navigator.userAgent);
    say(innerWidth, innerHeight, devicePixelRatio, navigator.onLine);
  };
  look();
  for (const type of ['resize', 'online', 'offline', 'languagechange']) addEventListener(type, look);</script>
  <button onclick="fetch('/sees').then(() => say('reached'), () => say('cut off'))">Fetch</button>
  <button onclick="navigator.geolocation.getCurrentPosition(({ coords }) => say('at', coords.latitude), ({ code }) => say('no place', code))">Where</button>`;

const site = await servePages(
  {},
  {
    '/sees': (response, { headers }) => {
      const asked = `${headers['accept-language']} ${headers['user-agent']}`;
      response.setHeader('content-type', 'text/html').end(SEES.replace('HEADERS', asked));
    },
  },
);
const at = (host: string): string => site.url('/sees').replace('127.0.0.1', host);
const firefox = namingFirefox();
atEndOfFile(() => firefox.close());
const server = await startServer({
  env: firefox.serverEnv,
  args: ['--launch', '--headless', '--browser', 'firefox'],
});
atEndOfFile(() => server.close());
const { ok, failed, openTab } = calling(() => server);
const sees = async (tab: string): Promise<string> => (await ok('read_page', { tab, format: 'text' })).text;

const SET = {
  locale: 'de-CH',
  timezone: 'Asia/Tokyo',
  user_agent: 'Kiosk/1',
  viewport: { width: 400, height: 700, scale: 2 },
};
const SEEN = 'de-CH Asia/Tokyo Kiosk/1; 400 700 2 true;';

it('emulates in one tab, at other sites too, until it is reset', async () => {
  const [tab, other] = [await openTab(at('a.test')), await openTab(at('a.test'))];
  const plain = await sees(tab);
  expect((await ok('emulate', { tab, ...SET })).json()).toMatchObject({ emulates: SET });
  await expect.poll(() => sees(tab)).toContain('400 700 2 true;');
  for (const host of ['a.test', 'b.test']) {
    await ok('navigate', { tab, url: at(host) });
    await expect.poll(() => sees(tab)).toContain(SEEN);
    expect(await sees(tab)).toContain('asked de-CH Kiosk/1;');
  }
  await ok('navigate', { tab: other, action: 'reload' });
  expect(await sees(other)).toBe(plain);
  await ok('emulate', { tab, reset: true });
  await ok('navigate', { tab, url: at('a.test') });
  await expect.poll(() => sees(tab)).toBe(plain);
});

it('cuts a tab off from the network, and keeps what was set before', async () => {
  const tab = await openTab(at('a.test'));
  await ok('emulate', { tab, locale: 'fr' });
  const { emulates } = (await ok('emulate', { tab, network: 'offline' })).json<{ emulates: object }>();
  expect(emulates).toEqual({ locale: 'fr', network: 'offline' });
  await ok('interact', { tab, steps: ['click "Fetch"'] });
  await expect.poll(() => sees(tab)).toContain('cut off;');
  expect((await failed('navigate', { tab, action: 'reload' })).code).toBe('navigation_failed');
  await ok('emulate', { tab, network: 'online' });
  await ok('navigate', { tab, url: at('a.test') });
  await ok('interact', { tab, steps: ['click "Fetch"'] });
  await expect.poll(() => sees(tab)).toContain('reached;');
  expect(await sees(tab)).toContain('fr ');
});

it.each([
  [{ device: 'phone' }, 'unsupported_in_firefox', 'touch'],
  [{ viewport: { width: 400, height: 700, mobile: true } }, 'unsupported_in_firefox', 'viewport.mobile'],
  [{ network: 'slow_4g' }, 'unsupported_in_firefox', 'network slow_4g'],
  [{ cpu_slowdown: 2 }, 'unsupported_in_firefox', 'cpu_slowdown'],
  [{ timezone: 'Mars/Olympus' }, 'invalid_argument', 'timezone'],
  [{ locale: 'xx-invalid-locale-12', timezone: 'Asia/Tokyo' }, 'invalid_argument', 'locale'],
])('refuses %o', async (set, code, part) => {
  const tab = await openTab(at('a.test'));
  const plain = await sees(tab);
  expect(await failed('emulate', { tab, ...set })).toMatchObject({
    code,
    message: expect.stringContaining(part),
  });
  await ok('navigate', { tab, action: 'reload' });
  expect(await sees(tab)).toBe(plain);
});
