const ends: (() => unknown)[] = [];

/** Has something done when the test file ends. Unlike `afterAll`, which Vitest drops there without a word, it works in a hook. */
export const atEndOfFile = (end: () => unknown): void => void ends.push(end);

/** The last first; one that fails keeps none of the others. */
export async function endFile(): Promise<void> {
  const end = ends.pop();
  if (end === undefined) return;
  try {
    await end();
  } finally {
    await endFile();
  }
}
