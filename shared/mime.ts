/** Every content type that a payload of ours can have. */
export const MIME = {
  json: 'application/json',
  gzip: 'application/gzip',
  /** A web archive: a zip that holds a WARC. */
  wacz: 'application/wacz',
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
  // What a fetched file can be. Any other type is stored as octets, or as plain text.
  pdf: 'application/pdf',
  zip: 'application/zip',
  tar: 'application/x-tar',
  sevenZip: 'application/x-7z-compressed',
  epub: 'application/epub+zip',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  rtf: 'application/rtf',
  parquet: 'application/vnd.apache.parquet',
  sqlite: 'application/vnd.sqlite3',
  wasm: 'application/wasm',
  gif: 'image/gif',
  svg: 'image/svg+xml',
  avif: 'image/avif',
  bmp: 'image/bmp',
  tiff: 'image/tiff',
  icon: 'image/x-icon',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  oggAudio: 'audio/ogg',
  mp4Audio: 'audio/mp4',
  mp4: 'video/mp4',
  webm: 'video/webm',
  woff2: 'font/woff2',
  xml: 'application/xml',
  rss: 'application/rss+xml',
  atom: 'application/atom+xml',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  calendar: 'text/calendar',
  vcard: 'text/vcard',
  css: 'text/css',
  javascript: 'text/javascript',
  yaml: 'application/yaml',
  ndjson: 'application/x-ndjson',
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
