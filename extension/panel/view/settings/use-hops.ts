import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Answer } from '../../feed-protocol.ts';
import type { PanelFeed } from '../../feed/panel-feed.ts';

/** What each server says of the hops that it can test; null for one that could not be asked. */
export interface Tested {
  readonly servers: readonly { readonly version: string; readonly hops: Answer<'health'>['hops'] | null }[];
  /** When all had answered; null while they are asked. */
  readonly at: number | null;
}

/** Asks all servers for their health, at first and whenever a person wants it. */
export function useHops(feed: PanelFeed): { readonly tested: Tested; readonly test: () => void } {
  const [tested, setTested] = useState<Tested>({ servers: [], at: null });
  /** A test that was begun later wins. */
  const asked = useRef(0);
  const names = feed.servers.value.map(({ server }) => server).join();
  const test = useCallback(() => {
    const turn = (asked.current += 1);
    setTested((before) => ({ ...before, at: null }));
    const servers = feed.servers.value.map(async ({ server, version }) => ({
      version,
      hops: await feed.client.ask('health', { server }).then(
        ({ hops }) => hops,
        () => null,
      ),
    }));
    void Promise.all(servers).then((answers) => {
      if (turn === asked.current) setTested({ servers: answers, at: Date.now() });
    });
  }, [feed]);
  useEffect(() => {
    test();
    return () => {
      asked.current += 1;
    };
  }, [test, names]);
  return { tested, test };
}
