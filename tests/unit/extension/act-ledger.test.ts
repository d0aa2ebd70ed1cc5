import { expect, it } from 'vitest';
import { ActLedger } from '../../../extension/background/policy/call-policy.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { ActFacts } from '../../../shared/policy/ledger-report.ts';
import { deferred } from '../../../shared/async.ts';
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
  const disk = deferred<void>();
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
  await expect(ledger.written()).rejects.toMatchObject({
    code: 'ledger_unavailable',
    message: expect.stringContaining('No answer.') as unknown,
  });
});
