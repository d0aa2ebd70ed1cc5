import { textsOf } from '../../shared/base/cut.ts';
import { invalidArgument } from '../../shared/base/errors.ts';
import type { MethodResult } from '../../shared/core/bridge/methods.ts';
import { MIME } from '../../shared/base/mime.ts';
import type { manifest } from '../../shared/pictures/record_video.manifest.ts';
import { FILM_MS, VIDEO_BYTES, VIDEO_MS } from '../../shared/base/limits.ts';
import { produceJson } from '../core/calls/produce.ts';
import { callerOf, type CallContext } from '../core/context.ts';
import type { ArgsOf, ToolRuntimes } from '../core/registry/definition.ts';
import type { Produced } from '../core/result.ts';
import type { Bridge } from '../core/services.ts';
import { askTab, formatTabId, requireTab, type TabTarget, readTabStream } from '../core/targets.ts';
import { decodeBase64, peek } from '../core/file-stream.ts';

const GIF_FPS = 5;
/** Of the page and the browser, beyond the time of the encoder. */
const ANSWER_MS = 15_000;
/** `GIF` in base64. */
const GIF_START = 'R0lG';

/** `record_video`: the bytes of a video, decoded as they arrive. */
export const createRuntimes = ({ bridge }: { readonly bridge: Bridge }): ToolRuntimes => ({
  record_video: async ({ tab, action, ...how }: ArgsOf<typeof manifest>, context) => {
    if (action === 'start' && how.format === 'gif' && how.fps > GIF_FPS)
      throw invalidArgument(`fps: a gif takes at most ${GIF_FPS}.`);
    const target = await requireTab(bridge, { tab }, context);
    if (action === 'stop') return stop(bridge, target, context);
    const params = { tab_id: target.tabId, caller: callerOf(context), ...how };
    await askTab({ bridge, target, context }, 'video.start', params);
    const value = { tab: formatTabId(target), records: how.format };
    return produceJson(value, value);
  },
});

async function stop(bridge: Bridge, target: TabTarget, context: CallContext): Promise<Produced> {
  const params = { tab_id: target.tabId, caller: callerOf(context) };
  const { call, signal } = context;
  const options = { call, signal, idleTimeoutMs: FILM_MS + ANSWER_MS };
  const stream = bridge.stream(target.browser, 'video.stop', params, options);
  const { chunks, produced } = readTabStream(stream, { target, context, outcomeOf });
  // The recording knows its format, not this call.
  const { first = '', all } = await peek(chunks);
  const mimeType = first.startsWith(GIF_START) ? MIME.gif : MIME.webm;
  return {
    payload: { kind: 'bytes', mimeType, chunks: decodeBase64(all) },
    ...produced,
    deliverAs: 'handle',
  };
}

function outcomeOf(tab: string, { dropped, cut, cards, ...facts }: MethodResult<'video.stop'>) {
  const coverage = textsOf(
    `${facts.recorded_ms} ms are shown in ${facts.video_ms} ms: long pauses are cut, steps stay visible.`,
    cut === 'time' && `cut: a recording ends after ${VIDEO_MS / 60_000} minutes.`,
    cut === 'size' && `cut: a recording ends at ${VIDEO_BYTES} bytes.`,
    dropped > 0 &&
      `${dropped} pictures are left out: a secret field moved in them, or the page did not say where they are.`,
    cards.includes('person') && 'A card is shown while a person had the tab.',
    cards.includes('denied') && 'A card is shown for pages that you may not read.',
    'Secret fields are painted over; the rest cannot be redacted: it shows what the page shows.',
  );
  return { state: { tab, ...facts }, coverage };
}
