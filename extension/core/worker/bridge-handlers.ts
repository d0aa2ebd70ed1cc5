import { LIMITS } from '../../../shared/base/limits.ts';
import type { Handler, StreamHandler } from '../handler.ts';

/** `bridge.echo`: returns its argument. */
export const echo: Handler<'bridge.echo'> = ({ value }) => Promise.resolve({ value });

/** One chunk of filler: printable, one byte per character. */
const filler = 'spillway'.repeat(LIMITS.streamChunkUnits / 8);

/** `bridge.flood`: streams `bytes` of filler, to measure the bridge. */
export const flood: StreamHandler<'bridge.flood'> = async ({ bytes }, _context, sink) => {
  for (let left = bytes; left > 0; left -= filler.length) await sink.write(filler.slice(0, left));
  return { bytes };
};
