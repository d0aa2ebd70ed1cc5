import { LIMITS } from '../../shared/limits.ts';
import type { OutputDescriptor } from '../../shared/output/descriptor.ts';
import { clean, joinClean, type CleanText } from '../redact/clean.ts';
import { vouch } from '../redact/mark.ts';
import type { ContentBlock } from '../core/result.ts';
import { boundaryBefore } from './utf8.ts';

/** A descriptor before its preview is cut. */
export interface DescriptorFacts {
  readonly descriptor: OutputDescriptor;
  /** The beginning of the payload, or null for bytes. */
  readonly head: Buffer | null;
  readonly notes: readonly CleanText[];
  readonly canQuery: boolean;
  /** Bytes of the response body outside the array `content`. */
  readonly envelopeBytes: number;
  /** The descriptor is in the body a second time, as an object. */
  readonly structured: boolean;
}

/** Notes yield to the descriptor beyond this many bytes of JSON. */
const NOTES_BYTES = 1024;
/** `"structuredContent":,` */
const STRUCTURED_KEY_BYTES = 22;
const WHOLE_NOTE = clean`The preview is the complete output; no fetch is needed.`;

/** Only for outputs longer than their preview, and for clients that have the tool. */
const QUERY_NOTE = clean`To search, filter or compare it: oc_output_query.`;

type Content = readonly [ContentBlock, ...ContentBlock[]];

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const textBlock = (text: CleanText): ContentBlock => ({ type: 'text', text });

/** The text content of a result: the payload or descriptor, then the notes when there are any. */
export function toContent(first: ContentBlock, notes: readonly CleanText[]): Content {
  return notes.length === 0 ? [first] : [first, textBlock(joinClean(notes, '\n'))];
}

/**
 * Cuts preview and notes so that the whole response body stays within
 * `LIMITS.outputDescriptorBodyBytes`. Characters of the preview are escaped twice, once in the
 * descriptor's text and once in the body, so their cost is counted as it is there.
 */
export function fitDescriptor(facts: DescriptorFacts): { descriptor: OutputDescriptor; content: Content } {
  const room = LIMITS.outputDescriptorBodyBytes - facts.envelopeBytes;
  const build = (preview: string | null, notes: readonly CleanText[]) => {
    const descriptor = { ...facts.descriptor, preview };
    return { descriptor, content: toContent(textBlock(vouch(JSON.stringify(descriptor))), notes) };
  };
  const { head } = facts;
  const empty = head === null ? null : '';
  const bytesOf = (preview: string | null, notes: readonly CleanText[]): number => {
    const { descriptor, content } = build(preview, notes);
    return jsonBytes(content) + (facts.structured ? jsonBytes(descriptor) + STRUCTURED_KEY_BYTES : 0);
  };
  const isFitting = (preview: string | null, notes: readonly CleanText[]): boolean =>
    bytesOf(preview, notes) <= room;

  if (
    head !== null &&
    head.length === facts.descriptor.size_bytes &&
    head.length <= LIMITS.outputPreviewBytes
  ) {
    const whole = head.toString('utf8');
    const notes = fitNotes([WHOLE_NOTE, ...facts.notes], (list) => isFitting(whole, list));
    if (notes.length > 0 && isFitting(whole, notes)) return build(whole, notes);
  }
  const asked = facts.canQuery && head !== null ? [...facts.notes, QUERY_NOTE] : facts.notes;
  const notes = fitNotes(asked, (list) => isFitting(empty, list));
  if (head === null) return build(null, notes);
  const left = room - bytesOf('', notes);
  return build(cutPreview(head, left, facts.structured), notes);
}

/** As many notes as fit, whole ones, with a word on those that do not. */
function fitNotes(
  notes: readonly CleanText[],
  isFitting: (notes: readonly CleanText[]) => boolean,
): readonly CleanText[] {
  for (let kept = notes.length; kept > 0; kept -= 1) {
    const left = notes.length - kept;
    const list = left === 0 ? notes : [...notes.slice(0, kept), clean`${left} more notes were omitted.`];
    if (jsonBytes(list.join('\n')) <= NOTES_BYTES && isFitting(list)) return list;
  }
  const none = notes.length === 0 ? [] : [clean`${notes.length} notes were omitted.`];
  return isFitting(none) ? none : [];
}

/** Bytes that a character takes in a JSON string inside a JSON string, and once more in a plain one. */
function costOf(character: string, structured: boolean): number {
  const inner = JSON.stringify(character).slice(1, -1);
  return jsonBytes(inner) - 2 + (structured ? Buffer.byteLength(inner) : 0);
}

/** The longest beginning, cut between code points, that costs at most `roomBytes`. */
function cutPreview(head: Buffer, roomBytes: number, structured: boolean): string {
  const end = Math.min(head.length, LIMITS.outputPreviewBytes);
  const text = head.toString('utf8', 0, boundaryBefore(head, end));
  let cost = 0;
  let length = 0;
  for (const character of text) {
    cost += costOf(character, structured);
    if (cost > roomBytes) break;
    length += character.length;
  }
  return text.slice(0, length);
}
