import { withResult } from '../../shared/base/queue.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import { parseAs } from '../../shared/base/json-schema.ts';
import { MIME } from '../../shared/base/mime.ts';
import { Tile, TilesHead, type ImageFormat } from '../../shared/pictures/screenshot.methods.ts';
import type { CallContext } from '../core/context.ts';
import type { Outcome, Produced } from '../core/result.ts';
import type { BridgeStream } from '../core/services.ts';
import { explainTab, formatTabId, type TabTarget, parseJsonLines } from '../core/targets.ts';
import { cleanRecord, type CleanRecord } from '../libraries/redaction/clean.ts';
import { takeLine } from '../core/file-stream.ts';
import { vouch } from '../libraries/redaction/mark.ts';

/** A stream that may contain tiles, past its first line. */
export interface HeadedStream {
  readonly head: TilesHead;
  readonly stream: BridgeStream<'page.screenshot'>;
}

/** Reads the first line of a stream, which says whether tiles or one picture follow. */
export async function readHead(whole: BridgeStream<'page.screenshot'>): Promise<HeadedStream> {
  const { line, rest } = await takeLine(whole);
  const head = parseAs(TilesHead, line ?? '');
  if (head !== null) return { head, stream: rest };
  await rest.return?.();
  throw new SpillwayError('stream_corrupt', 'The first line of the screenshot does not describe it.');
}

interface Tiling {
  readonly target: TabTarget;
  readonly context: CallContext;
  readonly format: ImageFormat;
}

/**
 * The tiles of a full page, one item each, as they arrive: one at a time is in memory. Ends early, with a
 * note, when the call's time is over.
 */
export function produceTiles({ head, stream }: HeadedStream, { target, context, format }: Tiling): Produced {
  const { clock, syncWaitMs } = context;
  const deadlineMs = clock.monotonic() + syncWaitMs;
  const taken: Omit<Tile, 'base64'>[] = [];
  const most = (sizeOf: (tile: Omit<Tile, 'base64'>) => number): number => Math.max(0, ...taken.map(sizeOf));
  const state = () => ({
    tab: formatTabId(target),
    url: head.url,
    format,
    tiles: taken.length,
    width: most(({ x, width }) => x + width),
    height: most(({ y, height }) => y + height),
    scale: taken.at(-1)?.scale ?? 1,
  });
  context.keepState(state);
  let notes: readonly string[] = [];
  const { values, result } = withResult(stream);
  const items = async function* (): AsyncGenerator<CleanRecord> {
    try {
      for await (const line of parseJsonLines(values)) {
        const { base64, ...tile } = Tile.parse(line);
        // A picture cannot be redacted; the rest are numbers.
        const picture = { mime_type: MIME[format], base64: vouch(base64) };
        yield cleanRecord({ tile: taken.length, ...tile, ...picture });
        taken.push(tile);
        context.progress({ done: taken.length, total: head.tiles, message: 'tiles' });
        if (taken.length < head.tiles && clock.monotonic() >= deadlineMs) {
          const missing = `${head.tiles - taken.length} of ${head.tiles} tiles, those below ${round(state().height)} px, are missing`;
          notes = [`cut: ${missing}: the call took longer than ${syncWaitMs / 1_000} s (--sync-wait-ms).`];
          return;
        }
      }
      notes = result().coverage.map(({ kind, detail }) => `${kind}: ${detail}`);
    } catch (thrown) {
      throw explainTab(thrown, target, context);
    }
  };
  const outcome = (): Outcome => {
    const { tiles, width, height, scale } = state();
    const largest = `${round(most((tile) => tile.width))} × ${round(most((tile) => tile.height))} px`;
    return {
      state: state(),
      coverage: [
        `${tiles} tiles of up to ${largest} show the full page, ${round(width)} × ${round(height)} px, at scale ${round(scale)}: rows from top to bottom, each from left to right.`,
        'To see tile n, counted from 0: oc_output_fetch with offset: n and format: "image". Each item has x, y, width and height in CSS pixels.',
        ...notes,
        'For the whole page as one small picture: as: "image".',
        'Images cannot be redacted: these show what the page shows.',
      ],
    };
  };
  return {
    clean: { kind: 'items', mimeType: MIME.json, items: items() },
    outcome,
    untrustedFrom: () => head.url,
    deliverAs: 'handle',
    isOpaque: true,
  };
}

export const round = (value: number): number => Math.round(value * 1_000) / 1_000;
