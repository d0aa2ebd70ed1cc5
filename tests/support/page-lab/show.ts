/**
 * Replaces the page's document by the parsed HTML of a case, its head, body and declarative shadow
 * roots included. Waits until its pictures and `srcdoc` frames are loaded.
 */
export async function show(html: string): Promise<void> {
  const root = document.documentElement;
  for (const name of root.getAttributeNames()) root.removeAttribute(name);
  root.setHTMLUnsafe(html);
  scrollTo(0, 0);
  const frames = [...document.querySelectorAll<HTMLIFrameElement>('iframe[srcdoc]')];
  // A lazy picture out of view never loads.
  const pictures = [...document.querySelectorAll('img')].filter(
    (image) => !image.complete && image.loading !== 'lazy',
  );
  await Promise.all(pictures.map((image) => image.decode().catch(() => undefined)));
  await Promise.all(
    frames.map((frame) => new Promise<void>((loaded) => frame.addEventListener('load', () => loaded()))),
  );
}
