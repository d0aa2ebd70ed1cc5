import type { StoredPolicy } from '../../shared/people/policy.ts';
import { AskedPerson } from './asked-person.ts';
import { calling } from './calling.ts';
import { answerAt } from './file-site.ts';
import type { LentChromium } from './lent-browser.ts';
import { lendBrowser } from './launched.ts';
import { startServer, type StdioServer } from './stdio-server.ts';
import type { BrowserScope } from './worker-scope.ts';
import { atEndOfFile } from './end-of-file.ts';

/** A person's browser with the default rules, two sites, and a server. */
export interface PersonRig<B extends LentChromium = LentChromium> extends ReturnType<typeof calling> {
  readonly browser: B;
  readonly worker: BrowserScope;
  readonly server: StdioServer;
  /** A site's address by host: every name ending in `.test` has the same pages. */
  at(host: string, path?: string): string;
  /** Stores rules where a person's are kept, and waits until the worker has them. */
  setRules(
    rules: readonly Partial<StoredPolicy['rules'][number]>[],
    lists?: StoredPolicy['lists'],
  ): Promise<void>;
}

/** Evaluated in the worker: the person presses Cancel on the debugger's banner. */
export const cancelDebugger = (id: string): string => `(chrome.debugger.detach({ tabId: ${id} }),
  chrome.debugger.onDetach.dispatch({ tabId: ${id} }, 'canceled_by_user'), undefined)`;

/**
 * Stores a new value where a person's choices are kept, and waits until the worker has it: listeners are called in
 * order. The removal of an earlier value may be reported late.
 */
export const choose = (worker: BrowserScope, key: string, value: unknown): Promise<unknown> =>
  worker.evaluate(`new Promise((done) => {
    chrome.storage.onChanged.addListener(function changed({ ${key}: change }) {
      if (change?.newValue === undefined) return;
      chrome.storage.onChanged.removeListener(changed);
      done(null);
    });
    void chrome.storage.local.set({ ${key}: ${JSON.stringify(value)} });
  })`);

type Pages = Parameters<typeof answerAt>[0];

export const personRig = (pages: Pages, ...args: readonly string[]): Promise<PersonRig> =>
  personRigOf(() => lendBrowser('person'), pages, ...args);

/** The same with the person at its window; a page is that of every address. */
export async function askedOn(
  pages: string | Pages,
  ...args: readonly string[]
): Promise<{ readonly rig: PersonRig; readonly person: AskedPerson }> {
  const rig = await personRig(
    typeof pages === 'string' ? (_request, response) => void response.end(pages) : pages,
    ...args,
  );
  return { rig, person: new AskedPerson(rig.worker) };
}

/** Like {@link personRig}, with a browser of the file's own. Pages are HTML, unless they say otherwise. */
export async function personRigOf<B extends LentChromium>(
  launch: () => Promise<B>,
  pages: Pages,
  ...args: readonly string[]
): Promise<PersonRig<B>> {
  const port = await answerAt((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    return pages(request, response);
  });
  const browser = await launch();
  atEndOfFile(() => browser.close());
  const { scope: worker } = browser;
  const server = await startServer({ env: browser.serverEnv, args, clientName: 'test-agent' });
  return {
    browser,
    worker,
    server,
    ...calling(() => server),
    at: (host, path = '/') => `http://${host}:${port}${path}`,
    setRules: async (rules, lists = {}) => {
      const stored = {
        version: 1,
        rules: rules.map((rule) => ({ sites: null, risks: null, agents: null, source: 'person', ...rule })),
        lists,
      };
      await worker.evaluate(`chrome.storage.local.remove('policy').then(() => null)`);
      await choose(worker, 'policy', stored);
    },
  };
}
