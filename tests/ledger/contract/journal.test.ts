import { expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '../../../shared/base/json.ts';
import { startMemoryServer } from '../../support/memory-client.ts';

/* A model's view of the journal: a polling widget's calls must not crowd it out. */

const Entries = z.array(z.looseObject({ tool: z.string() }));

it('calls of widgets are kept, and read only by name', async () => {
  const server = await startMemoryServer({ mode: 'openai' });
  const recent = async (args: JsonObject) =>
    Entries.parse((await server.call('oc_journal', { action: 'recent', ...args })).json());
  await server.call('run_status', { run_id: 'run_ABCDEFGHIJKL' });
  for (let poll = 0; poll < 25; poll += 1)
    await server.call('run_status_internal', { run_id: 'run_ABCDEFGHIJKL' });
  expect((await recent({})).map(({ tool }) => tool)).toEqual(['run_status']);
  const summary = (await server.call('oc_journal')).json();
  expect(summary).toMatchObject({ entries: 2, events: { tool_call: 2 } });
  expect(JSON.stringify(summary)).not.toContain('internal');

  const polls = await recent({ tool: 'run_status_internal', count: 100 });
  expect(polls).toHaveLength(25);
  expect(polls[0]).toMatchObject({ audience: 'widget', ok: false, code: 'run_not_found' });
  const ofPolls = (await server.call('oc_journal', { tool: 'run_status_internal' })).json();
  expect(ofPolls).toMatchObject({ tools: { run_status_internal: { calls: 25 } } });
});
