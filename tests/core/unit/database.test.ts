import { expect, it, onTestFinished } from 'vitest';
import { HomeDatabase } from '../../../server/core/home/database.ts';
import { RunStore } from '../../../server/runs/run-store.ts';
import { temporaryHome } from '../../support/home.ts';

async function setUp() {
  const home = await temporaryHome();
  const database = new HomeDatabase(home);
  onTestFinished(() => database.close());
  const add = (id: string) =>
    database.run(`INSERT INTO output VALUES (?, '', 0, 0, 0, '', 0, NULL, NULL, NULL, NULL, 0, '')`, id);
  const ids = () => database.rows('SELECT handle FROM output ORDER BY handle').flat();
  return { home, database, add, ids };
}

it('a write that need not be durable and finds the file locked leaves the next ones durable', async () => {
  const { home, database, add } = await setUp();
  const other = new HomeDatabase(home, { isDurable: false });
  onTestFinished(() => other.close());
  const durability = () => database.row('PRAGMA synchronous');
  database.write(() => add('a'));
  const before = durability();
  database.rows('PRAGMA busy_timeout = 1');
  const write = () => database.write(() => add('b'), { isDurable: false });
  other.write(() => expect(write).toThrow('locked'));
  expect(durability()).toEqual(before);
});

it('a part that throws is undone alone', async () => {
  const { database, add, ids } = await setUp();
  database.write(() => {
    add('a');
    expect(() =>
      database.write(() => {
        add('b');
        throw new Error('undone');
      }),
    ).toThrow('undone');
    database.write(() => add('c'));
  });
  expect(ids()).toEqual(['a', 'c']);
});

it('a part that SQLite refuses undoes the whole write, and the next write succeeds', async () => {
  const { database, add, ids } = await setUp();
  const write = () =>
    database.write(() => {
      add('a');
      expect(() => database.write(() => add('a'))).toThrow('SQLITE_CONSTRAINT');
      add('b');
    });
  expect(write).toThrow('SQLITE_CONSTRAINT');
  expect(ids()).toEqual([]);
  database.write(() => add('d'));
  expect(ids()).toEqual(['d']);
});

it('a file of the previous form is taken over, and its runs are found by tool and as parked', async () => {
  const home = await temporaryHome();
  const old = new HomeDatabase(home);
  const add = (id: string, facts: string, life: string) =>
    old.run(
      `INSERT INTO run (id, started_at_ms, facts, life, tally) VALUES (?, 0, ?, ?, '')`,
      ...[id, facts, life],
    );
  add('a', '{"tool":"crawl"}', '{"error":{"body":{"goes_on":true}}}');
  add('b', '{"tool":"script","args":{"tool":"crawl"}}', '{"error":null}');
  add('damaged', '{"tool":"crawl', '{"error":{"body":{"goes_on":true}}');
  for (const index of ['parked', 'of_tool', 'begun']) old.run(`DROP INDEX run_${index}`);
  for (const column of ['tool', 'is_parked']) old.run(`ALTER TABLE run DROP COLUMN ${column}`);
  old.run('DROP TABLE question');
  old.run('CREATE TABLE kept_call (call_id, server, pid, start_time, is_left, record)');
  old.run('CREATE TABLE pause (id, state, expires_at_ms, facts)');
  old.run('PRAGMA user_version = 4');
  old.close();
  const store = new RunStore(home);
  onTestFinished(() => store.close());
  const ids = (runs: readonly { readonly runId: string }[]) => runs.map(({ runId }) => runId);
  expect(ids(store.list())).toEqual(['damaged', 'b', 'a']);
  expect(ids(store.list({ tool: 'crawl' }))).toEqual(['a']);
  expect([store.count(), store.count('crawl')]).toEqual([3, 1]);
  expect(ids(store.listParked())).toEqual(['a']);
  const plan = store.database.rows('EXPLAIN QUERY PLAN SELECT id, number FROM run WHERE is_parked = 1');
  expect(plan.flat().join()).toContain('run_parked');
});
