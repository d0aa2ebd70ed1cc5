import type { ContentBlock, ToolResult } from '../../../server/core/result.ts';
import type { JsonObject } from '../../../shared/json.ts';

/** A block in no adapter's form. Bytes that a model cannot read say their type alone. */
export type PlainBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'bytes'; readonly mimeType: string };

/** The end of a call as a client of an adapter sees it. */
export interface Seen {
  readonly ok: boolean;
  readonly content: readonly PlainBlock[];
  /** Absent where the adapter's wire has no place for it. */
  readonly structured?: JsonObject | null;
}

/** How the adapters for models write bytes. */
const BYTES = /^\[\d+ bytes of (\S+), which cannot be shown here\./;

/** Text as it is, or the bytes that it encodes. */
export function plainText(text: string): PlainBlock {
  const mimeType = BYTES.exec(text)?.[1];
  return mimeType === undefined ? { type: 'text', text } : { type: 'bytes', mimeType };
}

function toPlain(block: ContentBlock): PlainBlock {
  if (block.type === 'text') return block;
  if (block.type === 'image') return block;
  if (block.type === 'blob') return { type: 'bytes', mimeType: block.mimeType };
  throw new Error('No case has blocks of another server.');
}

export function seenOf({ ok, content, structured }: Pick<ToolResult, 'ok' | 'content' | 'structured'>): Seen {
  return { ok, content: content.map(toPlain), structured: structured ?? null };
}

/** Differences that are natural between servers, in the order in which they are looked for. */
const MASKS: readonly (readonly [RegExp, string])[] = [
  [/oh_[A-Z2-7]{12}/g, 'oh_MASKED'],
  [/run_[A-Z2-7]{12}/g, 'run_MASKED'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'DATE'],
  // Archives hold the time at which they were packed.
  [/[0-9a-f]{64}/g, 'SHA-256'],
  [/("mime_type":"application\/gzip","size_bytes":)\d+/g, '$10'],
  // Adapters that have steps name them, and calls by the ids of their models.
  [/,"step":"[^"]*"/g, ''],
  [/"call_id":"[^"]*"/g, '"call_id":"ID"'],
  // What each client calls itself, and which session of which server that was.
  [/"agent":"[^"]*"/g, '"agent":"NAME"'],
  [/"agent_version":"[^"]*",/g, ''],
  [/"client_session":"[^"]*"/g, '"client_session":"ID"'],
  [/"server":"[0-9a-f]{24}"/g, '"server":"ID"'],
  [/"(\w+_ms|rate_per_second|uptime_s)":[\d.]+/g, '"$1":0'],
  // Sums over what has been masked above.
  [/"(content_bytes|bytes|tokens|saved_tokens)":-?\d+/g, '"$1":0'],
  [/("handles":\d+,"size_bytes":)\d+/g, '$10'],
];

function maskText(text: string, home: string): string {
  const placed = text.replaceAll(home, 'HOME');
  return MASKS.reduce((masked, [pattern, shown]) => masked.replaceAll(pattern, shown), placed);
}

/** The same without what differs by nature: handles, ids, dates, durations, the folder of the server. */
export function mask(seen: Seen, home: string): Seen {
  const whole = JSON.stringify(seen.structured ?? null);
  const structured = JSON.parse(maskText(whole, home)) as JsonObject | null;
  return {
    ok: seen.ok,
    // Models' APIs refuse blank text, so that their adapters leave it out.
    content: seen.content
      .map((block) => (block.type === 'text' ? { ...block, text: maskText(block.text, home) } : block))
      .filter((block) => block.type !== 'text' || block.text.trim() !== ''),
    ...(seen.structured === undefined ? {} : { structured }),
  };
}
