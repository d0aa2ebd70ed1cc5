import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { unzipSync } from 'fflate';
import { beforeEach, expect, it, vi } from 'vitest';
import type { RunScope } from '../../../server/core/runs.ts';
import { pageFacts } from '../../support/fake-tabs.ts';
import type { CallAnswer } from '../../support/call-tool.ts';
import { startMemoryServer } from '../../support/memory-client.ts';
import { FOUND_RECORD, RECORD_SCHEMA } from '../../support/tool-cases.ts';
import { fakeHandlers as fetchHandlers } from '../../network/contract/fetch.cases.ts';
import { CaptureBridge } from '../../network/unit/capture-bridge.ts';

/*
 * Callers without `output_mode` get the payload itself, as before there were handles. Time is frozen and the browser is
 * fake, so the bytes are the same in every run. A change of a golden is a change for every caller: `npx vitest -u`
 * writes it, and a person reviews the diff.
 */
const GOLDENS = resolve(import.meta.dirname, '../../../fixtures/golden/inline');
const PAGE = { url: 'https://a.test/', title: 'A', content: () => ['# A\n\n', 'Text with “quotes”\n'] };

const crawlWorker = {
  async run(_: unknown, scope: RunScope) {
    await scope.commit({
      items: [{ url: 'https://a.test/1' }, { url: 'https://a.test/2' }],
      change: () => {},
    });
    return { state: {}, coverage: [] };
  },
};

const CALLS = {
  read_page: { tab: 'b1:1' },
  network: { tab: 'b1:1' },
  crawl: { url: 'https://a.test/', async: false },
  extract_data: { tab: 'b1:1', schema: RECORD_SCHEMA, multiple: true },
  oc_evidence_bundle: { tab: 'b1:1', include: ['markdown'] },
  fetch: { url: 'https://a.test/sails.txt' },
};

/** The answer for a golden. zlib's compression differs between Node versions, so only a bundle's evidence is shown. */
function goldenOf({ raw }: CallAnswer): string {
  let digest = '';
  const content = raw.content.map((block) => {
    if (block.type !== 'resource' || !('blob' in block.resource)) return block;
    const bytes = Buffer.from(block.resource.blob, 'base64');
    digest = createHash('sha256').update(bytes).digest('hex');
    const evidence = Object.entries(unzipSync(bytes)).flatMap(([path, content]) =>
      path.startsWith('evidence/') ? [[path, Buffer.from(content).toString().split('\n')] as const] : [],
    );
    return { ...block, resource: { ...block.resource, blob: Object.fromEntries(evidence) } };
  });
  const text = JSON.stringify({ ...raw, content }, null, 2);
  return `${digest === '' ? text : text.replace(digest, 'SHA-256 OF THE BLOB')}\n`;
}

const freeze = () =>
  vi.useFakeTimers({ toFake: ['Date', 'hrtime', 'performance'], now: Date.UTC(2026, 0, 2, 3, 4, 5) });
freeze();
const server = await startMemoryServer({}, { workers: { crawl: () => Promise.resolve(crawlWorker) } });
const captures = new CaptureBridge();
server.bridge.addBrowser({ 1: PAGE });
server.bridge.answer({
  ...captures.handlers,
  ...fetchHandlers,
  'page.extract': async function* () {
    yield `${JSON.stringify(FOUND_RECORD)}\n`;
    return { page: pageFacts(PAGE), coverage: [], tried: [], hidden_records: 0, next: null };
  },
});
await server.call('network', { action: 'start', tab: 'b1:1' });
captures.exchange('1', { body: '{"a":1}' });
beforeEach(() => void freeze());

it.each(Object.entries(CALLS))(
  '%s answers inline where no output_mode is given, byte for byte',
  async (tool, args) => {
    const omitted = await server.call(tool, args);
    const inline = await server.call(tool, { ...args, output_mode: 'inline' });
    expect(omitted.isError, omitted.text).toBe(false);
    expect(JSON.stringify(omitted.raw)).toBe(JSON.stringify(inline.raw));
    await expect(goldenOf(omitted)).toMatchFileSnapshot(join(GOLDENS, `${tool}.json`));
  },
);
