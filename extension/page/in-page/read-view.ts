/**
 * Where the viewport is, in CSS pixels, and how many device pixels one of them takes.
 *
 * Runs in a page through `scripting.executeScript`, which passes it on as text: it sees its arguments and
 * the page, and nothing else of the extension.
 */
export function readView(): { x: number; y: number; width: number; height: number; pixelRatio: number } {
  return { x: scrollX, y: scrollY, width: innerWidth, height: innerHeight, pixelRatio: devicePixelRatio };
}
