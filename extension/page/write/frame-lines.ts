import type { FrameMark } from '../protocol.ts';
import type { Lines } from './lines.ts';
import type { FramePlace, WriterTools } from './writer.ts';

/** Begins the text of a frame that is walked in place: its origin stands before what it holds. */
export function enterFrame(lines: Lines, origin: string): void {
  lines.head(`[frame ${origin}]`);
}

/** Ends it; nothing is written of a frame that held nothing. */
export function leaveFrame(lines: Lines, origin: string): void {
  if (lines.tail()) lines.rawLines([`[end of frame ${origin}]`]);
  lines.block(2);
}

/** Leaves the place of a frame that is read by itself. */
export function markFrame(
  lines: Lines,
  out: WriterTools['out'],
  make: (place: FramePlace) => FrameMark,
): void {
  lines.block(2);
  out.mark(make({ prefix: lines.prefix, follows: lines.started }));
  lines.resume();
}
