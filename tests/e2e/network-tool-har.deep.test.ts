import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { QUIET_PLAYWRIGHT } from '../../scripts/lib/chromium-switches.ts';
import { whyNoHar } from '../unit/network/har.ts';
import type { HarEntry } from '../unit/network/replay.ts';
import { executable } from '../support/browser.ts';
import { launched } from '../support/launched.ts';
import { PATIENCE } from '../support/patience.ts';

/* The same visit, recorded by Playwright's recordHar and captured by us, tells the same. */

interface Har {
  readonly log: { readonly entries: readonly HarEntry[] };
}

const folder = mkdtempSync(join(tmpdir(), 'spillway-har-'));
const { site, server } = await launched('--network-capture', 'on');
let theirs: Har;
let ours: Har;

beforeAll(async () => {
  theirs = await recordByPlaywright();
  ours = await captureOurselves();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
});

async function recordByPlaywright(): Promise<Har> {
  const path = join(folder, 'theirs.har');
  const browser = await chromium.launch({ executablePath: await executable(), args: [...QUIET_PLAYWRIGHT] });
  const context = await browser.newContext({ recordHar: { path, content: 'embed' } });
  const page = await context.newPage();
  await page.goto(`${site.url}/network/`);
  await page.waitForFunction(() => document.title === 'Network: done');
  await context.close();
  await browser.close();
  return JSON.parse(readFileSync(path, 'utf8')) as Har;
}

async function captureOurselves(): Promise<Har> {
  await server.call('network', { action: 'start', tab: 'all', bodies: 'all' });
  await server.call('navigate', { url: `${site.url}/network/` });
  await vi.waitFor(async () => {
    const { tabs } = (await server.call('tabs')).json<{ tabs: { title: string }[] }>();
    expect(tabs.map(({ title }) => title)).toContain('Network: done');
  }, PATIENCE);
  const args = { format: 'har', bodies: 'all', output_inline_limit_bytes: 10_000_000 };
  return (await server.call('network', args)).json<Har>();
}

const keyOf = ({ request }: HarEntry): string => `${request.method} ${request.url}`;

/** Entries that both can have, the n-th of each address with the n-th. */
function pairs(): { readonly name: string; readonly their: HarEntry; readonly our: HarEntry }[] {
  const rest = [...ours.log.entries];
  return theirs.log.entries.flatMap((their) => {
    const at = rest.findIndex((our) => keyOf(our) === keyOf(their));
    const [our] = at < 0 ? [] : rest.splice(at, 1);
    return our === undefined ? [] : [{ name: keyOf(their), their, our }];
  });
}

it('is a valid document, and has every request that Playwright has', () => {
  expect(whyNoHar(ours)).toBe('');
  const have = new Set(ours.log.entries.map(keyOf));
  expect(theirs.log.entries.map(keyOf).filter((key) => !have.has(key))).toEqual([]);
});

it('has the same statuses and redirects', () => {
  // Where a redirect leads is as the header has it in ours and resolved in theirs; theirs say 200 of
  // what the cache answered when the server had said 304, and -1 where they know nothing.
  const facts = ({ request, response }: HarEntry): object => ({
    status: response.status === 304 ? 200 : response.status,
    redirect: response.redirectURL && new URL(response.redirectURL, request.url).href,
  });
  const known = pairs().filter(({ their }) => their.response.status > 0);
  expect(known.length).toBeGreaterThan(40);
  for (const { name, their, our } of known)
    expect({ name, ...facts(our) }).toEqual({ name, ...facts(their) });
});

it('has the same bodies and sizes', () => {
  // The site echoes the boundary of a form, which is different each time.
  const bytesOf = ({ response: { content } }: HarEntry): string =>
    Buffer.from(content.text ?? '', content.encoding === 'base64' ? 'base64' : 'utf8')
      .toString('latin1')
      .replaceAll(/WebKitFormBoundary\w+/g, 'boundary');
  const known = pairs().filter(({ our }) => our.response.content.comment === undefined);
  // Theirs reads bodies from the page, which never has that of a prefetch.
  const isPrefetch = ({ name }: (typeof known)[number]): boolean => name.endsWith('by=prefetch');
  expect(known.filter(isPrefetch).map(({ our }) => our.response.content.text)).toEqual(['by prefetch']);
  const compared = known.filter((pair) => !isPrefetch(pair));
  expect(compared.length).toBeGreaterThan(35);
  for (const { name, their, our } of compared) {
    expect({ name, size: our.response.content.size }).toEqual({
      name,
      size: Math.max(their.response.content.size, 0),
    });
    expect({ name, body: bytesOf(our) }).toEqual({ name, body: bytesOf(their) });
  }
});
