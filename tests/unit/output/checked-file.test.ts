import { expect, it } from 'vitest';
import { CheckedReader, type StoreFile } from '../../../server/output/checked-file.ts';
import { crc32, packChecksums } from '../../../server/output/format.ts';

const content = Buffer.from('stored');
const facts = {
  handle: 'oh_AAAAAAAAAAAA',
  blocks: packChecksums([crc32(content)]),
  sizeBytes: content.length,
};

/** A file whose read ends on demand; closing waits for it, as Node's file handles do. */
function slowFile(): { file: StoreFile; target: () => Uint8Array; finish: () => void } {
  let finish: () => void = () => undefined;
  const mayFinish = new Promise<void>((resolve) => (finish = resolve));
  let target: Uint8Array = new Uint8Array();
  const unused = () => Promise.reject(new Error('It is only read.'));
  const file: StoreFile = {
    read: async (into) => {
      target = into;
      await mayFinish;
      return content.copy(into);
    },
    close: () => mayFinish,
    write: unused,
    sync: unused,
    sizeBytes: async () => content.length,
  };
  return { file, target: () => target, finish: () => finish() };
}

it('lends no buffer to another reader that a pending read still fills', async () => {
  const slow = slowFile();
  const first = new CheckedReader(slow.file, facts);
  const reading = first.read(0, content.length);
  const closing = first.close();
  const other = slowFile();
  const second = new CheckedReader(other.file, facts);
  const alsoReading = second.read(0, content.length);
  expect(other.target().buffer).not.toBe(slow.target().buffer);
  slow.finish();
  other.finish();
  await Promise.all([reading, closing, alsoReading, second.close()]);
});
