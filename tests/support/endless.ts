/** A handler that waits for its cancellation and tells of it. */
export function endless(): {
  handler: (_: object, context: { signal: AbortSignal }) => Promise<never>;
  cancelled: Promise<void>;
} {
  let tell = (): void => undefined;
  const cancelled = new Promise<void>((resolve) => (tell = resolve));
  const handler = (_: object, { signal }: { signal: AbortSignal }): Promise<never> =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        tell();
        reject(signal.reason);
      });
    });
  return { handler, cancelled };
}
