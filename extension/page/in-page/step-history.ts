/**
 * Goes one entry back or forward in the page's history. Returns false when the page has a single entry.
 *
 * Runs in a page through `scripting.executeScript`, which passes it on as text: it sees its arguments and
 * the page, and nothing else of the extension.
 */
export function stepHistory(direction: 'back' | 'forward'): boolean {
  if (history.length < 2) return false;
  history[direction]();
  return true;
}
