const FIRST_MS = 1_000;
const LAST_MS = 20_000;

/**
 * Attempts something that ends at a time, with ever longer times, until it has come far enough by then: how
 * far a page gets within a second depends on the machine.
 *
 * @param attempt is given the time in milliseconds
 * @returns the first answer that is enough, or the last one
 */
export async function withGrowingDeadline<T>(
  attempt: (timeoutMs: number) => Promise<T>,
  isEnough: (answer: T) => boolean,
): Promise<T> {
  for (let timeoutMs = FIRST_MS; ; timeoutMs *= 4) {
    const answer = await attempt(timeoutMs);
    if (isEnough(answer) || timeoutMs * 4 > LAST_MS) return answer;
  }
}
