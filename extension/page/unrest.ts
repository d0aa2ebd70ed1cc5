import type { Coverage } from '../../shared/bridge/page.ts';
import type { ChangeCounter } from './change-counter.ts';

/** A page that changed this short a time ago may be about to change again. */
const REST_MS = 300;
/** Later, what changes is mostly a clock or a ticker. */
const YOUNG_MS = 10_000;

/** Why a page may not be complete yet; null when it is at rest. */
export function findUnrest(document: Document, pulse: ChangeCounter): Coverage | null {
  const restedMs = Math.round(pulse.restedMs());
  const signs: string[] = [];
  if (document.readyState !== 'complete') signs.push('it was still loading');
  if (restedMs < REST_MS && performance.now() < YOUNG_MS)
    signs.push(`its content changed ${restedMs} ms before the read`);
  const busy = [...document.querySelectorAll('[aria-busy="true"]')].some((el) => el.checkVisibility());
  if (busy) signs.push('a part of it is marked as busy');
  if (signs.length === 0) return null;
  const detail = `The page may be incomplete: ${signs.join(', ')}. Pass wait_for to read it when it is ready.`;
  return { kind: 'still_changing', detail };
}
