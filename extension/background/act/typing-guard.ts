import { passwordRefused } from '../../../shared/act/password-refused.ts';
import { delay } from '../../../shared/async/wait.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { ActFrames } from './act-frames.ts';
import type { ActPage } from './act-page.ts';

/** How long keys that were sent take to arrive. */
const UNDERWAY_MS = 1_000;

/**
 * Sends input that may end up in any field of a tab: keys go to the element that has the focus, and the focus
 * may move between two keys. Each document keeps them out of its own password fields.
 *
 * @param work calls `renew` between keys: a document that was loaded meanwhile is guarded too
 * @throws SpillwayError `password_refused` naming the field, `page_unresponsive` for a document that cannot
 * be guarded, and what `work` throws
 */
export async function sparingPasswords<T>(
  frames: ActFrames,
  signal: AbortSignal,
  work: (renew: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const guarded = new Map<string, ActPage>();
  const renew = async (): Promise<void> => {
    const added = (await frames.now(signal)).filter(({ documentId }) => !guarded.has(documentId));
    for (const page of added) guarded.set(page.documentId, page);
    await Promise.all(added.map((page) => guard(page, true, signal)));
  };
  let done: T;
  try {
    await renew();
    done = await work(renew);
  } catch (thrown) {
    if (signal.aborted) liftLater([...guarded.values()]);
    else throwRefused(await lift([...guarded.values()], signal));
    throw thrown;
  }
  throwRefused(await lift([...guarded.values()], signal));
  return done;
}

const lift = async (pages: readonly ActPage[], signal: AbortSignal): Promise<readonly (string | null)[]> =>
  Promise.all(pages.map((page) => guard(page, false, signal)));

/** After an act that was ended midway: keys that were sent may still arrive. */
function liftLater(pages: readonly ActPage[]): void {
  void delay(UNDERWAY_MS)
    .then(() => lift(pages, new AbortController().signal))
    .catch(() => undefined);
}

/**
 * A document that has been replaced has no fields any longer. One that only fails to answer may have some.
 */
async function guard(page: ActPage, isOn: boolean, signal: AbortSignal): Promise<string | null> {
  try {
    return (await page.ask({ do: 'guard', isOn }, signal)).refused;
  } catch (thrown) {
    signal.throwIfAborted();
    if (isOn && !page.isGone) throw thrown;
    return null;
  }
}

function throwRefused(answers: readonly (string | null)[]): void {
  const refused = answers.find((line) => line !== null);
  if (refused !== undefined) throw new SpillwayError('password_refused', passwordRefused(refused));
}
