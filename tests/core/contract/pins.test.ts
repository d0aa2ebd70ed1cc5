import { expect, test } from 'vitest';
import { WIRE_VERSION, WIRE_VERSION_OLDEST } from '../../../shared/core/bridge/wire.ts';
import { ERRORS } from '../../../shared/base/errors.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { MANIFESTS } from '../../../shared/core/tools/index.ts';

// Literals on purpose: changing one affects clients, stored handles or an older extension, and has to be confirmed
// here.

// Listed by default, in this order: the beginning of a model's cache. An unlisted tool costs clients nothing, and only
// its manifest decides that.
test('the tools that are listed, their order and their tiers', () => {
  const listed = MANIFESTS.filter(({ tier }) => tier < 3);
  const shown = listed.map(({ name, tier }) => `${name} ${tier}`).join(', ');
  expect(shown).toMatchInlineSnapshot(
    `"tabs 2, navigate 2, read_page 2, find 2, interact 2, network 2, crawl 2, extract_data 2, oc_evidence_bundle 2, oc_output_fetch 1, oc_connection_health 2, script 2, run_status 2, run_output 2, find_tools 2, screenshot 2"`,
  );
});

// New tools are appended: none may be removed, renamed or moved.
test('the tools that are not listed, in their order', () => {
  const names = MANIFESTS.filter(({ tier }) => tier === 3).map(({ name }) => name);
  const promised = [
    ...['run_cancel', 'run_resume', 'run_list', 'run_log', 'console', 'docs_search', 'docs_fetch'],
    ...['html_skeleton', 'fetch', 'dialog', 'oc_journal'],
  ] as const;
  expect(names.slice(0, promised.length)).toEqual(promised);
});

test('the error codes', async () => {
  await expect(`${Object.keys(ERRORS).join('\n')}\n`).toMatchFileSnapshot(
    '../../../fixtures/golden/error-codes.txt',
  );
});

test('the limits that an older extension, a client or a stored handle relies on', () => {
  expect(LIMITS).toMatchObject({
    bridgeFrameBytes: 524_288,
    streamChunkUnits: 61_440,
    streamWindowBytes: 8_388_608,
    uploadFiles: 20,
    uploadChunkBytes: 262_144,
    heartbeatIntervalMs: 15_000,
    helloTimeoutMs: 60_000,
    outputDescriptorBodyBytes: 4_096,
    outputPreviewBytes: 2_048,
    outputFetchBytes: 32_768,
    outputFetchBytesMax: 8_388_608,
    outputFetchItemsMax: 10_000,
    outputInlineMaxBytes: 16_777_216,
    socketPathBytes: 107,
  });
});

test('the wire version', () => expect([WIRE_VERSION, WIRE_VERSION_OLDEST]).toEqual([2, 1]));
