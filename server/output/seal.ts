import type { Sealer } from '../core/runs.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { cleanBytes } from '../redact/clean.ts';
import { MIME } from '../../shared/mime.ts';
import { ARRAY_CLOSE, ARRAY_EMPTY, ARRAY_OPEN, ITEM_SEPARATOR } from './item-format.ts';
import type { OutputStore } from './store.ts';

/** Stores what was redacted and serialised before, item by item, without looking into it. */
export function createSealer(store: Pick<OutputStore, 'create' | 'open'>): Sealer {
  return {
    async seal({ tool, untrustedFrom }, items) {
      const writer = await store.create({ tool, mimeType: MIME.json, kind: 'items' });
      try {
        let lead = cleanBytes(ARRAY_OPEN);
        let isEmpty = true;
        for await (const item of items) {
          await writer.write(lead);
          await writer.write(item);
          writer.endItem();
          lead = SEPARATOR;
          isEmpty = false;
        }
        await writer.write(cleanBytes(isEmpty ? ARRAY_EMPTY : ARRAY_CLOSE));
        return (await writer.commit(untrustedFrom)).handle;
      } catch (thrown) {
        await writer.abort();
        throw thrown;
      }
    },
    async isThere(handle) {
      try {
        await (await store.open(handle)).close();
        return true;
      } catch (thrown) {
        if (isGone(thrown)) return false;
        throw thrown;
      }
    },
  };
}

const SEPARATOR = cleanBytes(ITEM_SEPARATOR);
/** Expired or evicted, or damaged: in each case it can be made again. */
const GONE: readonly string[] = ['output_handle_not_found', 'store_corrupt'];

export const isGone = (thrown: unknown): boolean =>
  thrown instanceof SpillwayError && GONE.includes(thrown.code);
