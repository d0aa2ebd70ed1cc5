import { expect, it, vi } from 'vitest';
import type { LedgerReport } from '../../../../shared/policy/ledger-report.ts';
import { SpillwayError } from '../../../../shared/errors.ts';
import { PATIENCE } from '../../../support/patience.ts';
import { hash, need, questionsRig } from './rig.ts';

vi.mock('webextension-polyfill', () => ({ default: {} }));

const HOME = hash('1');
const OTHER_HOME = hash('2');

/** A server that writes what it gets, until its disk is full. */
function server(instance: string) {
  const got: LedgerReport[] = [];
  const fails = { now: false };
  const closed = new AbortController();
  const request = async (_method: string, { reports }: { reports: LedgerReport[] }): Promise<object> => {
    if (fails.now) throw new SpillwayError('ledger_unavailable', 'The disk is full.');
    got.push(...reports);
    return {};
  };
  return { got, fails, closed, port: { instance, request: request as never } };
}

const asking = (more = {}, call = {}) => need({ home: HOME, ...more }, call);
const nothingLeft = ({ memory }: ReturnType<typeof questionsRig>) =>
  vi.waitFor(() => expect(memory.state.reports).toEqual([]), PATIENCE);

it('a decision is reported to the server that asked, though no call waits for it', async () => {
  const rig = questionsRig();
  const one = server('server-one');
  const sibling = server('server-two');
  rig.questions.reports.subscribe(HOME, sibling.port, sibling.closed.signal);
  rig.questions.reports.subscribe(HOME, one.port, one.closed.signal);
  const id = await rig.raise(asking());
  await rig.allow(id);
  await nothingLeft(rig);
  expect(one.got).toMatchObject([
    {
      id,
      kind: 'decision',
      question: id,
      outcome: 'approved',
      scope: 'once',
      where: 'window',
      risks: ['input', 'submit'],
      site: 'https://shop.example',
      tool: 'interact',
      call_id: 'c1',
      is_again: false,
      agent: { name: 'codex', session: 's1' },
    },
  ]);
  expect(sibling.got).toEqual([]);
});

it('a revocation and a refused decision are reported', async () => {
  const rig = questionsRig();
  const one = server('server-one');
  rig.questions.reports.subscribe(HOME, one.port, one.closed.signal);
  const id = await rig.raise(asking());
  await rig.allow(id, { scope: 'task' });
  await rig.allow(id);
  const [grant] = await rig.questions.grants.list();
  expect(grant).not.toHaveProperty('home');
  expect(await rig.questions.grants.revoke(grant?.id ?? '')).toBe(true);
  await nothingLeft(rig);
  expect(one.got.map(({ kind, refusal }) => `${kind} ${refusal}`)).toEqual([
    'decision null',
    'refused already_ended',
    'grant_revoked null',
  ]);
  expect(one.got[1]).toMatchObject({ question: id, server: 'server-one', agent: { name: 'codex' } });
});

it('what a server does not take waits until one of its home subscribes, also in the next worker', async () => {
  const rig = questionsRig();
  const one = server('server-one');
  one.fails.now = true;
  rig.questions.reports.subscribe(HOME, one.port, one.closed.signal);
  const id = await rig.raise(asking());
  await rig.deny(id, 'no');
  one.closed.abort();
  const next = questionsRig(rig.storage, rig.clock);
  await next.questions.loaded;
  const stranger = server('server-three');
  next.questions.reports.subscribe(OTHER_HOME, stranger.port, stranger.closed.signal);
  const heir = server('server-two');
  next.questions.reports.subscribe(HOME, heir.port, heir.closed.signal);
  await nothingLeft(next);
  expect(heir.got).toMatchObject([{ id, outcome: 'denied', server: 'server-one', is_again: true }]);
  expect(stranger.got).toEqual([]);
});

it('sends what came while it was sending, and many in parts', async () => {
  const rig = questionsRig();
  const one = server('server-one');
  rig.questions.reports.subscribe(HOME, one.port, one.closed.signal);
  const ids = await Promise.all(
    Array.from({ length: 250 }, (_, at) => rig.raise(asking({}, { call_id: `c${at}` }))),
  );
  await rig.deny(ids[0] ?? '');
  await rig.questions.refuse('malformed', null);
  await nothingLeft(rig);
  expect(one.got).toHaveLength(251);
  expect(new Set(one.got.map(({ id }) => id)).size).toBe(251);
});

it('a server of the version before is left to write decisions by itself', async () => {
  const rig = questionsRig();
  const id = await rig.raise(need());
  await rig.allow(id);
  expect(rig.memory.state.reports).toEqual([]);
});

it('what a question was about is for its own server', async () => {
  const rig = questionsRig();
  const id = await rig.raise(asking());
  await rig.allow(id);
  expect(rig.questions.about(id, 'server-two')).toEqual({});
  expect(rig.questions.about(id, 'server-one')).toMatchObject({ site: 'https://shop.example' });
});
