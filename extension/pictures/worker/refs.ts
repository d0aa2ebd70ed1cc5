import type { Coverage } from '../../../shared/core/bridge/page.ts';
import { gather } from '../../../shared/base/queue.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import type { PageChannels } from '../../core/pages/channels.ts';
import type { ShownTo } from '../../core/pages/ref-book.ts';
import { createCanvas, decodePicture, encodePicture } from '../../core/tabs/visible-tab.ts';
import type { Area, CaptureOptions, Picture } from './capture.ts';

/** More labels would cover each other, and what they name. */
const REFS_MAX = 100;
const FONT_PX = 12;
const PAD_PX = 2;

/** Whom to ask about a tab's page, and for which session. */
interface Asked {
  readonly tabId: number;
  readonly url: string;
  readonly channels: PageChannels;
  readonly shownTo: ShownTo;
  readonly signal: AbortSignal;
}

/** Controls of the top document and the frames that its script reaches. */
interface Controls {
  /** Boxes by ref. */
  readonly boxes: ReadonlyMap<string, Area>;
  readonly notes: readonly Coverage[];
}

/** The refs of the controls in an area, or in view, which from then on count as shown to the session. */
async function findControls(
  { tabId, url, channels, shownTo, signal }: Asked,
  within: Area | null,
): Promise<Controls> {
  const waiting = { timeoutMs: LIMITS.pageResponseTimeoutMs, signal };
  const channel = await channels.connect({ tabId, frameId: 0, url }, waiting);
  const loan = await shownTo.book.lendFew(channel, { viewer: shownTo.viewer, prefix: '' });
  const asked = { target: { within }, limit: REFS_MAX, prefix: '', showing: loan.showing };
  const { found } = await channel.ask((id) => ({ type: 'find', id, ...asked }), 'found', {
    ...waiting,
    borrowed: loan,
  });
  await loan.stored;
  const note = (detail: string): Coverage => ({ kind: 'refs_left_out', detail });
  return {
    boxes: new Map(
      found.hits.flatMap(({ line, box }) => (box === undefined ? [] : [[line.split(' ', 1)[0] ?? '', box]])),
    ),
    notes: [
      ...(found.more > 0
        ? [note(`${found.more} more controls have no ref in the picture: find has them.`)]
        : []),
      ...(found.frames.length > 0
        ? [note('Frames of other sites have no refs in the picture: find has them.')]
        : []),
    ],
  };
}

/**
 * Takes a picture and draws on it the refs of the controls that it shows. A control that moved while it was taken gets
 * none.
 */
export async function drawRefs(
  asked: Asked & { readonly within: Area | null },
  options: CaptureOptions,
  take: (options: CaptureOptions) => Promise<Picture>,
): Promise<{
  readonly picture: Picture;
  readonly plain: Picture;
  readonly refs: number;
  readonly notes: readonly Coverage[];
}> {
  const before = await findControls(asked, asked.within);
  const { size, pieces } = await take({ ...options, format: 'png' });
  const plain = { size, pieces: await gather(pieces) };
  const after = await findControls(asked, asked.within);
  const kept = [...after.boxes].filter(
    ([ref, box]) => JSON.stringify(box) === JSON.stringify(before.boxes.get(ref)),
  );
  const bitmap = await decodePicture(plain.pieces.join(''));
  const [canvas, context] = createCanvas(bitmap.width, bitmap.height);
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  context.font = `bold ${FONT_PX}px sans-serif`;
  context.textBaseline = 'top';
  context.lineWidth = 2;
  for (const [ref, box] of kept) {
    const [x, y] = [(box.x - size.shown.x) * size.scale, (box.y - size.shown.y) * size.scale];
    context.strokeStyle = '#d1006c';
    context.strokeRect(x, y, box.width * size.scale, box.height * size.scale);
    const label = { width: context.measureText(ref).width + 2 * PAD_PX, height: FONT_PX + 2 * PAD_PX };
    // Above its control, where there is room.
    const left = Math.max(0, Math.min(x, canvas.width - label.width));
    const top = y >= label.height ? y - label.height : Math.max(0, y);
    context.fillStyle = '#d1006c';
    context.fillRect(left, top, label.width, label.height);
    context.fillStyle = '#ffffff';
    context.fillText(ref, left + PAD_PX, top + PAD_PX);
  }
  const { format, quality } = options;
  const picture = { size, pieces: encodePicture(canvas, format, quality) };
  return { picture, plain, refs: kept.length, notes: after.notes };
}
