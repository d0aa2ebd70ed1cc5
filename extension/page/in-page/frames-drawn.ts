/**
 * Resolves when the document has been drawn `count` times.
 *
 * Runs in a page through `scripting.executeScript`, which passes it on as text: it sees its arguments and
 * the page, and nothing else of the extension.
 */
export function framesDrawn(count: number): Promise<true> {
  return new Promise((resolve) => {
    let left = count;
    const next = (): void => {
      left -= 1;
      if (left < 0) resolve(true);
      else requestAnimationFrame(next);
    };
    next();
  });
}
