/** Every content type that a payload of ours can have. */
export const MIME = {
  json: 'application/json',
  gzip: 'application/gzip',
  /** A web archive: a zip with a WARC. */
  wacz: 'application/wacz',
  markdown: 'text/markdown',
  text: 'text/plain',
  html: 'text/html',
  /** The accessible outline of `read_page { format: "snapshot" }`. */
  snapshot: 'text/vnd.spillway.snapshot',
  octets: 'application/octet-stream',
  shell: 'application/x-sh',
  typescript: 'text/typescript',
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  // Types of fetched files. Others are stored as octets or plain text.
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
 * Whether a body of this type is text. Both ends ask here: text that one keeps must be redacted as text by
 * the other.
 */
export const isTextType = (mimeType: string): boolean => TEXT_TYPE.test(mimeType);

/** One of the content types in {@link MIME}. */
export type MimeType = (typeof MIME)[keyof typeof MIME];

/** Browsers search at least this much, and then the rest of the head, for a `<meta>` that names the encoding. */
const PRESCAN_BYTES = 1_024;
const HEAD_BYTES = 16_384;

/**
 * The encoding of a page: byte order mark, then Content-Type, then `<meta>` in the head or the XML
 * declaration, as browsers do (Encoding and HTML standards). Unknown labels are skipped. Without any
 * label the bytes decide: UTF-8 if they are valid UTF-8, else windows-1252, the browsers' own default. As in
 * a tab, a wrong label counts.
 */
export const charsetOf = (bytes: Uint8Array, contentType: string | null): string =>
  namedCharset(bytes, contentType) ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252');

/** Whether a body without a label is read as UTF-8 because its bytes are, and not in ASCII alone. */
export const isGuessedUtf8 = (bytes: Uint8Array, contentType: string | null): boolean =>
  namedCharset(bytes, contentType) === null && bytes.some((byte) => byte > 127) && isUtf8(bytes);

function namedCharset(bytes: Uint8Array, contentType: string | null): string | null {
  const named = /;\s*charset\s*=\s*["']?\s*([^\s"';]+)/i.exec(contentType ?? '')?.[1];
  return (
    byteOrderMark(bytes) ??
    findEncoding(named) ??
    // A page cannot say in ASCII that it is UTF-16 (HTML standard, prescan).
    findEncoding(prescan(bytes))?.replace(/^utf-16.*/, 'utf-8') ??
    null
  );
}

/** The text of a body in a browser, whose decoders are the Standard's; invalid bytes become U+FFFD. */
export function decodeBody(bytes: Uint8Array, contentType: string | null): string {
  return new TextDecoder(charsetOf(bytes, contentType)).decode(bytes);
}

function byteOrderMark(bytes: Uint8Array): string | null {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  return a === 0xff && b === 0xfe ? 'utf-16le' : null;
}

const UNREAD = /<!--[^]*?-->|<(script|style)[\s>][^]*?<\/\1/gi;

function prescan(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder('windows-1252').decode(bytes.subarray(0, HEAD_BYTES));
  const end = start.search(/<\/head|<body/i);
  const head = end === -1 ? start : start.slice(0, Math.max(PRESCAN_BYTES, end));
  const xml = /^<\?xml\s[^>]*?encoding\s*=\s*["']([^"']+)/i.exec(head);
  if (xml !== null) return xml[1];
  for (const [tag] of head.replace(UNREAD, '').matchAll(/<meta[\s/][^>]*>/gi)) {
    const direct = /[\s/"';]charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(tag);
    if (direct !== null) return direct[1];
  }
  return undefined;
}

/** The standard's name of an encoding, or null for an unknown label. */
function findEncoding(label: string | undefined): string | null {
  if (label === undefined) return null;
  if (label.toLowerCase() === 'x-user-defined') return 'windows-1252';
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    // A body that was cut off may end inside a character.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
