import { expect, test } from 'vitest';
import type { CallAnswer } from '../support/call-tool.ts';
import { findBelow, isBrowser } from '../support/processes.ts';
import { within } from '../support/within.ts';
import { launched } from '../support/launched.ts';

/*
 * A browser that dies, again and again, at every kind of moment: the pending call ends once and
 * with a code, the next one works without a restart of the server, and what was acknowledged is whole.
 */

/** Longer than any call may be silent. */
const CALL_MS = 40_000;

const { site, server } = await launched();
const page = (): string => `${site.url}/many-pages/long.html`;

/** What is active when the browser dies. */
const MOMENTS: readonly (readonly [string, () => Promise<CallAnswer>])[] = [
  ['nothing', () => server.call('oc_journal')],
  ['a navigation', () => server.call('navigate', { url: `${page()}?again` })],
  ['a reading', () => server.call('read_page', { output_mode: 'handle', format: 'nodes' })],
  ['the start of a capture', () => server.call('network', { action: 'start' })],
  ['a crawl', () => server.call('crawl', { url: page(), max_pages: 20, async: true, render: 'always' })],
  ['a bundle', () => server.call('oc_evidence_bundle', { output_mode: 'handle' })],
  ['a picture', () => server.call('screenshot', { area: 'full_page' })],
];

/** The whole of a handle, page by page. */
async function fetchAll(handle: string): Promise<string> {
  let text = '';
  for (let offset: number | null = 0; offset !== null;) {
    const answer = await server.call('oc_output_fetch', { output_handle: handle, offset, limit: 1_000_000 });
    const part: { content: string; next_offset: number | null } = answer.json();
    text += part.content;
    offset = part.next_offset;
  }
  return text;
}

/** Of the calls after a kill one may cross the loss, and one says that the current tab no longer exists. */
async function openAgain(kill: number): Promise<void> {
  for (let tried = 0; ; tried += 1) {
    const opened = await within(CALL_MS, server.call('navigate', { url: page() }), 'the page to open');
    if (!opened.isError) return;
    expect(opened.code(), `after kill ${kill}: ${opened.text}`).toBe('browser_disconnected');
    expect(tried, opened.text).toBeLessThan(2);
  }
}

test('a browser that is killed at every kind of moment', async () => {
  const handles: string[] = [];
  const codes = new Set<string>();
  for (const [kill, [name, begin]] of MOMENTS.entries()) {
    await openAgain(kill);
    const kept = await server.call('read_page', { output_mode: 'handle' });
    handles.push(kept.json<{ output_handle: string }>().output_handle);
    const inFlight = begin();
    process.kill(findBelow(server.pid, isBrowser), 'SIGKILL');
    const answer = await within(CALL_MS, inFlight, `${name} to end`);
    const code = answer.code();
    if (code !== undefined) codes.add(code);
  }
  expect(codes).not.toContain('internal_error');
  const texts = await Promise.all(handles.map(fetchAll));
  expect(new Set(texts).size).toBe(1);
}, 300_000);
