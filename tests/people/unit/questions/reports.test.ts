import { expect, it, onTestFinished, vi } from 'vitest';
import type { LedgerReport } from '../../../../shared/ledger/report.ts';
import { invalidArgument, SpillwayError } from '../../../../shared/base/errors.ts';
import { MAX_REPORTS_KEPT, type WaitingReport } from '../../../../extension/people/worker/queue.ts';
import { keptReports } from '../../../../extension/people/worker/ledger-reports.ts';
import { PATIENCE } from '../../../support/patience.ts';
import { hash, need, questionsRig } from './rig.ts';

const HOME = hash('1');
const OTHER_HOME = hash('2');

function server(instance: string) {
  const got: LedgerReport[] = [];
  const fails = { now: false };
  const closed = new AbortController();
  const tried = vi.fn();
  const request = async (_method: string, { reports }: { reports: LedgerReport[] }): Promise<object> => {
    tried();
    if (reports.some(({ site }) => site?.startsWith('http://'))) throw invalidArgument('site: is too long');
    if (fails.now) throw new SpillwayError('ledger_unavailable', 'The disk is full.');
    got.push(...reports);
    return {};
  };
  const port = { instance, request: request as never };
  const as = (home: string) => ({ home, server: port, closed: closed.signal });
  return { got, fails, closed, as, tried };
}

/** Questions of a worker, and the server that asked them. */
function reported() {
  const rig = questionsRig();
  const one = server('server-one');
  rig.questions.reports.subscribe(one.as(HOME));
  return { rig, one };
}

const asking = (more = {}, call = {}) => need({ home: HOME, ...more }, call);
const nothingLeft = ({ memory }: ReturnType<typeof questionsRig>) =>
  vi.waitFor(() => expect(memory.state.reports).toEqual([]), PATIENCE);

it('a decision is reported to the server that asked, though no call waits for it', async () => {
  const rig = questionsRig();
  const [one, sibling] = [server('server-one'), server('server-two')];
  for (const each of [sibling, one]) rig.questions.reports.subscribe(each.as(HOME));
  const id = await rig.raise(asking());
  await rig.allow(id);
  await nothingLeft(rig);
  const what = { id, kind: 'decision', question: id, outcome: 'approved', scope: 'once', where: 'window' };
  const of = { risks: ['input', 'submit'], site: 'https://shop.example', tool: 'interact', call_id: 'c1' };
  const agent = { name: 'codex', session: 's1' };
  expect(one.got).toMatchObject([{ ...what, ...of, is_again: false, agent }]);
  expect(sibling.got).toEqual([]);
});

it('a revocation and a refused decision are reported', async () => {
  const { rig, one } = reported();
  const id = await rig.raise(asking());
  await rig.allow(id, { scope: 'task' });
  await rig.allow(id);
  const [grant] = await rig.questions.grants.list();
  expect(grant).not.toHaveProperty('home');
  expect(await rig.questions.grants.revoke(grant?.id ?? '')).toBe(true);
  await nothingLeft(rig);
  const reports = ['decision null', 'refused already_ended', 'grant_revoked null'];
  expect(one.got.map(({ kind, refusal }) => `${kind} ${refusal}`)).toEqual(reports);
  expect(one.got[1]).toMatchObject({ question: id, server: 'server-one', agent: { name: 'codex' } });
});

it('a report that a server does not take waits until one of its home subscribes, also in the next worker', async () => {
  const { rig, one } = reported();
  one.fails.now = true;
  const id = await rig.raise(asking());
  await rig.deny(id, 'no');
  one.closed.abort();
  const next = questionsRig(rig.storage, rig.clock);
  await next.questions.loaded;
  const stranger = server('server-three');
  next.questions.reports.subscribe(stranger.as(OTHER_HOME));
  const heir = server('server-two');
  next.questions.reports.subscribe(heir.as(HOME));
  await nothingLeft(next);
  expect(heir.got).toMatchObject([{ id, outcome: 'denied', server: 'server-one', is_again: true }]);
  expect(stranger.got).toEqual([]);
});

it('sends what came while it was sending, and many in parts', async () => {
  const { rig, one } = reported();
  const ids = await Promise.all(
    Array.from({ length: 250 }, (_, at) => rig.raise(asking({}, { call_id: `c${at}` }))),
  );
  await rig.deny(ids[0] ?? '');
  await rig.questions.refuse('malformed', null);
  await nothingLeft(rig);
  expect(one.got).toHaveLength(251);
  expect(new Set(one.got.map(({ id }) => id)).size).toBe(251);
});

it('a report that no server takes keeps no other back', async () => {
  const { rig, one } = reported();
  const warned = vi.spyOn(console, 'warn').mockReturnValue();
  onTestFinished(() => warned.mockRestore());
  for (const origin of ['https://a.example', 'http://bad.example', 'https://b.example'])
    await rig.questions.cancel(await rig.raise(asking({ origin })), 'server-one');
  await nothingLeft(rig);
  expect(one.got.map(({ site }) => site)).toEqual(['https://a.example', 'https://b.example']);
  expect(warned).toHaveBeenCalledOnce();
});

it('ends of questions never push out people’s decisions', () => {
  const report = (kind: LedgerReport['kind'], at: number): WaitingReport =>
    ({ home: HOME, report: { kind, id: `${kind} ${at}` } }) as WaitingReport;
  const decisions = Array.from({ length: 10 }, (_, at) => report('decision', at));
  const ends = Array.from({ length: MAX_REPORTS_KEPT }, (_, at) => report('question_end', at));
  expect(keptReports([...decisions, ...ends])).toEqual([...decisions, ...ends.slice(10)]);
  expect(keptReports(ends)).toBe(ends);
});

it('what a full disk refused is sent again when a grant is used', async () => {
  const { rig, one } = reported();
  one.fails.now = true;
  await rig.allow(await rig.raise(asking()));
  await vi.waitFor(() => expect(one.tried).toHaveBeenCalled(), PATIENCE);
  one.fails.now = false;
  expect(await rig.questions.use(asking())).not.toBeNull();
  await nothingLeft(rig);
  expect(one.got).toMatchObject([{ kind: 'decision', outcome: 'approved' }]);
});
