import { deadlineSignal } from '../../../shared/async/wait.ts';
import { cut } from '../../../shared/cut.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { isObject } from '../../../shared/json.ts';
import { ActPage } from '../act/act-page.ts';
import type { PageChannels } from '../pages/channels.ts';
import type { RefBook } from '../pages/ref-book.ts';
import type { Question } from './state.ts';

const REF = /(?<![\w-])(?:f\d+)*e\d+(?![\w-])/g;
/** Refs of one call that are looked up; a page that is slower than this is not waited for. */
const MOST_REFS = 20;
const MOST_MS = 2_000;
const NAME_UNITS = 120;

interface TargetNamesOptions {
  readonly channels: PageChannels;
  readonly refBook: RefBook;
}

/** What the page calls the elements of the refs in a call. The agent does not see the answer: it is for the card. */
export async function targetNames(
  { call: { args }, caller, tab_id: tabId }: Question,
  { channels, refBook: book }: TargetNamesOptions,
): Promise<Readonly<Record<string, string>>> {
  if (tabId === null || args === null) return {};
  const { fields, steps, ref } = args;
  const texts = JSON.stringify([Object.keys(isObject(fields) ? fields : {}), steps ?? [], ref ?? '']);
  const refs = [...new Set(texts.match(REF))].slice(0, MOST_REFS);
  const late = (): SpillwayError =>
    new SpillwayError('timeout', 'The page did not name its elements in time.');
  const limited = deadlineSignal(MOST_MS, late);
  const { session: viewer } = caller;
  const nameOf = async (one: string): Promise<[string, string][]> => {
    const { frameId, documentId } = await book.find(one, { tabId, viewer });
    const address = { tabId, frameId, url: '' };
    const channel = await channels.connect(address, { timeoutMs: MOST_MS, signal: limited.signal });
    if (channel.documentId !== documentId) return [];
    const page = new ActPage({ address, channels, channel, shownTo: { book, viewer } });
    const { found } = await page.ask({ do: 'find', target: one }, limited.signal);
    return found.slice(0, 1).map(({ line }) => [one, cut(line, NAME_UNITS)]);
  };
  try {
    // An element that is gone has no name; the act will say so.
    const names = await Promise.all(refs.map((one) => nameOf(one).catch(() => [])));
    return Object.fromEntries(names.flat());
  } finally {
    limited.release();
  }
}
