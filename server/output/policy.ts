import { isObject } from '../../shared/json.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { MimeType } from '../../shared/mime.ts';
import type { Delivered, DeliverOptions, OutputPolicy } from '../core/output.ts';
import {
  type CleanPayload,
  type Deliverable,
  type Outcome,
  type ContentBlock,
  maxInlineBytes,
} from '../core/result.ts';
import {
  clean,
  cleanTextOf,
  parseClean,
  type CleanBytes,
  type CleanRecord,
  type CleanText,
  joinClean,
} from '../redact/clean.ts';
import { abortable } from '../../shared/async.ts';
import { formatSeconds, boundaryBefore } from './format.ts';
import { PICTURES } from './pager.ts';
import { isGone, serialise, Spill } from './serialise.ts';
import type { OutputStore } from './store.ts';
import type { OutputDescriptor } from '../../shared/output/descriptor.ts';
import { vouch } from '../redact/mark.ts';

const KIB = 1024;

/** The bound of a payload: its mode's, or its own if that is lower. */
const inlineLimit = ({ inlineMaxBytes = Infinity }: Deliverable, options: DeliverOptions): number =>
  Math.min(maxInlineBytes(options), inlineMaxBytes);

/** Says why the payload is not inline. */
function tooLargeNote({ inlineMaxBytes = Infinity }: Deliverable): CleanText {
  const limitKib = Math.min(LIMITS.outputInlineMaxBytes, inlineMaxBytes) / KIB;
  const limit = limitKib < KIB ? clean`${limitKib} KiB` : clean`${limitKib / KIB} MiB`;
  return clean`Larger than ${limit}: stored instead of returned inline.`;
}

/** Decides between inline and handle while it consumes a payload, once. */
export function createOutputPolicy({
  store,
}: {
  readonly store: Pick<OutputStore, 'create' | 'open'>;
}): OutputPolicy {
  return {
    deliver: async (produced, options) => {
      const { payload } = produced;
      // The first failure is reported, but the rejection of `done` must still be handled.
      produced.done.catch(() => undefined);
      const { kind, mimeType } = payload;
      if (produced.sealed !== undefined) {
        const stored = await describeSealed(store, produced.sealed, inlineLimit(produced, options)).catch(
          nullIfGone,
        );
        if (stored !== null) return await deliverSealed(stored, produced, options);
      }
      const spill = new Spill(inlineLimit(produced, options), () =>
        store.create({ tool: options.tool, mimeType, kind }),
      );
      try {
        return await deliver(produced, spill, options);
      } catch (thrown) {
        await spill.abort();
        throw thrown;
      }
    },
  };
}

async function deliver(produced: Deliverable, spill: Spill, options: DeliverOptions): Promise<Delivered> {
  const { payload, done } = produced;
  await serialise(payload, spill, options.signal);
  const outcome = await abortable(done, options.signal);
  const writer = await spill.writer();
  if (writer === undefined) {
    const content = toContent(
      inlineBlock(payload, spill.bytes(), options.tool),
      options.notes(outcome, 'inline'),
    );
    return { content, outcome, ...structuredInline(produced, spill.bytes(), options) };
  }
  const notes = handleNotes(outcome, produced, options);
  const { handle, expiresAt } = await writer.commit(produced.untrustedFrom?.() ?? null);
  const stored: Stored = {
    handle,
    mimeType: payload.mimeType,
    sizeBytes: spill.sizeBytes,
    itemCount: payload.kind === 'items' ? spill.itemCount : null,
    expiresAt,
    head: payload.kind === 'bytes' || produced.isOpaque === true ? null : spill.head(),
  };
  return deliverStored(stored, { outcome, notes, options });
}

/** A whole payload in the store. */
interface Stored {
  readonly handle: string;
  readonly mimeType: MimeType;
  readonly sizeBytes: number;
  readonly itemCount: number | null;
  readonly expiresAt: number;
  readonly head: Buffer | null;
}

const handleNotes = (
  outcome: Outcome,
  produced: Deliverable,
  options: DeliverOptions,
): readonly CleanText[] => [
  ...(options.mode === 'inline' ? [tooLargeNote(produced)] : []),
  ...options.notes(outcome, 'handle'),
];

async function deliverSealed(
  stored: Stored,
  produced: Deliverable,
  options: DeliverOptions,
): Promise<Delivered> {
  const outcome = await abortable(produced.done, options.signal);
  return deliverStored(stored, { outcome, notes: handleNotes(outcome, produced, options), options });
}

