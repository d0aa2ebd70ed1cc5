const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (found) => ENTITIES[found] ?? '');

/** The page that a browser ends at after a sign-in. It loads nothing, and runs nothing. */
export const plainPage = ({
  title,
  text,
}: {
  readonly title: string;
  readonly text: string;
}): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} – Spillway</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; margin: 0; min-height: 100vh; display: grid; place-items: center; background: Canvas; color: CanvasText; }
  main { max-width: 32rem; padding: 2rem; text-align: center; overflow-wrap: anywhere; }
  h1 { font-size: 1.5rem; margin: 0 0 .5rem; }
  p { margin: 0; opacity: .75; }
</style>
<main><h1>${escape(title)}</h1><p>${escape(text)}</p></main>
`;
