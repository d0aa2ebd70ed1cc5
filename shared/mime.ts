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

const TEXT_TYPE =
  /^text\/|[/+](?:json|xml|javascript|ecmascript|x-javascript|x-www-form-urlencoded|graphql|yaml|x-yaml|toml|sql|ndjson|x-ndjson|manifest)\b|^image\/svg|^multipart\/form-data/i;

/**
 * Whether a body of this type is text. Both ends ask here: what one keeps as text the other has to
 * redact as text.
 */
export const isTextType = (mimeType: string): boolean => TEXT_TYPE.test(mimeType);

/** One of the content types in {@link MIME}. */
export type MimeType = (typeof MIME)[keyof typeof MIME];
