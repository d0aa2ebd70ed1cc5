import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { unzipSync } from 'fflate';
import '../lib/typescript.mjs';

const { serveFixtures } = await import('../../fixtures/serve.ts');
const { startHttpServer } = await import('../lib/server-process.ts');
const { openHttpSession } = await import('../lib/http-session.ts');
const { maskPorts } = await import('../lib/mask.ts');
const { OutputDescriptor } = await import('../../shared/core/descriptor.ts');
const { OutputPage } = await import('../../shared/core/descriptor.ts');
const { LIMITS } = await import('../../shared/base/limits.ts');

/*
 * The seven scenarios of output handles, against the built server over HTTP with a browser of its
 * own. Prints OK or FAIL per scenario; the exit code is 1 if one failed.
 *
 *   node scripts/verify/A-output-handles.mjs [--update] [--report FILE]
 *
 * `--update` writes the golden file of scenario 1; without it, a missing golden file fails.
 */
const HERE = dirname(fileURLToPath(import.meta.url));
const GOLDEN = resolve(HERE, '../../fixtures/golden/verify/A-output-handles.md');
const BYTES = join(HERE, 'A-output-handles-bytes.txt');
const PAGE = '/many-pages/index.html';
const LONG_PAGE = '/many-pages/long.html';
const CRAWL_PAGES = 30;
const MAX_RATIO = 0.1;
const SWEEP_SECONDS = 2;
const SWEPT_TIMEOUT_MS = 10_000;

const option = (name) => process.argv[process.argv.indexOf(name) + 1];
const isUpdate = process.argv.includes('--update');
const report = process.argv.includes('--report') ? option('--report') : null;

const home = mkdtempSync(join(tmpdir(), 'spillway-verify-'));
const fixtures = await serveFixtures();

let server = null;
let session = null;

/** Restarts the server, opens a session and the fixture in it. */
async function restart(args = []) {
  await stop();
  server = await startHttpServer({ home, args: ['--launch', '--headless', ...args] });
  session = await openHttpSession(server);
  await open(PAGE);
}

async function stop() {
  await session?.close().catch(() => {});
  session = null;
  await server?.stop();
  server = null;
}

const open = async (path) => expectOk(await session.call('navigate', { url: fixtures.url + path }));

function expectOk(answer) {
  expect(answer.result.isError !== true, `the call failed: ${answer.text}`);
  return answer;
}

function expect(condition, otherwise) {
  if (!condition) throw new Error(otherwise);
}

/** Makes a call that has to fail and returns its error. */
async function expectError(name, args, code) {
  const answer = await session.call(name, args);
  expect(answer.result.isError === true, `${name} did not fail: ${answer.text.slice(0, 200)}`);
  const { error } = JSON.parse(answer.text);
  expect(error?.code === code, `the code is ${error?.code}, not ${code}`);
  expect(!/\n\s+at /.test(answer.body), 'the error contains a stack trace');
}

async function createHandle(args = {}) {
  const answer = expectOk(await session.call('read_page', { ...args, output_mode: 'handle' }));
  return { answer, descriptor: OutputDescriptor.parse(JSON.parse(answer.text)) };
}

const listFiles = () =>
  existsSync(join(home, 'output'))
    ? readdirSync(join(home, 'output'), { recursive: true }).map((name) => String(name))
    : [];
const filesOf = (handle) => listFiles().filter((name) => name.includes(handle));

/** Follows `next_offset` to the end, holding every page to the contract. */
async function fetchAll(handle, args) {
  const pages = [];
  let offset = 0;
  while (offset !== null) {
    const answer = expectOk(
      await session.call('oc_output_fetch', { output_handle: handle, offset, ...args }),
    );
    const page = OutputPage.parse(JSON.parse(answer.text));
    expect(page.offset === offset && page.output_handle === handle, 'the page differs');
    expect(page.returned <= page.limit, `returned ${page.returned} is above limit ${page.limit}`);
    expect(page.total >= page.returned, `total ${page.total} is below returned ${page.returned}`);
    expect((page.next_offset === null) === page.eof, 'next_offset is null exactly when eof');
    expect(page.eof || page.next_offset > offset, 'the page does not advance');
    pages.push(page);
    offset = page.next_offset;
  }
  return pages;
}

/** Two streams of one session differ in their event ids: each occurs once (MCP, 2025-11-25). */
const withoutEventIds = (body) => body.replaceAll(/^id: .*\n/gm, '');

