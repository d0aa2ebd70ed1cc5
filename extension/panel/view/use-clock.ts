import { useEffect, useState } from 'preact/hooks';

const TICK_MS = 1_000;

/** The time, each second while something is shown that depends on it. */
export function useClock(isRunning: boolean): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!isRunning) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}
