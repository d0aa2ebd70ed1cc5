import type { OutputStore } from './store.ts';

/** The first bytes of a stored output as text. @throws SpillwayError where it is gone */
export async function readBeginning(
  store: Pick<OutputStore, 'open'>,
  handle: string,
  maxBytes: number,
): Promise<string> {
  const output = await store.open(handle);
  try {
    return (await output.read(0, Math.min(maxBytes, output.meta.size_bytes))).toString('utf8');
  } finally {
    await output.close();
  }
}
