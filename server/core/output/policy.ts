import { isObject } from '../../../shared/base/json.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import type { Delivered, DeliverOptions } from './index.ts';
import {
  type CleanPayload,
  type Deliverable,
  type Outcome,
  type ContentBlock,
  maxInlineBytes,
} from '../result.ts';
import {
  clean,
  cleanTextOf,
  parseClean,
  type CleanBytes,
  type CleanRecord,
  type CleanText,
  joinClean,
} from '../../libraries/redaction/clean.ts';
import { descriptorOf, boundaryBefore, jsonBytes } from './format.ts';
import { withOutput, type OutputSource } from './reader.ts';
import { PICTURES } from './pager.ts';
import { isGone, serialise, Spill } from './serialise.ts';
import type { OutputStore } from './store.ts';
import type { OutputDescriptor } from '../../../shared/core/descriptor.ts';
import { vouch } from '../../libraries/redaction/mark.ts';

const KIB = 1024;

/** Says why the payload is not inline. */
function tooLargeNote({ inlineMaxBytes = Infinity }: Deliverable): CleanText {
  const limitKib = Math.min(LIMITS.outputInlineMaxBytes, inlineMaxBytes) / KIB;
  const limit = limitKib < KIB ? clean`${limitKib} KiB` : clean`${limitKib / KIB} MiB`;
  return clean`Larger than ${limit}: stored instead of returned inline.`;
}

export type OutputPolicy = ReturnType<typeof createOutputPolicy>;

/** Decides between inline and handle while it consumes a payload, once. */
export function createOutputPolicy(store: OutputSource & Pick<OutputStore, 'create'>) {
  return {
    deliver: async (produced: Deliverable, options: DeliverOptions): Promise<Delivered> => {
      const { payload, outcome, sealed, inlineMaxBytes = Infinity } = produced;
      const limitBytes = Math.min(maxInlineBytes(options), inlineMaxBytes);
      const stored = sealed === undefined ? null : await describeSealed(store, sealed, limitBytes);
      if (stored !== null) return deliverStored(stored, produced, outcome(), options);
      const { kind, mimeType } = payload;
      const spill = new Spill(limitBytes, () => store.create({ tool: options.tool, mimeType, kind }));
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
  const { payload } = produced;
  await serialise(payload, spill, options.signal);
  const outcome = produced.outcome();
  const writer = await spill.writer();
  if (writer === undefined) {
    const bytes = spill.bytes();
    const content = toContent(inlineBlock(payload, bytes, options.tool), options.notes(outcome));
    return { content, outcome, ...structuredInline(produced, bytes, options) };
  }
  const descriptor = descriptorOf(await writer.commit(produced.untrustedFrom?.() ?? null));
  const head = payload.kind === 'bytes' || produced.isOpaque === true ? null : spill.head();
  return deliverStored({ descriptor, head }, produced, outcome, options);
}

/** A whole payload in the store. */
interface Stored {
  readonly descriptor: OutputDescriptor;
  /** The beginning of the payload, or null for bytes. */
  readonly head: Buffer | null;
}

function deliverStored(
  stored: Stored,
  produced: Deliverable,
  outcome: Outcome,
  options: DeliverOptions,
): Delivered {
  const tooLarge = options.mode === 'inline' ? [tooLargeNote(produced)] : [];
  const isStructured = options.structured === true || options.structured === 'stored';
  const fitted = fitDescriptor(stored, [...tooLarge, ...options.notes(outcome)], {
    ...options,
    isStructured,
  });
  return { ...fitted, ...(isStructured ? { structured: { ...fitted.descriptor } } : {}), outcome };
}

/** Null for an output that is small enough to be inline, or that another has evicted since it was sealed. */
async function describeSealed(
  store: OutputSource,
  handle: string,
  limitBytes: number,
): Promise<Stored | null> {
  try {
    return await withOutput(store, handle, async ({ meta, read }) => {
      if (meta.size_bytes <= limitBytes) return null;
      const headBytes = Math.min(meta.size_bytes, LIMITS.outputPreviewBytes + 1);
      return {
        descriptor: descriptorOf(meta),
        head: meta.kind === 'bytes' ? null : await read(0, headBytes),
      };
    });
  } catch (thrown) {
    if (isGone(thrown)) return null;
    throw thrown;
  }
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

/** Beyond this many bytes of JSON, notes yield to the descriptor. */
const NOTES_BYTES = 1024;
/** `"structuredContent":,` */
const STRUCTURED_KEY_BYTES = 22;
const WHOLE_NOTE = clean`The preview is the complete output; no fetch is needed.`;

/** Only for outputs longer than their preview, and for clients that have the tool. */
const QUERY_NOTE = clean`To search, filter or compare it: oc_output_query.`;

type Content = readonly [ContentBlock, ...ContentBlock[]];

const textBlock = (text: CleanText): ContentBlock => ({ type: 'text', text });

/** The text content of a result: the payload or descriptor, then any notes. */
const toContent = (first: ContentBlock, notes: readonly CleanText[]): Content =>
  notes.length === 0 ? [first] : [first, textBlock(joinClean(notes, '\n'))];

/**
 * Cuts preview and notes so that the whole response body stays within `LIMITS.outputDescriptorBodyBytes`.
 */
function fitDescriptor(
  { descriptor: bare, head }: Stored,
  given: readonly CleanText[],
  {
    envelopeBytes,
    canQuery = false,
    isStructured,
  }: Pick<DeliverOptions, 'envelopeBytes' | 'canQuery'> & { readonly isStructured: boolean },
): { descriptor: OutputDescriptor; content: Content } {
  const room = LIMITS.outputDescriptorBodyBytes - envelopeBytes;
  const build = (preview: string | null, notes: readonly CleanText[]) => {
    const descriptor = { ...bare, preview };
    return { descriptor, content: toContent(textBlock(vouch(JSON.stringify(descriptor))), notes) };
  };
  const bytesOf = (preview: string | null, notes: readonly CleanText[]): number => {
    const { descriptor, content } = build(preview, notes);
    return jsonBytes(content) + (isStructured ? jsonBytes(descriptor) + STRUCTURED_KEY_BYTES : 0);
  };
  const fit = (preview: string | null, notes: readonly CleanText[]): readonly CleanText[] =>
    fitNotes(notes, (list) => bytesOf(preview, list) <= room);

  if (head === null) return build(null, fit(null, given));
  if (head.length === bare.size_bytes && head.length <= LIMITS.outputPreviewBytes) {
    const whole = head.toString('utf8');
    const notes = fit(whole, [WHOLE_NOTE, ...given]);
    if (notes.length > 0) return build(whole, notes);
  }
  const notes = fit('', canQuery ? [...given, QUERY_NOTE] : given);
  const preview = cutPreview(head, (beginning) => bytesOf(beginning, notes) <= room);
  return build(preview, notes);
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

/** The longest beginning, cut between code points, that fits. */
function cutPreview(head: Buffer, isFitting: (preview: string) => boolean): string {
  const text = head.toString(
    'utf8',
    0,
    boundaryBefore(head, Math.min(head.length, LIMITS.outputPreviewBytes)),
  );
  let [fitting, most] = [0, text.length];
  while (fitting < most) {
    const middle = (fitting + most + 1) >>> 1;
    if (isFitting(text.slice(0, middle))) fitting = middle;
    else most = middle - 1;
  }
  return text.slice(0, fitting).replace(/[\ud800-\udbff]$/, '');
}
