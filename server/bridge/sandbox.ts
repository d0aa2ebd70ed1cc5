/** A package whose sandbox cannot start a program of the user, a native host above all. */
export type Sandbox = 'snap' | 'flatpak';

/** What a wrapper's text is judged by: scripts are short. */
export const WRAPPER_BYTES = 16_384;

/** By the path, or by where its links lead: `/snap/bin/chromium` is a link to the snap command itself. */
export function sandboxOfPath(path: string): Sandbox | null {
  if (/^\/snap\/|^\/var\/lib\/snapd\/|\/bin\/snap$/.test(path)) return 'snap';
  return path.includes('/flatpak/') || path.endsWith('/bin/flatpak') ? 'flatpak' : null;
}

/** By what a wrapper script starts: Ubuntu's `/usr/bin/chromium-browser` runs the snap. */
export function sandboxOfScript(text: string): Sandbox | null {
  if (!text.startsWith('#!')) return null;
  if (/\/snap\/bin\/|\bsnap\s+run\b/.test(text)) return 'snap';
  return /\bflatpak\s+run\b|\/flatpak\/exports\//.test(text) ? 'flatpak' : null;
}
