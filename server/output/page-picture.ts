import { z } from 'zod';
import { SpillwayError } from '../../shared/errors.ts';
import { LIMITS } from '../../shared/limits.ts';
import { MIME, type MimeType } from '../../shared/mime.ts';
import type { OutputPage } from '../../shared/output/page.ts';
import { parseJson } from '../../shared/json-schema.ts';
import type { StoredOutput } from './reader.ts';

export const PICTURES: readonly MimeType[] = [MIME.png, MIME.jpeg, MIME.webp, MIME.gif];

/** An item that holds a picture, as `screenshot` stores its tiles. */
const PictureItem = z.looseObject({
  mime_type: z.enum([MIME.png, MIME.jpeg, MIME.webp, MIME.gif]),
  base64: z.base64(),
});

/** A picture out of a handle, and where it belongs. */
export interface PicturePage {
  readonly page: OutputPage;
  readonly mimeType: MimeType;
  readonly bytes: Uint8Array;
}

/**
 * The picture at `offset` of a handle of pictures, or the one that a handle holds.
 * @throws SpillwayError `invalid_format_for_payload` for a handle of something else, `invalid_argument`
 * beyond the last picture
 */
export async function fetchPicture(output: StoredOutput, offset: number): Promise<PicturePage> {
  const { handle, kind, mime_type: mimeType, size_bytes: sizeBytes, item_count: count } = output.meta;
  const total = kind === 'items' ? (count ?? 0) : 1;
  const isPicture = kind === 'bytes' && PICTURES.includes(mimeType);
  if (!isPicture && kind !== 'items') throw notPictures(handle, mimeType);
  if (offset >= total)
    throw new SpillwayError('invalid_argument', `offset: ${handle} has ${total} items, counted from 0.`);
  const [span] = isPicture ? [{ start: 0, end: sizeBytes }] : await output.spans(offset, 1);
  const { start, end } = span ?? { start: 0, end: 0 };
  if (end - start > 2 * LIMITS.outputInlineMaxBytes)
    throw new SpillwayError(
      'invalid_format_for_payload',
      `${handle}: the picture is too large for an answer.`,
      {
        hint: 'Read it with format: "bytes".',
      },
    );
  const stored = await output.read(start, end);
  const pageOf = (facts: object): OutputPage => ({
    output_handle: handle,
    offset,
    limit: 1,
    returned: 1,
    total,
    next_offset: offset + 1 < total ? offset + 1 : null,
    content: [{ ...facts }],
    eof: offset + 1 >= total,
  });
  // The reader lends its buffer until it is closed.
  if (isPicture) return { page: pageOf({ mime_type: mimeType }), mimeType, bytes: Buffer.from(stored) };
  const item = PictureItem.safeParse(parseJson(stored.toString('utf8')));
  if (!item.success) throw notPictures(handle, mimeType);
  const { base64, ...facts } = item.data;
  return { page: pageOf(facts), mimeType: facts.mime_type, bytes: Buffer.from(base64, 'base64') };
}

const notPictures = (handle: string, mimeType: string): SpillwayError =>
  new SpillwayError('invalid_format_for_payload', `${handle} contains ${mimeType}, and no picture there.`);
