import { isRendered } from '../../dom/visible.ts';
import type { Coverage } from '../../../shared/core/bridge/page.ts';

/** @param text the text that counts */
export function fingerprint(
  part: Document | Element,
  text = ('body' in part ? part.body : part).textContent ?? '',
): string {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return `${part.getElementsByTagName('*').length}:${text.length}:${hash}`;
}

/** Counts changes of a document's tree, to tell when it has settled. */
export class ChangeCounter {
  readonly #observer = new MutationObserver((records) => this.#count(records));
  #changes = 0;
  #changedAt = -Infinity;

  constructor(private readonly document: Document) {
    this.#observer.observe(document, { childList: true, characterData: true, subtree: true });
  }

  #count(records: readonly MutationRecord[]): void {
    this.#changes += records.length;
    const { readyState, head } = this.document;
    // Before that, most additions come from the parser.
    if (readyState !== 'complete') return;
    if (records.some(({ target }) => head?.contains(target) !== true)) this.#changedAt = performance.now();
  }

  /** Changes since it was created, and whether no more can come. */
  take(): { readonly changes: number; readonly isStatic: boolean } {
    this.#count(this.#observer.takeRecords());
    return { changes: this.#changes, isStatic: isStatic(this.document) };
  }

  /** Milliseconds since the last change outside the head after loading; infinite if there was none. */
  restedMs(): number {
    this.#count(this.#observer.takeRecords());
    return performance.now() - this.#changedAt;
  }

  stop(): void {
    this.#observer.disconnect();
  }
}

/** Loaded, without a script, a frame that might contain one, or an order to go elsewhere, which begins after the load. */
function isStatic(document: Document): boolean {
  return (
    document.readyState === 'complete' &&
    document.querySelector('script,iframe,frame,object,[onload],[onerror],meta[http-equiv=refresh]') === null
  );
}

/** A page that changed this recently may change again. */
const REST_MS = 300;
/** Later changes are mostly clocks and tickers. */
const YOUNG_MS = 10_000;

/** Why a page may not be complete yet; null when it is at rest. */
export function findUnrest(document: Document, pulse: ChangeCounter): Coverage | null {
  const restedMs = Math.round(pulse.restedMs());
  const signs: string[] = [];
  if (document.readyState !== 'complete') signs.push('it was still loading');
  if (restedMs < REST_MS && performance.now() < YOUNG_MS)
    signs.push(`its content changed ${restedMs} ms before the read`);
  const busy = [...document.querySelectorAll('[aria-busy="true"]')].some(isRendered);
  if (busy) signs.push('a part of it is marked as busy');
  if (signs.length === 0) return null;
  const detail = `The page may be incomplete: ${signs.join(', ')}. Pass wait_for to read it when it is ready.`;
  return { kind: 'still_changing', detail };
}
