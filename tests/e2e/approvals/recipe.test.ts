import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import type { AskedPerson } from '../../support/asked-person.ts';
import { PATIENCE } from '../../support/patience.ts';
import { askedOn, type PersonRig } from '../../support/person-rig.ts';
import { waitForNoProcess } from '../../support/processes.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { PAGE } from './asked.ts';

// A recipe that acts on a page where a person is asked: as a run, by its name and by recipe_run.

const RECIPE: JsonObject = {
  version: 1,
  name: 'order_once',
  title: 'Order once',
  description: 'Opens a shop, orders, and says what the page shows.',
  parameters: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] },
  steps: [
    { id: 'open', tool: 'navigate', args: { url: { $ref: 'params.url' } } },
    { id: 'order', tool: 'interact', args: { steps: ['click css=#order'] } },
    { id: 'look', tool: 'read_page', args: { format: 'text' } },
  ],
  output: { shown: '{{steps.look.text}}' },
};

let rig: PersonRig;
let person: AskedPerson;
let host = 0;

beforeAll(async () => {
  ({ rig, person } = await askedOn(PAGE));
});
afterEach(() => person.isLeftAlone());

async function start(waitMs: number): Promise<StdioServer> {
  const home = mkdtempSync(join(tmpdir(), 'spillway-recipe-'));
  const args = ['--sync-wait-ms', String(waitMs)];
  const server = await startServer({ env: rig.browser.serverEnv, args, clientName: 'test-agent', home });
  onTestFinished(async () => {
    await server.close();
    await waitForNoProcess(home);
    rmSync(home, { recursive: true, force: true });
  });
  await server.call('recipe_save', { definition: RECIPE });
  return server;
}

/** A site on which nobody has allowed anything. */
const site = (): JsonObject => ({ url: rig.at(`recipe${(host += 1)}.test`) });

/** The run that a call has started, once it looks so. */
async function becomes(server: StdioServer, runId: string, expected: object): Promise<JsonObject> {
  return vi.waitFor(async () => {
    const run = (await server.call('run_status', { run_id: runId })).json<JsonObject>();
    expect(run).toMatchObject(expected);
    return run;
  }, PATIENCE);
}
const shown = async (server: StdioServer, runId: string): Promise<unknown> => {
  const page = (await server.call('run_output', { run_id: runId })).json<{ content: JsonObject[] }>();
  return page.content[0]?.['shown'];
};

it('waits when a person takes long, and does what they decide once', { timeout: 90_000 }, async () => {
  const server = await start(500);
  for (const approve of [true, false]) {
    const started = await server.call('order_once', site());
    const { run_id: runId } = started.json<{ run_id: string }>();
    const message = expect.stringContaining('interact waits for a person');
    await becomes(server, runId, { status: 'running', progress: { message } });

    if (approve) await person.allow();
    else await person.deny('Not today.');
    await person.isLeftAlone();
    const end = await becomes(server, runId, { status: approve ? 'completed' : 'failed' });
    if (approve) expect(await shown(server, runId)).toMatch(/pressed order for ;(?!.*pressed)/s);
    else expect(end['error']).toMatchObject({ code: 'call_denied' });
  }
});