function deliverStored(
  stored: Stored,
  { outcome, notes, options }: { outcome: Outcome; notes: readonly CleanText[]; options: DeliverOptions },
): Delivered {
  const isStructured = options.structured === true || options.structured === 'stored';
  const fitted = fitDescriptor({
    descriptor: {
      output_handle: stored.handle,
      mime_type: stored.mimeType,
      size_bytes: stored.sizeBytes,
      item_count: stored.itemCount,
      preview: null,
      expires_at: formatSeconds(stored.expiresAt),
      fetch_with: 'oc_output_fetch',
    },
    head: stored.head,
    notes,
    canQuery: options.canQuery === true,
    envelopeBytes: options.envelopeBytes,
    structured: isStructured,
  });
  return { ...fitted, ...(isStructured ? { structured: { ...fitted.descriptor } } : {}), outcome };
}

/** Null if it is small enough to be inline. */
async function describeSealed(
  store: Pick<OutputStore, 'open'>,
  handle: string,
  limitBytes: number,
): Promise<Stored | null> {
  const output = await store.open(handle);
  try {
    const { meta } = output;
    if (meta.size_bytes <= limitBytes) return null;
    const head =
      meta.kind === 'bytes'
        ? null
        : await output.read(0, Math.min(meta.size_bytes, LIMITS.outputPreviewBytes + 1));
    return {
      handle,
      mimeType: meta.mime_type,
      sizeBytes: meta.size_bytes,
      itemCount: meta.item_count,
      expiresAt: meta.expires_at_ms,
      // The reader's buffer is valid until it is closed.
      head: head === null ? null : Buffer.from(head),
    };
  } finally {
    await output.close();
  }
}

/** Another output may have evicted it since it was sealed: the payload holds the same items. */
function nullIfGone(thrown: unknown): null {
  if (isGone(thrown)) return null;
  throw thrown;
}

/** The same bytes, parsed, so that nothing is serialised twice. */
function structuredInline(
  { payload: { kind }, description = {} }: Deliverable,
  bytes: CleanBytes,
  { structured }: DeliverOptions,
): { readonly structured?: CleanRecord } {
  if (structured === false || structured === 'stored') return {};
  // A second copy of a page's text would cost its reader twice, but a schema requires an object.
  if (kind === 'text' || kind === 'bytes') return structured === true ? { structured: description } : {};
  const value = parseClean(cleanTextOf(bytes, 'utf8'));
  if (kind === 'items' || Array.isArray(value)) return { structured: { items: value } };
  return { structured: isObject(value) ? value : { value } };
}

/** Text and JSON unchanged; pictures as pictures; other bytes as an embedded resource. */
function inlineBlock(payload: CleanPayload, bytes: CleanBytes, tool: string): ContentBlock {
  const { kind, mimeType } = payload;
  if (kind !== 'bytes') return { type: 'text', text: cleanTextOf(bytes, 'utf8') };
  const data = cleanTextOf(bytes, 'base64');
  if (PICTURES.includes(mimeType)) return { type: 'image', data, mimeType };
  return { type: 'blob', data, mimeType, uri: `spillway://output/${tool}` };
}

/** A descriptor before its preview is cut. */
interface DescriptorFacts {
  readonly descriptor: OutputDescriptor;
  /** The beginning of the payload, or null for bytes. */
  readonly head: Buffer | null;
  readonly notes: readonly CleanText[];
  readonly canQuery: boolean;
  /** Bytes of the response body outside the array `content`. */
  readonly envelopeBytes: number;
  /** The body contains the descriptor a second time, as an object. */
  readonly structured: boolean;
}

/** Beyond this many bytes of JSON, notes yield to the descriptor. */
const NOTES_BYTES = 1024;
/** `"structuredContent":,` */
const STRUCTURED_KEY_BYTES = 22;
const WHOLE_NOTE = clean`The preview is the complete output; no fetch is needed.`;

/** Only for outputs longer than their preview, and for clients that have the tool. */
const QUERY_NOTE = clean`To search, filter or compare it: oc_output_query.`;

type Content = readonly [ContentBlock, ...ContentBlock[]];

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const textBlock = (text: CleanText): ContentBlock => ({ type: 'text', text });

/** The text content of a result: the payload or descriptor, then any notes. */
function toContent(first: ContentBlock, notes: readonly CleanText[]): Content {
  return notes.length === 0 ? [first] : [first, textBlock(joinClean(notes, '\n'))];
}

/**
 * Cuts preview and notes so that the whole response body stays within `LIMITS.outputDescriptorBodyBytes`.
 * Characters of the preview are escaped twice, once in the descriptor's text and once in the body, so their
 * cost is counted as it is there.
 */
function fitDescriptor(facts: DescriptorFacts): { descriptor: OutputDescriptor; content: Content } {
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

/** As many whole notes as fit, with a count of the others. */
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
