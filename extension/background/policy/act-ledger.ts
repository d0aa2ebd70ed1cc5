import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import type { CallScope } from '../../../shared/policy/call-facts.ts';
import type { ActFacts } from '../../../shared/policy/ledger-report.ts';
import type { Risk } from '../../../shared/policy/risks.ts';

/** The wire version since which servers keep a ledger. */
const LEDGER_SINCE = 2;
/** What changes nothing is in the ledger only where a person decided about it. */
const HARMLESS: ReadonlySet<Risk> = new Set(['read', 'navigate', 'crawl', 'capture_network']);

/** The server, as far as its ledger is concerned. */
interface LedgerServer {
  readonly wire: number;
  request(method: 'ledger.append', facts: ActFacts, signal: AbortSignal): Promise<unknown>;
}

interface Act extends Pick<ActFacts, 'site' | 'tab_id' | 'allowed_by'> {
  readonly risks: readonly Risk[];
}

/** What one call tells the ledger of its server before it acts. A line is written while the call finds its element. */
export class ActLedger {
  readonly #server: LedgerServer;
  readonly #scope: CallScope | null;
  readonly #signal: AbortSignal;
  /** By what they say: a call says each thing once. */
  readonly #lines = new Map<string, Promise<unknown>>();

  constructor(
    server: LedgerServer,
    { scope, signal }: { readonly scope: CallScope | null; readonly signal: AbortSignal },
  ) {
    this.#server = server;
    this.#scope = scope;
    this.#signal = signal;
  }

  /** Begins to write a line, where there has to be one. */
  add({ risks, site, tab_id, allowed_by }: Act): void {
    const scope = this.#scope;
    if (scope === null || this.#server.wire < LEDGER_SINCE) return;
    const kept = allowed_by.kind === 'grant' ? risks : risks.filter((risk) => !HARMLESS.has(risk));
    if (kept.length === 0) return;
    const facts: ActFacts = { scope, risks: [...kept], site, tab_id, allowed_by };
    const key = JSON.stringify([kept, site, tab_id, allowed_by]);
    if (this.#lines.has(key)) return;
    const line = this.#server.request('ledger.append', facts, this.#signal);
    line.catch(() => undefined);
    this.#lines.set(key, line);
  }

  /** Resolves when all lines are on the disk. @throws SpillwayError `ledger_unavailable`, or the signal's reason */
  async written(): Promise<void> {
    try {
      await Promise.all(this.#lines.values());
    } catch (thrown) {
      this.#signal.throwIfAborted();
      const error = toSpillwayError(thrown);
      if (error.code === 'ledger_unavailable') throw error;
      throw new SpillwayError('ledger_unavailable', `The ledger did not take the act: ${error.message}`, {
        cause: error,
      });
    }
  }
}
