import { expect, it, vi } from 'vitest';
import { ActLedger } from '../../../extension/core/policy/call-policy.ts';
import { createHandlers } from '../../../extension/files/worker/downloads.handler.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import type { ActFacts } from '../../../shared/ledger/report.ts';
import { defer } from '../../../shared/base/async.ts';
import { installBrowser } from '../../support/browser-api.ts';
import { openPolicy } from '../../support/open-policy.ts';
import { TEST_SCOPE } from '../../support/session.ts';

const RULE = { kind: 'rule', id: 'default' } as const;
const ACT = { risks: ['input', 'read'], site: 'https://shop.example', tab_id: 7, allowed_by: RULE } as const;

function rig(answer: () => Promise<void> = () => Promise.resolve(), wire = 2) {
  const lines: ActFacts[] = [];
  const { signal } = new AbortController();
  const request = (_method: string, facts: ActFacts): Promise<void> => {
    lines.push(facts);
    return answer();
  };
  const server = { wire, request };
  const ledger = new ActLedger(server, { scope: TEST_SCOPE, signal });
  const nobodys = new ActLedger(server, { scope: null, signal });
  return { ledger, nobodys, lines };
}

it('writes what changes something, once, and waits for the disk', async () => {
  const disk = defer<void>();
  const { ledger, lines } = rig(() => disk.promise);
  ledger.add(ACT);
  ledger.add(ACT);
  let isWritten = false;
  const written = ledger.written().then(() => (isWritten = true));
  await new Promise(setImmediate);
  expect(isWritten).toBe(false);
  disk.resolve();
  await written;
  expect(lines).toEqual([{ ...ACT, scope: TEST_SCOPE, risks: ['input'] }]);
});

it('leaves out what only reads, unless a person allowed it', async () => {
  const { ledger, lines } = rig();
  ledger.add({ ...ACT, risks: ['read', 'navigate'] });
  expect(lines).toEqual([]);
  ledger.add({ ...ACT, risks: ['read'], allowed_by: { kind: 'grant', id: 'g1' } });
  await ledger.written();
  expect(lines).toHaveLength(1);
});

it('a failure of the way to the ledger is one of the ledger: nothing may be done', async () => {
  const { ledger } = rig(() => Promise.reject(new SpillwayError('timeout', 'No answer.')));
  ledger.add(ACT);
  const message: unknown = expect.stringContaining('No answer.');
  await expect(ledger.written()).rejects.toMatchObject({ code: 'ledger_unavailable', message });
});

it('has the page of a file that is taken, if the file has no site of its own', async () => {
  const url = 'data:,a';
  const item = { id: 1, url, finalUrl: url, filename: 'a', mime: '', state: 'complete', startTime: '2026' };
  const getFrame = async () => ({ url: ACT.site, documentId: 'D' });
  installBrowser({ downloads: { search: async () => [item] }, webNavigation: { getFrame } });
  const downloads = { kept: () => [{ startedAtMs: 0, facts: { url } }] };
  const policy = { ...openPolicy, expect: vi.fn(openPolicy.expect) };
  const handlers = createHandlers({ downloads } as never);
  await handlers['downloads.take']({ tab_id: 7, id: 1 }, { policy } as never);
  expect(policy.expect).toHaveBeenCalledWith({ url: ACT.site, tabId: 7, documentId: 'D' }, ['download']);
});
