customElements.define(
  'x-field',
  class extends HTMLElement {
    static readonly formAssociated = true;
  },
);

/**
 * Replaces the page's document by the parsed HTML of a case, its head, body and declarative shadow
 * roots included. Waits until its pictures, style sheets and `srcdoc` frames are loaded.
 */
export async function show(html: string): Promise<void> {
  const root = document.documentElement;
  for (const name of root.getAttributeNames()) root.removeAttribute(name);
  root.setHTMLUnsafe(html);
  scrollTo(0, 0);
  const sheets = document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"][href^="http"]');
  const loading = [...document.querySelectorAll('iframe[srcdoc]'), ...sheets].map(
    (el) =>
      new Promise<void>((settled) => {
        for (const end of ['load', 'error']) el.addEventListener(end, () => settled());
      }),
  );
  // A lazy picture out of view never loads.
  const pictures = [...document.querySelectorAll('img')].filter(
    (image) => !image.complete && image.loading !== 'lazy',
  );
  await Promise.all([...loading, ...pictures.map((image) => image.decode().catch(() => undefined))]);
}
