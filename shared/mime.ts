/** Every content type that a payload of ours can have. */
export const MIME = {
  json: 'application/json',
  gzip: 'application/gzip',
  markdown: 'text/markdown',
  text: 'text/plain',
  html: 'text/html',
  /** The accessible outline of `read_page { format: "snapshot" }`. */
  snapshot: 'text/vnd.spillway.snapshot',
  octets: 'application/octet-stream',
  /** What `network { format: "curl" }` answers. */
  shell: 'application/x-sh',
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
} as const;

/** One of the content types in {@link MIME}. */
export type MimeType = (typeof MIME)[keyof typeof MIME];
