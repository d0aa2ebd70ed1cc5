import { invalidArgument } from '../../shared/base/errors.ts';
import type { ClientSession } from './context.ts';
import { formatTabId, type TabTarget } from './targets.ts';

/** `shown`: the picture's origin in the page, in CSS pixels. `scale`: picture pixels per CSS pixel. */
interface Picture {
  readonly scale: number;
  readonly shown: { readonly x: number; readonly y: number };
}

/** The last picture of each tab that a session was shown. */
const pictures = new WeakMap<ClientSession, Map<string, Picture>>();

/** Records the picture that `picture=x,y` refers to from now on. */
export function notePicture(session: ClientSession, tab: string, picture: Picture): void {
  const own = pictures.get(session) ?? new Map<string, Picture>();
  pictures.set(session, own.set(tab, picture));
}

const IN_PICTURE = /^picture=(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)$/;

/**
 * Converts a target in pixels of the last picture to one in pixels of the page; any other stays. @throws
 * SpillwayError `invalid_argument`
 */
export function placeTarget(target: string, session: ClientSession, at: TabTarget): string {
  const found = IN_PICTURE.exec(target);
  if (found === null) return target;
  const picture = pictures.get(session)?.get(formatTabId(at));
  if (picture === undefined)
    throw invalidArgument(`${target}: you have no picture of the tab.`, 'Call screenshot first.');
  const { scale, shown } = picture;
  const [x, y] = [shown.x + Number(found[1]) / scale, shown.y + Number(found[2]) / scale];
  return `point=${Math.round(x * 10) / 10},${Math.round(y * 10) / 10}`;
}
