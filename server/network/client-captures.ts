import { vouch } from '../redact/mark.ts';
import type { BodyChoice } from '../../shared/tools/network/body-choice.ts';
import type { CaptureView, NetworkStatus } from '../core/network.ts';
import { type PreparedEntry, chooseBodies } from './parts.ts';
import { NetworkRing, type RingOptions } from './ring.ts';
import type { CaptureSink, TabCapture } from './tab-capture.ts';

/** A client's part in the capture of a tab. */
export interface Subscription {
  readonly capture: TabCapture;
  readonly sink: CaptureSink;
  /** Why the client's part ended before the capture did. */
  readonly ended: string | null;
}

function describe({ capture, sink, ended }: Subscription): CaptureView {
  const why = ended ?? capture.ended;
  return {
    tab: capture.name,
    state: why === null ? 'capturing' : 'ended',
    source: capture.source,
    bodies: sink.bodies,
    ended: why,
    gaps: capture.gaps,
  };
}

/** What one client captures, and its ring. */
export class ClientCaptures {
  readonly ring: NetworkRing;
  readonly #subscriptions = new Map<string, Subscription>();
  /** Bodies of every tab that is to come; null when only named tabs are captured. */
  all: BodyChoice | null = null;

  constructor(options: RingOptions) {
    this.ring = new NetworkRing(options);
  }

  get(tab: string): Subscription | undefined {
    return this.#subscriptions.get(tab);
  }

  /** The client's parts in captures: of one tab, or of all. */
  list(tab: string | null): readonly Subscription[] {
    return [...this.#subscriptions].filter(([name]) => tab === null || name === tab).map(([, one]) => one);
  }

  view(tab: string): CaptureView | null {
    const subscription = this.#subscriptions.get(tab);
    return subscription === undefined ? null : describe(subscription);
  }

  /** Joins a capture, or changes which bodies the client keeps of it. */
  join(capture: TabCapture, bodies: BodyChoice): void {
    const known = this.#subscriptions.get(capture.name);
    if (known?.ended === null && known.sink.bodies === bodies && known.capture === capture) return;
    const sink = this.#createSink(bodies);
    this.#subscriptions.set(capture.name, { capture, sink, ended: null });
    capture.attach(sink);
    if (known?.ended === null) known.capture.release(known.sink);
  }

  /** The client's part ends; pending requests stay as they are. */
  leave(tab: string, reason: string): void {
    const known = this.#subscriptions.get(tab);
    if (known === undefined || known.ended !== null) return;
    this.#subscriptions.set(tab, { ...known, ended: reason });
    known.capture.detach(known.sink);
  }

  /** A tab that never was. */
  forget(tab: string): void {
    if (this.ring.records(tab).length === 0) this.#subscriptions.delete(tab);
  }

  status(): NetworkStatus {
    const parts = this.list(null);
    return {
      captures: parts.map(describe),
      ...this.ring.facts,
      lost_lines: parts.reduce((sum, { capture }) => sum + capture.lostLines, 0),
    };
  }

  async close(): Promise<void> {
    for (const { capture, sink } of this.#subscriptions.values()) capture.release(sink);
    await this.ring.close();
  }

  #createSink(bodies: BodyChoice): CaptureSink {
    const { ring } = this;
    return {
      bodies,
      add: (entry) => ring.add(keep(entry, bodies)),
      settled: () => ring.settled(),
    };
  }
}

/** The capture may keep more than this client asked for, since another one did. */
function keep(entry: PreparedEntry, choice: BodyChoice): PreparedEntry {
  const { bodies, head } = entry;
  if (bodies === null || choice === 'all') return entry;
  const part = chooseBodies(bodies.part, choice);
  if (part === bodies.part) return entry;
  const missing = head.missing ?? (choice === 'none' ? 'not_asked' : 'not_text');
  return {
    ...entry,
    head: { ...head, missing: part === null ? missing : head.missing },
    bodies: part === null ? null : { ...bodies, part: vouch(part) },
  };
}
