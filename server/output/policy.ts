import { isObject } from '../../shared/json.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { MimeType } from '../../shared/mime.ts';
import type { Delivered, DeliverOptions, OutputPolicy } from '../core/services.ts';
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
} from '../redact/clean.ts';
import { abortable } from '../../shared/async/wait.ts';
import { fitDescriptor, toContent } from './descriptor.ts';
import { formatSeconds } from './layout.ts';
import { PICTURES } from './page-picture.ts';
import { isGone } from './seal.ts';
import { serialise } from './serialise.ts';
import { Spill } from './spill.ts';
import type { OutputStore } from './store.ts';

const KIB = 1024;

/** The bound of a payload: that of its mode, or its own where that is lower. */
const inlineLimit = ({ inlineMaxBytes = Infinity }: Deliverable, options: DeliverOptions): number =>
  Math.min(maxInlineBytes(options), inlineMaxBytes);

/** Says why the payload is not inline. */
function tooLargeNote({ inlineMaxBytes = Infinity }: Deliverable): CleanText {
  const limitKib = Math.min(LIMITS.outputInlineMaxBytes, inlineMaxBytes) / KIB;
  const limit = limitKib < KIB ? clean`${limitKib} KiB` : clean`${limitKib / KIB} MiB`;
  return clean`Larger than ${limit}: stored instead of returned inline.`;
}

export interface PolicyOptions {
  readonly store: Pick<OutputStore, 'create' | 'open'>;
}

/** Decides between inline and handle while it consumes a payload, once. */
export function createOutputPolicy({ store }: PolicyOptions): OutputPolicy {
  return {
    deliver: async (produced, options) => {
      const { payload } = produced;
      // The first failure is reported; the rejection of `done` must still be handled.
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

/** What is known of a sealed payload; null when it is small enough to be written out. */
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
      // The reader lends its buffer until it is closed.
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

/** What was written inline as an object: the same bytes, parsed, so that nothing is serialised twice. */
function structuredInline(
  { payload: { kind }, description = {} }: Deliverable,
  bytes: CleanBytes,
  { structured }: DeliverOptions,
): { readonly structured?: CleanRecord } {
  if (structured === false || structured === 'stored') return {};
  // A second copy of a page's text would cost its reader twice; but a schema requires an object.
  if (kind === 'text' || kind === 'bytes') return structured === true ? { structured: description } : {};
  const value = parseClean(cleanTextOf(bytes, 'utf8'));
  if (kind === 'items' || Array.isArray(value)) return { structured: { items: value } };
  return { structured: isObject(value) ? value : { value } };
}

/** Text and JSON as they are; pictures as pictures; other bytes as an embedded resource. */
function inlineBlock(payload: CleanPayload, bytes: CleanBytes, tool: string): ContentBlock {
  const { kind, mimeType } = payload;
  if (kind !== 'bytes') return { type: 'text', text: cleanTextOf(bytes, 'utf8') };
  const data = cleanTextOf(bytes, 'base64');
  if (PICTURES.includes(mimeType)) return { type: 'image', data, mimeType };
  return { type: 'blob', data, mimeType, uri: `spillway://output/${tool}` };
}
