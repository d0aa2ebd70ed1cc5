/**
 * Stops what the document loads, as the browser's stop button does.
 *
 * Runs in a page through `scripting.executeScript`, which passes it on as text: it sees its arguments and
 * the page, and nothing else of the extension.
 */
export function stopDocument(): void {
  window.stop();
}
