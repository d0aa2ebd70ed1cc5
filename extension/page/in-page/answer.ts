/**
 * Answers, which a page that is busy or shows a dialog does not.
 *
 * Runs in a page through `scripting.executeScript`, which passes it on as text: it sees its arguments and
 * the page, and nothing else of the extension.
 */
export function answer(): true {
  return true;
}
