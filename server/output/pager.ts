import { SpillwayError } from '../../shared/errors.ts';
import type { OutputPage } from '../../shared/output/page.ts';
import type { FetchedPage, FetchRequest, OutputPager, StoredFacts } from '../core/services.ts';
import { vouch, vouchBytes } from '../redact/mark.ts';
import type { Meta } from './meta.ts';
import { fetchBytesPage } from './page-bytes.ts';
import { fetchItemsPage } from './page-items.ts';
import { fetchPicture } from './page-picture.ts';
import type { StoredOutput } from './reader.ts';
import type { OutputStore } from './store.ts';

export interface PagerOptions {
  readonly store: Pick<OutputStore, 'open'>;
  /** `--output-page-bytes`: serialised content of one page. */
  readonly pageBytes: number;
}

/** Redeems handles page by page. */
export function createOutputPager({ store, pageBytes }: PagerOptions): OutputPager {
  return {
    fetch: async (request, signal) => {
      signal.throwIfAborted();
      const output = await store.open(request.output_handle);
      try {
        signal.throwIfAborted();
        return await fetchPage(output, request, pageBytes);
      } finally {
        await output.close();
      }
    },
    facts: async (handle) => {
      const output = await store.open(handle);
      await output.close();
      return factsOf(output.meta);
    },
  };
}

export const factsOf = ({
  mime_type,
  kind,
  item_count,
  expires_at_ms,
  untrusted_from,
}: Meta): StoredFacts => ({
  mimeType: mime_type,
  kind,
  itemCount: item_count,
  expiresAtMs: expires_at_ms,
  untrustedFrom: untrusted_from,
});

async function fetchPage(
  output: StoredOutput,
  request: FetchRequest,
  pageBytes: number,
): Promise<FetchedPage> {
  const { meta } = output;
  const { offset, limit, format } = request;
  const stored = factsOf(meta);
  if (format === 'image') {
    const { page, mimeType, bytes } = await fetchPicture(output, offset);
    const note = `Picture ${offset} of ${page.total}, counted from 0: ${JSON.stringify(page.content)}. ${nextNote(page)}`;
    return { page: vouch(page), note, stored, picture: { mimeType, bytes: vouchBytes(bytes) } };
  }
  const isItems = meta.kind === 'items';
  if (format === 'items' && !isItems)
    throw new SpillwayError(
      'invalid_format_for_payload',
      `${meta.handle} holds ${meta.mime_type}, not items.`,
    );
  if (isItems && format !== 'bytes') {
    const page = await fetchItemsPage(output, { offset, limit, pageBytes });
    const unit = page.oversized ? 'items, oversized ones as null' : 'items';
    return { page: vouch(page), note: noteOf(meta, unit), stored };
  }
  const encoding = request.encoding === 'auto' ? naturalEncoding(meta) : request.encoding;
  const page = await fetchBytesPage(output, { offset, limit, encoding, pageBytes });
  const unit = encoding === 'utf8' ? 'bytes of UTF-8' : 'bytes in base64';
  return { page: vouch(page), note: noteOf(meta, unit), stored };
}

/** Whatever came as text or JSON was stored as UTF-8; of other bytes nothing is known. */
const naturalEncoding = (meta: Meta): 'utf8' | 'base64' => (meta.kind === 'bytes' ? 'base64' : 'utf8');

const nextNote = ({ next_offset: next }: OutputPage): string =>
  next === null ? 'It is the last.' : `The next: offset ${next}.`;

const noteOf = (meta: Meta, unit: string): string => `Unit: ${unit}. Type: ${meta.mime_type}.`;
