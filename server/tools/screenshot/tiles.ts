import type { MethodResult } from '../../../shared/bridge/methods.ts';
import { withOutcome } from '../../core/calls/produce.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { parseAs } from '../../../shared/json-schema.ts';
import { MIME } from '../../../shared/mime.ts';
import { Tile, TilesHead, type ImageFormat } from '../../../shared/tools/screenshot/methods.ts';
import type { CallContext } from '../../core/context.ts';
import type { Outcome, Produced } from '../../core/result.ts';
import type { BridgeStream } from '../../core/services.ts';
import { explainTab, formatTabId, type TabTarget, parseJsonLines } from '../../core/targets.ts';
import { cleanRecord, type CleanRecord } from '../../redact/clean.ts';
import { takeLine } from '../../toolkit/file-stream.ts';
import { vouch } from '../../redact/mark.ts';

type ScreenshotStream = BridgeStream<'page.screenshot'>;

/** A stream that may contain tiles, past its first line. */
export interface HeadedStream extends ScreenshotStream {
  readonly head: TilesHead;
}

/** Reads the first line of a stream, which says whether tiles or one picture follow. */
export async function readHead({ chunks, done }: ScreenshotStream): Promise<HeadedStream> {
  const { line, rest } = await takeLine(chunks);
  const head = parseAs(TilesHead, line ?? '');
  if (head !== null) return { head, chunks: rest, done };
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
export function produceTiles(stream: HeadedStream, tiling: Tiling): Produced {
  const { target, context, format } = tiling;
  const { head } = stream;
  const deadlineMs = context.clock.monotonic() + context.syncWaitMs;
  const taken: Covered = { tiles: 0, scale: 1, width: 0, height: 0, largest: { width: 0, height: 0 } };
  context.keepState(() => stateOf(tiling, head, taken));
  let notes: readonly string[] = [];
  const items = async function* (): AsyncGenerator<CleanRecord> {
    try {
      for await (const line of parseJsonLines(stream.chunks)) {
        const tile = Tile.parse(line);
        // A picture cannot be redacted; the rest are numbers.
        yield itemOf(tile, taken.tiles, format);
        add(taken, tile);
        context.progress({ done: taken.tiles, total: head.tiles, message: 'tiles' });
        if (taken.tiles < head.tiles && context.clock.monotonic() >= deadlineMs) {
          notes = [lateNote(head, taken, context)];
          return;
        }
      }
      notes = remarks(await stream.done);
    } catch (thrown) {
      throw explainTab(thrown, target, context);
    }
  };
  const { values, done } = withOutcome(items(), () => outcomeOf(tiling, head, taken, notes));
  return {
    clean: { kind: 'items', mimeType: MIME.json, items: values },
    done,
    untrustedFrom: () => head.url,
    deliverAs: 'handle',
    isOpaque: true,
  };
}

const itemOf = (
  { x, y, width, height, scale, base64 }: Tile,
  tile: number,
  format: ImageFormat,
): CleanRecord =>
  cleanRecord({ tile, x, y, width, height, scale, mime_type: MIME[format], base64: vouch(base64) });

interface Covered {
  tiles: number;
  scale: number;
  width: number;
  height: number;
  readonly largest: { width: number; height: number };
}

function add(taken: Covered, { x, y, width, height, scale }: Tile): void {
  const { largest } = taken;
  taken.tiles += 1;
  taken.scale = scale;
  taken.width = Math.max(taken.width, x + width);
  taken.height = Math.max(taken.height, y + height);
  largest.width = Math.max(largest.width, width);
  largest.height = Math.max(largest.height, height);
}

const remarks = ({ coverage }: MethodResult<'page.screenshot'>): string[] =>
  coverage.map(({ kind, detail }) => `${kind}: ${detail}`);

const lateNote = (head: TilesHead, { tiles, height }: Covered, { syncWaitMs }: CallContext): string =>
  `cut: ${head.tiles - tiles} of ${head.tiles} tiles, those below ${round(height)} px, are missing: the call took longer than ${syncWaitMs / 1_000} s (--sync-wait-ms).`;

const stateOf = (
  { target, format }: Tiling,
  { url }: TilesHead,
  { tiles, scale, width, height }: Covered,
): JsonObject => ({ tab: formatTabId(target), url, format, tiles, width, height, scale });

function outcomeOf(tiling: Tiling, head: TilesHead, taken: Covered, notes: readonly string[]): Outcome {
  const { tiles, scale, width, height, largest } = taken;
  return {
    state: stateOf(tiling, head, taken),
    coverage: [
      `${tiles} tiles of up to ${round(largest.width)} × ${round(largest.height)} px show the full page, ${round(width)} × ${round(height)} px, at scale ${round(scale)}: rows from top to bottom, each from left to right.`,
      'To see tile n, counted from 0: oc_output_fetch with offset: n and format: "image". Each item has x, y, width and height in CSS pixels.',
      ...notes,
      'For the whole page as one small picture: as: "image".',
      'Images cannot be redacted: these show what the page shows.',
    ],
  };
}

export const round = (value: number): number => Math.round(value * 1_000) / 1_000;