/** Calls that create large outputs, one of each tool that takes `output_mode`, after {@link open}. */
const SPILLING = {
  read_page: () => ({}),
  network: () => ({}),
  extract_data: () => ({ schema: { type: 'object', properties: { title: { type: 'string' } } } }),
  crawl: () => ({ url: fixtures.url + PAGE, max_pages: CRAWL_PAGES, async: false }),
  oc_evidence_bundle: () => ({ include: ['markdown'] }),
};

/** A crawl and a bundle contain the time of each read: times and values derived from them differ between two calls. */
const withoutTimes = (text) =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'TIME')
    .replaceAll(/((?:_ms|_at)\\*":)\s*[\d.]+/g, '$1 0')
    .replaceAll(/\brun_[A-Z2-7]{12}\b/g, 'RUN')
    .replaceAll(/\b[0-9a-f]{64}\b/g, 'SHA-256');

/** Replaces an archive's packed bytes, which no mask can read, by its evidence; for derived files, only the names. */
function unpacked(body) {
  const data = body.split('\n').find((line) => line.startsWith('data: {'));
  const message = JSON.parse(data.slice('data: '.length));
  for (const { resource } of message.result.content)
    if (resource?.blob !== undefined)
      resource.blob = Object.entries(unzipSync(Buffer.from(resource.blob, 'base64')))
        .map(([path, bytes]) => (path.startsWith('evidence/') ? `${path}\n${Buffer.from(bytes)}` : path))
        .join('\n');
  return JSON.stringify(message);
}

/** A crawl answers its pages as they come. */
function comparable(body, tool) {
  const text = withoutTimes(unpacked(body));
  if (tool !== 'crawl') return text;
  const lines = text.split('\\n').map((line) => line.replace(/,$/, ''));
  return lines.sort().join('\n');
}

/** Body bytes of the same crawl answered inline and as a handle, which contains every item. */
async function crawlBytes() {
  const args = { ...SPILLING.crawl(), max_pages: CRAWL_PAGES };
  const inline = expectOk(await session.call('crawl', { ...args, output_mode: 'inline' }));
  const stored = expectOk(await session.call('crawl', { ...args, output_mode: 'handle' }));
  const { item_count: count } = OutputDescriptor.parse(JSON.parse(stored.text));
  expect(count === CRAWL_PAGES, `the crawl has ${count} items`);
  expect(JSON.parse(inline.text).length === count, 'inline has other items than the handle');
  return { inline: inline.bodyBytes, handle: stored.bodyBytes };
}

const scenarios = {
  '1 the default is inline, byte for byte as before': async () => {
    await restart();
    const id = 1_000;
    expectOk(await session.call('network', { action: 'start' }));
    await open(PAGE);
    expectOk(await session.call('network', { action: 'stop' }));
    for (const [tool, argsOf] of Object.entries(SPILLING)) {
      const omitted = expectOk(await session.call(tool, argsOf(), id));
      const inline = expectOk(await session.call(tool, { ...argsOf(), output_mode: 'inline' }, id));
      const [one, other] = [omitted, inline].map(({ body }) => comparable(body, tool));
      expect(one === other, `${tool}: without output_mode and with inline the bodies differ`);
      expect(!one.includes('output_handle'), `${tool}: the body holds an output_handle`);
    }
    const plain = expectOk(await session.call('read_page', {}, id));
    const inline = expectOk(await session.call('read_page', { output_mode: 'inline' }, id));
    const isSame = withoutEventIds(plain.body) === withoutEventIds(inline.body);
    expect(isSame, 'the bodies without output_mode and with inline differ');
    expect(!plain.body.includes('output_handle'), 'the body contains an output_handle');
    const masked = maskPorts(plain.text);
    if (isUpdate) {
      mkdirSync(dirname(GOLDEN), { recursive: true });
      writeFileSync(GOLDEN, masked);
    }
    expect(existsSync(GOLDEN), `${GOLDEN} is missing: run with --update, read it and commit it`);
    expect(readFileSync(GOLDEN, 'utf8') === masked, `the payload is not ${GOLDEN}`);
    return `${plain.bodyBytes} bytes`;
  },

  '2 a handle that can be fetched': async () => {
    const { descriptor } = await createHandle();
    expect(descriptor.size_bytes > 0, 'size_bytes is 0');
    const previewBytes = Buffer.byteLength(descriptor.preview ?? '');
    expect(previewBytes <= LIMITS.outputPreviewBytes, `the preview has ${previewBytes} bytes`);
    await fetchAll(descriptor.output_handle, {});
    return descriptor.output_handle;
  },

  '3 pages': async () => {
    await open(LONG_PAGE);
    const inline = expectOk(await session.call('read_page', { output_mode: 'inline' }));
    const text = (await createHandle()).descriptor;
    const pages = await fetchAll(text.output_handle, {});
    expect(
      pages.map(({ content }) => content).join('') === inline.text,
      'the pages are not the inline payload',
    );
    const nodes = (await createHandle({ format: 'nodes' })).descriptor;
    const itemPages = await fetchAll(nodes.output_handle, { limit: 50 });
    const items = itemPages.flatMap(({ content }) => content);
    expect(items.length === nodes.item_count, `${items.length} items of ${nodes.item_count}`);
    const stored = filesOf(nodes.output_handle).find((name) => !name.endsWith('.index'));
    const wanted = readFileSync(join(home, 'output', stored), 'utf8');
    expect(JSON.stringify(items) === JSON.stringify(JSON.parse(wanted)), 'the items are not the stored ones');
    return `${pages.length} pages of text, ${itemPages.length} of items`;
  },

  '4 an unknown handle is a coded error': async () => {
    for (const handle of ['oh_DEADBEEF0000', 'oh_AAAAAAAAAAAA', '../../etc/passwd', ''])
      await expectError('oc_output_fetch', { output_handle: handle }, 'output_handle_not_found');
  },

  '5 the answer with a handle is small': async () => {
    await open(LONG_PAGE);
    const inline = expectOk(await session.call('read_page', { output_mode: 'inline' }));
    const { answer } = await createHandle();
    const page = { of: `page ${LONG_PAGE}`, inline: inline.bodyBytes, handle: answer.bodyBytes };
    const crawl = { of: `crawl of ${CRAWL_PAGES} pages`, ...(await crawlBytes()) };
    const lines = [page, crawl].flatMap(({ of, inline: inlineBytes, handle }) => [
      of,
      `inline bytes    ${inlineBytes}`,
      `handle bytes    ${handle}`,
      `ratio           ${(handle / inlineBytes).toFixed(4)}`,
    ]);
    writeFileSync(BYTES, `${lines.join('\n')}\n`);
    const most = LIMITS.outputDescriptorBodyBytes;
    for (const { of, inline: inlineBytes, handle } of [page, crawl]) {
      const ratio = handle / inlineBytes;
      expect(handle <= most, `${of}: the body has ${handle} bytes, at most ${most}`);
      expect(ratio <= MAX_RATIO, `${of}: the ratio is ${ratio.toFixed(4)}, at most ${MAX_RATIO}`);
    }
    return [page, crawl].map(({ handle, inline: whole }) => `${handle} of ${whole} bytes`).join('; ');
  },

  '6 an expired handle is removed': async () => {
    const ttl = ['--output-handle-ttl-hours', '0'];
    await restart([...ttl, '--output-handle-sweep-interval-seconds', String(SWEEP_SECONDS)]);
    const { output_handle: handle } = (await createHandle()).descriptor;
    const deadline = performance.now() + SWEPT_TIMEOUT_MS;
    while (filesOf(handle).length > 0) {
      expect(performance.now() < deadline, `still there: ${filesOf(handle).join(', ')}`);
      await delay(50);
    }
    await expectError('oc_output_fetch', { output_handle: handle }, 'output_handle_not_found');
  },

  '7 the journal names the handles': async () => {
    const answer = expectOk(await session.call('oc_journal', { action: 'recent', count: 50 }));
    const entries = JSON.parse(answer.text);
    expect(Array.isArray(entries), 'recent is not an array');
    const created = entries.filter(({ event }) => event === 'output_handle_created');
    expect(created.length > 0, 'there is no output_handle_created');
    for (const entry of created)
      for (const key of ['handle', 'source_tool', 'size_bytes', 'mime_type', 'ts'])
        expect(entry[key] !== undefined, `an output_handle_created has no ${key}`);
    expect(
      entries.some(({ event }) => event === 'tool_call'),
      'there is no tool_call with them',
    );
    return `${created.length} of ${entries.length} entries`;
  },
};

let failed = 0;
for (const [name, scenario] of Object.entries(scenarios)) {
  try {
    const detail = await scenario();
    console.log(`OK    ${name}${detail ? ` (${detail})` : ''}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL  ${name}: ${error.message}`);
    if (server?.stderrText()) console.log(server.stderrText().trimEnd().replaceAll(/^/gm, '        '));
  }
}
await stop();
await fixtures.close();
rmSync(home, { recursive: true, force: true });
const passed = Object.keys(scenarios).length - failed;
if (report !== null)
  writeFileSync(
    report,
    JSON.stringify({ success: failed === 0, numPassedTests: passed, numFailedTests: failed }),
  );
process.exitCode = failed === 0 ? 0 : 1;
