import { expect, it } from 'vitest';
import { produceTiles, readHead } from '../../../server/pictures/tiles.ts';
import type { Produced } from '../../../server/core/result.ts';
import type { BridgeStream } from '../../../server/core/services.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import type { MethodResult } from '../../../shared/core/bridge/methods.ts';
import { payloadOf } from '../../support/clean.ts';
import { codeOf } from '../../support/code-of.ts';
import { FakeClock } from '../../outputs/unit/support.ts';

const RESULT: MethodResult<'page.screenshot'> = {
  ...{ url: 'https://a.example/', width: 100, height: 120, scale: 1, size_bytes: 9 },
  shown: { x: 0, y: 0, width: 100, height: 120 },
  coverage: [{ kind: 'page_changed', detail: 'The page changed.' }],
};

const line = (value: object): string => `${JSON.stringify(value)}\n`;
const HEAD = line({ url: 'https://a.example/', tiles: 2 });
const tile = (y: number): string => line({ x: 0, y, width: 100, height: 60, scale: 1, base64: 'AAAA' });

/** A stream of texts that fails after them, or ends with a result. */
function streamOf(texts: readonly string[], failure?: SpillwayError) {
  let isLeft = false;
  const stream = async function* (): BridgeStream<'page.screenshot'> {
    try {
      yield* texts;
      if (failure !== undefined) throw failure;
      return RESULT;
    } finally {
      isLeft = true;
    }
  };
  return { stream: stream(), isLeft: () => isLeft };
}

async function tilesOf(stream: BridgeStream<'page.screenshot'>): Promise<Produced> {
  const context = {
    clock: new FakeClock(),
    syncWaitMs: 45_000,
    progress: () => undefined,
    keepState: () => undefined,
  };
  const target = { browser: 'b1', tabId: 42 } as const;
  return produceTiles(await readHead(stream), { target, context: context as never, format: 'png' });
}

async function itemsOf(produced: Produced): Promise<unknown[]> {
  const payload = payloadOf(produced);
  if (payload.kind !== 'items') throw new Error('Not items.');
  const items: unknown[] = [];
  for await (const item of payload.items) items.push(item);
  return items;
}

it.each([[['iVBORw0KGgo']], [[line({ tiles: -1 })]], [[]]])(
  'the first line of a screenshot that is %j is a fault, and ends the stream',
  async (texts) => {
    const { stream, isLeft } = streamOf(texts);
    expect(await codeOf(readHead(stream))).toBe('stream_corrupt');
    expect(isLeft()).toBe(true);
  },
);

it('tiles as items have their place, and the outcome says how to see them', async () => {
  const produced = await tilesOf(streamOf([HEAD, tile(0), tile(60)]).stream);
  const facts = { x: 0, width: 100, height: 60, scale: 1, mime_type: 'image/png', base64: 'AAAA' };
  expect(await itemsOf(produced)).toEqual([
    { tile: 0, y: 0, ...facts },
    { tile: 1, y: 60, ...facts },
  ]);
  const { state, coverage } = produced.outcome();
  expect(state).toMatchObject({ tab: 'b1:42', tiles: 2, width: 100, height: 120 });
  expect(coverage.join(' ')).toContain('2 tiles of up to 100 × 60 px show the full page, 100 × 120 px');
  expect(coverage).toContain('page_changed: The page changed.');
  expect(produced.deliverAs).toBe('handle');
});

it('tiles as items fail with the error of the browser', async () => {
  const failure = new SpillwayError('page_unresponsive', 'The page is busy.');
  const produced = await tilesOf(streamOf([HEAD, tile(0)], failure).stream);
  expect(await codeOf(itemsOf(produced))).toBe('page_unresponsive');
});
