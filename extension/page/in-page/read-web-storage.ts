/**
 * Names and sizes of what the page keeps in `localStorage` and `sessionStorage`, as JSON. Sizes are UTF-8 bytes.
 *
 * Runs in a page through `scripting.executeScript`, which passes it on as text: it sees its arguments and
 * the page, and nothing else of the extension.
 */
export function readWebStorage(mostNames: number): string {
  const lines: object[] = [];
  for (const kind of ['local_storage', 'session_storage']) {
    try {
      const storage = kind === 'local_storage' ? localStorage : sessionStorage;
      for (let at = 0; at < Math.min(storage.length, mostNames); at += 1) {
        const name = storage.key(at) ?? '';
        const size = new TextEncoder().encode(storage.getItem(name) ?? '').length;
        lines.push({ kind, name, size_bytes: size });
      }
      if (storage.length > mostNames) lines.push({ kind, left_out: storage.length - mostNames });
    } catch (thrown) {
      lines.push({ kind: 'not_read', what: kind, message: String(thrown) });
    }
  }
  return JSON.stringify(lines);
}
