/** The code of a thrown value, or else its text. */
export function codeIn(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : String(thrown);
}

export async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(() => 'no error', codeIn);
}

export function codeThrown(action: () => unknown): string {
  try {
    action();
    return 'no error';
  } catch (thrown) {
    return codeIn(thrown);
  }
}
