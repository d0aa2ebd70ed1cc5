import { afterEach, expect, it, vi } from 'vitest';
import { ActShower } from '../../../extension/act/worker/shown-acts.ts';
import { Film } from '../../../extension/pictures/offscreen/film.ts';
import { Recording } from '../../../extension/pictures/worker/record-video/recording.ts';
import { VIDEO_MS } from '../../../shared/base/limits.ts';

afterEach(() => void vi.unstubAllGlobals());

const { signal } = new AbortController();

/** A recording of a tab whose browser draws when the test does. */
async function record() {
  vi.useFakeTimers();
  const steps: string[] = [];
  let looks = 0;
  let receive: (event: object) => void = () => undefined;
  const recording = new Recording({
    ...{ tabId: 7, fps: 10, width: 320, hasPerson: () => false },
    film: {
      take: ({ is }) => void steps.push(is),
      end: () => Promise.resolve({ width: 1, height: 1, frames: 2, videoMs: 1, sizeBytes: 1, isFull: false }),
      drop: () => undefined,
    },
    look: async () => {
      if ((looks += 1) === 6) throw new Error('The page is busy.');
      return { isDenied: false, url: '', covers: [], view: { width: 1, height: 1, scale: 1 } };
    },
  });
  const draw = (data: string): void => {
    const params = { data, sessionId: 1, metadata: {} };
    receive({ method: 'Page.screencastFrame', sessionId: null, params });
  };
  const send = async (method: string): Promise<object> => {
    if (looks === 6 && method === 'Page.startScreencast') draw('c');
    return {};
  };
  const onEvent = (listener: typeof receive) => void (receive = listener);
  await recording.attach({ tabId: 7, signal, send, onEvent } as never);
  return { steps, draw, write: () => recording.write(() => Promise.resolve(), signal) };
}

it('takes no picture while a caret blinks, nor after its time, and says so', async () => {
  const { steps, draw, write } = await record();
  const blinks = [...'ababab'].map((data) => [data, 500] as const);
  for (const [data, afterMs] of [...blinks, ['c', VIDEO_MS], ['d', 1_000], ['e', 1_000]] as const) {
    draw(data);
    await vi.advanceTimersByTimeAsync(afterMs);
  }
  expect(steps).toHaveLength([...'ababcd'].length);
  expect(await write()).toMatchObject({ cut: 'time' });
});

it('ends with the first picture after its end, also if an act of that moment is cancelled', async () => {
  const { draw, write } = await record();
  const call = new AbortController();
  const shown = new ActShower(7, call.signal).showWords('Wait');
  const written = write();
  call.abort();
  await shown;
  await vi.advanceTimersByTimeAsync(1_000);
  draw('a');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await written).toMatchObject({ recorded_ms: 1_000 });
});

it('adds no picture once the video has its size, and says so', async () => {
  class Canvas {
    constructor(
      readonly width: number,
      readonly height: number,
    ) {}

    getContext(): object {
      const getImageData = () => ({ data: new Uint8ClampedArray(this.width * this.height * 4) });
      const known = { canvas: this, getImageData };
      const get = (_: object, key: string) => Reflect.get(known, key) ?? (() => undefined);
      return new Proxy(known, { get, set: () => true });
    }
  }
  vi.stubGlobal('OffscreenCanvas', Canvas);
  const film = new Film();
  const maxBytes = 2_000;
  await film.take({ is: 'begin', at: 0, format: 'gif', width: 320, maxBytes });
  for (let at = 1; at <= 10; at += 1) await film.take({ is: 'card', at: at * 1_000, text: 'Mill' });
  await film.take({ is: 'end', at: 11_000 });
  const { facts } = film.next();
  expect(facts).toMatchObject({ isFull: true });
  expect(facts?.frames).toBeLessThan(10);
});
