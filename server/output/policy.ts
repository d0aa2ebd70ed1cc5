import { LIMITS } from '../../shared/limits.ts';
import { MIME, type MimeType } from '../../shared/mime.ts';
import type { Delivered, DeliverOptions, OutputPolicy } from '../core/services.ts';
import type { Payload, Produced } from '../core/payload.ts';
import type { ContentBlock } from '../core/result.ts';
import { orAborted } from './consume.ts';
import { fitDescriptor, toContent } from './descriptor.ts';
import { formatSeconds } from './layout.ts';
import { serialise } from './serialise.ts';
import { Spill } from './spill.ts';
import type { OutputStore } from './store.ts';

const PICTURES: readonly MimeType[] = [MIME.png, MIME.jpeg, MIME.webp];
const TOO_LARGE_NOTE = `Larger than ${LIMITS.outputInlineMaxBytes / 1024 / 1024} MiB: stored instead of written inline.`;

export interface PolicyOptions {
  readonly store: Pick<OutputStore, 'create'>;
}

/** Decides between inline and handle while it consumes a payload, once. */
export function createOutputPolicy({ store }: PolicyOptions): OutputPolicy {
  return {
    deliver: async (produced, options) => {
      const { payload } = produced;
      // Whoever fails first reports; the rejection of `done` must not go unhandled meanwhile.
      produced.done.catch(() => undefined);
      const { kind, mimeType } = payload;
      const spill = new Spill(limitOf(options), () => store.create({ tool: options.tool, mimeType, kind }));
      try {
        return await deliver(produced, spill, options);
      } catch (thrown) {
        await spill.abort();
        throw thrown;
      }
    },
  };
}

function limitOf({ mode, inlineLimitBytes }: DeliverOptions): number {
  if (mode === 'handle') return -1;
  if (mode === 'inline') return LIMITS.outputInlineMaxBytes;
  return Math.min(inlineLimitBytes, LIMITS.outputInlineMaxBytes);
}

async function deliver(produced: Produced, spill: Spill, options: DeliverOptions): Promise<Delivered> {
  const { payload, done } = produced;
  await serialise(payload, spill, options.signal);
  const outcome = await orAborted(done, options.signal);
  const writer = await spill.writer();
  const { sizeBytes } = spill;
  if (writer === undefined) {
    const content = toContent(
      inlineBlock(payload, spill.bytes(), options.tool),
      options.notes(outcome, 'inline'),
    );
    return { content, outcome, sizeBytes };
  }
  const notes = [...options.notes(outcome, 'handle')];
  if (options.mode === 'inline') notes.unshift(TOO_LARGE_NOTE);
  const { handle, expiresAt } = await writer.commit();
  const fitted = fitDescriptor({
    descriptor: {
      output_handle: handle,
      mime_type: payload.mimeType,
      size_bytes: sizeBytes,
      item_count: payload.kind === 'items' ? spill.itemCount : null,
      preview: null,
      expires_at: formatSeconds(expiresAt),
      fetch_with: 'oc_output_fetch',
    },
    head: payload.kind === 'bytes' ? null : spill.head(),
    notes,
    envelopeBytes: options.envelopeBytes,
  });
  return { ...fitted, outcome, sizeBytes };
}

/** Text and JSON as they are; pictures as pictures; other bytes as an embedded resource. */
function inlineBlock(payload: Payload, bytes: Buffer, tool: string): ContentBlock {
  const { kind, mimeType } = payload;
  if (kind !== 'bytes') return { type: 'text', text: bytes.toString('utf8') };
  const data = bytes.toString('base64');
  if (PICTURES.includes(mimeType)) return { type: 'image', data, mimeType };
  return { type: 'blob', data, mimeType, uri: `spillway://output/${tool}` };
}
