import { useEffect, useState } from 'preact/hooks';
import { INERT_MS } from '../protocol.ts';

/**
 * Whether buttons do something: not in the first moments after the card has appeared, or after its window has come to
 * the front. A click or a key that was on its way to something else is not an answer.
 *
 * @param token of the card; empty while the worker is being started again
 */
export function useLive(token: string | null, { restsOnFocus }: { readonly restsOnFocus: boolean }): boolean {
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const rest = (): void => {
      clearTimeout(timer);
      setLive(false);
      if (token === '') return;
      // The worker measures the same time from before this page heard of the question.
      timer = setTimeout(() => setLive(true), INERT_MS);
    };
    const seen = (): void => {
      if (document.visibilityState === 'visible') rest();
      else setLive(false);
    };
    rest();
    if (restsOnFocus) window.addEventListener('focus', rest);
    document.addEventListener('visibilitychange', seen);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('focus', rest);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [token, restsOnFocus]);
  return isLive;
}
