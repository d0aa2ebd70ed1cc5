import browser from 'webextension-polyfill';
import { waitAtMost } from '../../../shared/async/wait.ts';
import { answer } from '../../page/in-page/answer.ts';

/** A page that runs no script for so long hangs. */
const ANSWER_MS = 3_000;

/** Whether the page that a tab shows runs nothing: it loops, or a dialog of its own is open. */
export async function hangs(tabId: number): Promise<boolean> {
  const answered = browser.scripting
    .executeScript({ target: { tabId }, injectImmediately: true, func: answer })
    .then(
      () => true,
      () => true, // A page that no script may enter does not hang.
    );
  return (await waitAtMost(answered, ANSWER_MS)) === undefined;
}
