const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

/** `LIMITS.pageBufferBytes`, separately for a script that needs no other bound. */
export const PAGE_BUFFER_BYTES = 64 * MIB;

/**
 * Bounds that clients, stored files or the other end rely on; a bound of a single room is in that room. Units
 * are in the names. A literal snapshot in `tests/core/contract` pins them: changing one is a decision, not an
 * edit.
 */
export const LIMITS = {
  /** `output_inline_limit_bytes` by default. */
  outputInlineLimitBytes: 32_768,
  /** Beyond this, inline returns a descriptor instead: JavaScript strings have a maximum length. */
  outputInlineMaxBytes: 16 * MIB,
  /** The longest `preview` of a descriptor, in UTF-8 bytes. */
  outputPreviewBytes: 2_048,
  /** A whole HTTP response body with a descriptor, envelope and SSE framing included. */
  outputDescriptorBodyBytes: 4_096,
  /** Default `limit` of `oc_output_fetch` for items. */
  outputFetchItems: 200,
  /** Largest `limit` of `oc_output_fetch` for items. */
  outputFetchItemsMax: 10_000,
  /** Default `limit` of `oc_output_fetch` for bytes. */
  outputFetchBytes: 32_768,
  /** Largest `limit` of `oc_output_fetch` for bytes. */
  outputFetchBytesMax: 8 * MIB,
  /** Smallest byte `limit` for UTF-8: the longest code point. */
  outputFetchUtf8Min: 4,
  /** Serialised size of one page (`--output-page-bytes`). */
  outputPageBytes: 32_768,
  /** `--output-handle-ttl-hours`. */
  outputHandleTtlHours: 24,
  /** `--output-handle-sweep-interval-seconds`. */
  outputHandleSweepIntervalSeconds: 300,
  /** `--output-max-bytes`. */
  outputMaxBytes: 4 * GIB,
  bridgeFrameBytes: 512 * KIB,
  /**
   * One stream chunk in UTF-16 code units: even if six-fold escaped it fits in a frame, and ordinary text
   * with its envelope fits in the 64 KiB of a pipe, so that each hop needs one write and one read.
   */
  streamChunkUnits: 60 * KIB,
  /** Unacknowledged bytes that a stream's receiver allows before it grants more. */
  streamWindowBytes: 8 * MIB,
  /** Host-side buffer for a server that does not read, before its channel is closed. */
  hostChannelBufferBytes: 32 * MIB,
  /** A live peer that has not said hello by then is an error; one that ends is noticed at once. */
  helloTimeoutMs: 60_000,
  /** A peer that has not said hello by then is named as the one being waited for. */
  helloNoticeMs: 3_000,
  /** Default time a bridge call may go without any sign of life. */
  callTimeoutMs: 30_000,
  /** How long a call waits for a first browser to connect. */
  browserWaitMs: 5_000,
  /** How long a browser that this server launches may live without writing a file, before its host registers. */
  launchTimeoutMs: 60_000,
  /** Default `timeout_ms` of `navigate`. */
  navigateTimeoutMs: 30_000,
  /** Time a content script has to give its first sign of life. */
  pageResponseTimeoutMs: 10_000,
  /** Page-side text kept before a walk has to yield. */
  pageBufferBytes: PAGE_BUFFER_BYTES,
  /** `--sync-wait-ms`: a call that takes longer returns a run id; clients give up after 60 s. */
  syncWaitMs: 45_000,
  /** `--network-buffer-bytes`: the ring of captured requests of one client. */
  networkBufferBytes: 256 * MIB,
  /** The part of it in memory; the rest is on disk. */
  networkMemoryBytes: 8 * MIB,
  /** `--network-body-bytes`: a body or message beyond this is counted, not kept. */
  networkBodyBytes: 2 * MIB,
  /** The most that `--network-body-bytes` can be, and what a browser buffers of one body. */
  networkBodyBytesMax: 16 * MIB,
  /** All bodies of one tab's capture. */
  networkBodiesBytes: GIB,
  /** Lines that wait in the worker for a slow reader; beyond that the oldest are dropped and counted. */
  networkQueueBytes: 16 * MIB,
  /** Files that one call uploads, together: they pass through the memory of browser and page. */
  uploadBytes: 64 * MIB,
  /** How many files go to a page at once. */
  uploadFiles: 20,
  /** Bytes of a file in one message to the browser; base64 adds a third. */
  uploadChunkBytes: 256 * KIB,
  /** Redirects that are followed from one address, as in browsers (Fetch standard). */
  redirects: 20,
  /** Deadline of one page of a crawl. */
  crawlPageTimeoutMs: 30_000,
  /** A crawled page is cut beyond this. */
  crawlPageBytes: 16 * MIB,
  /** robots.txt beyond this is cut off (RFC 9309 asks for 500 KiB at least). */
  robotsBytes: 512 * KIB,
  /** A sitemap, unpacked (sitemaps.org). */
  sitemapBytes: 50 * MIB,
  /** Runs that work at once; others wait. */
  runsAtOnce: 2,
  runTtlDays: 7,
  evidencePartBytes: 512 * MIB,
  /** Time limit of one part of an evidence bundle. */
  evidencePartMs: 60_000,
  /** Time limit of a time-stamp authority's answer. */
  evidenceTimestampMs: 10_000,
  /** One CDP command. */
  debuggerCommandMs: 15_000,
  /** Between two heartbeats of an idle bridge. */
  heartbeatIntervalMs: 15_000,
  /** How often a host checks its own registration, which someone may have deleted. */
  hostLookoutMs: 3_000,
  /** First and last delay of the worker's reconnects. */
  reconnectMinMs: 250,
  reconnectMaxMs: 30_000,
  /** Longer socket paths cannot be bound on every system. */
  socketPathBytes: 107,
  /** The server exits within this time after its client leaves. */
  shutdownMs: 2_000,
  /** Largest HTTP request body. */
  httpBodyBytes: 4 * MIB,
  humanInputMs: 10 * 60_000,
  /** Maximum entries that `oc_journal` returns. */
  journalCountMax: 100,
  /** Days of journal that are kept, counted so that a clock that jumps deletes nothing. */
  journalDays: 30,
  /** One line of the journal; a longer entry keeps only its short fields. */
  journalLineBytes: 16 * KIB,
  /** Longest wait for the ledger's disk before an act is refused. */
  ledgerWaitMs: 10_000,
  /** A clock that moved more than this relative to the monotonic one has jumped. */
  clockJumpMs: 3_600_000,
} as const;

/** Width and height of a private browser's window in pixels: sites show their desktop layout. */
export const DEFAULT_WINDOW_SIZE = '1280x900';

/** A longer or larger recording keeps its beginning. */
export const VIDEO_MS = 600_000;
export const VIDEO_BYTES = 32 * 1024 * 1024;
/** Longer than the encoder lags behind at the end: a GIF of noise takes seconds a picture. */
export const FILM_MS = 60_000;
