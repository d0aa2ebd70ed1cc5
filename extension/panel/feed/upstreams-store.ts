import { signal } from '@preact/signals';
import { failureOf } from './failure.ts';
import type { ShownUpstream, UpstreamList } from '../answers-protocol.ts';

/** How long until servers are asked again: while an upstream starts, and else. */
const STARTING_MS = 2_000;
const QUIET_MS = 30_000;

/** An upstream, and the server that offers its tools. */
export interface OfferedUpstream extends ShownUpstream {
  readonly server: string;
}

/** The other servers whose tools the connected ones offer. */
export class UpstreamsStore {
  readonly all = signal<readonly OfferedUpstream[]>([]);
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
    const all = lists.flatMap((list) => list ?? []);
    // Drawn again only where something is different.
    if (JSON.stringify(all) !== JSON.stringify(this.all.value)) this.all.value = all;
    if (this.#servers.length === 0) return;
    const isStarting = lists.includes(null) || all.some(({ state }) => state === 'starting');
    this.#timer = setTimeout(() => void this.reload(), isStarting ? STARTING_MS : QUIET_MS);
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
