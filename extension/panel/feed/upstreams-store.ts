import { computed, signal } from '@preact/signals';
import { failureOf } from './failure.ts';
import type { ShownUpstream, UpstreamList } from '../answers-protocol.ts';

/** How long until servers are asked again: while an upstream starts or waits for the person, and else. */
const SOON_MS = 2_000;
const QUIET_MS = 30_000;

/** An upstream, and a server that offers its tools. */
export interface OfferedUpstream extends ShownUpstream {
  readonly server: string;
}

/** The other servers whose tools the connected ones offer. */
export class UpstreamsStore {
  /** Each once: servers of one home offer the same. */
  readonly all = signal<readonly OfferedUpstream[]>([]);
  /** Tools that wait to be accepted. */
  readonly unaccepted = computed(() => this.all.value.reduce((sum, { unaccepted }) => sum + unaccepted, 0));
  readonly #list: (server: string) => Promise<UpstreamList>;
  #servers: readonly string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #turn = 0;

  /** @param list rejects for a server of an older build, which has none */
  constructor(list: (server: string) => Promise<UpstreamList>) {
    this.#list = list;
  }

  setServers(servers: readonly string[]): void {
    if (servers.join() === this.#servers.join()) return;
    this.#servers = servers;
    void this.reload();
  }

  /** Asks all servers now. */
  async reload(): Promise<void> {
    clearTimeout(this.#timer);
    const turn = (this.#turn += 1);
    const lists = await Promise.all(this.#servers.map((server) => this.#read(server)));
    if (turn !== this.#turn) return;
    const all = distinct(lists.flatMap((list) => list ?? []));
    // Drawn again only where something is different.
    if (JSON.stringify(all) !== JSON.stringify(this.all.value)) this.all.value = all;
    if (this.#servers.length === 0) return;
    const isSettled =
      !lists.includes(null) && all.every(({ state, unaccepted }) => state !== 'starting' && unaccepted === 0);
    this.#timer = setTimeout(() => void this.reload(), isSettled ? QUIET_MS : SOON_MS);
  }

  /** Null where it did not answer. */
  async #read(server: string): Promise<readonly OfferedUpstream[] | null> {
    try {
      const { upstreams } = await this.#list(server);
      return upstreams.map((upstream) => ({ ...upstream, server }));
    } catch (thrown) {
      return failureOf(thrown).code === 'api_not_found' ? [] : null;
    }
  }
}

/** One of all that are the same at several servers. To accept it at one is enough where these have one home; where not, the others stay. */
function distinct(all: readonly OfferedUpstream[]): readonly OfferedUpstream[] {
  const seen = new Map<string, OfferedUpstream>();
  for (const upstream of all) {
    const key = JSON.stringify({ ...upstream, server: '' });
    if (!seen.has(key)) seen.set(key, upstream);
  }
  return [...seen.values()];
}
