import { useEffect, useState } from 'preact/hooks';

/** The current time, updated regularly. */
export function useClock(isRunning: boolean, everyMs = 1_000): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!isRunning) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [isRunning, everyMs]);
  return now;
}
