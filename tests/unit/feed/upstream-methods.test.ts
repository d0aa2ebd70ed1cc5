import { describe, expect, it } from 'vitest';
import { SHOWN_TOOL_UNITS, UPSTREAM_METHODS } from '../../../shared/bridge/upstreams.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { OfferedTool, UpstreamSummaries } from '../../../server/core/upstreams.ts';
import { createUpstreamMethods } from '../../../server/feed/index.ts';
import { createRedactor } from '../../../server/redact/index.ts';
import { codeOf } from '../../support/code-of.ts';

/* What people see of other servers, as it leaves the server. */

const never = new AbortController().signal;
const SECRET = `ghp_${'0123456789abcdefghijklmnopqrstuvwxyz'}`;

const offered = (name: string, description = 'Does it.'): OfferedTool => ({
  tool: { rawName: name, description, inputSchema: { type: 'object' }, isReadOnly: true },
  distrust: 'not_accepted',
});

function rig(tools: readonly OfferedTool[]) {
  const changes: object[] = [];
  const accepted: string[] = [];
  const upstreams: UpstreamSummaries = {
    report: () => [
      { id: 'a', target: `run --token ${SECRET}`, state: 'ready', problem: null, tools: 1, unaccepted: 1 },
    ],
    offer: () => ({ revision: 'r1', tools }),
    onChange: () => () => undefined,
    accept: async (id, revision) => {
      if (revision !== 'r1') throw new SpillwayError('upstream_changed', 'Another.');
      accepted.push(id);
    },
  };
  const methods = createUpstreamMethods({
    upstreams,
    changed: async (facts) => void changes.push(facts),
    redactor: createRedactor({ enabled: true }),
  });
  return { methods, changes, accepted };
}

it('a list has no secret', async () => {
  const { methods } = rig([]);
  const list = UPSTREAM_METHODS['upstreams.list'].result.parse(await methods['upstreams.list']({}, never));
  expect(list.upstreams[0]).toMatchObject({ id: 'a', unaccepted: 1 });
  expect(JSON.stringify(list)).not.toContain(SECRET);
});

describe('tools', () => {
  it('come in pages that fit in a frame, each once, redacted', async () => {
    const long = `${SECRET} ${'\u0001'.repeat(SHOWN_TOOL_UNITS - 100)}`;
    const { methods } = rig(Array.from({ length: 12 }, (_, index) => offered(`t${index}`, long)));
    const names: string[] = [];
    for (let offset: number | null = 0; offset !== null;) {
      const page = await methods['upstreams.tools']({ id: 'a', offset }, never);
      const text = JSON.stringify(UPSTREAM_METHODS['upstreams.tools'].result.parse(page));
      expect(Buffer.byteLength(text)).toBeLessThan(LIMITS.bridgeFrameBytes);
      expect(text).not.toContain(SECRET);
      expect(page.tools.every((tool) => tool.is_whole)).toBe(true);
      names.push(...page.tools.map(({ name }) => name));
      offset = page.next_offset;
    }
    expect(names).toEqual(Array.from({ length: 12 }, (_, index) => `t${index}`));
  });

  it('show everything that a model sees of them, and say where there is more', async () => {
    const { tool } = offered('one');
    const whole = { ...tool, title: 'One of them', outputSchema: { description: 'What it is.' } };
    const { methods } = rig([
      { tool: whole, distrust: 'changed' },
      offered('long', 'x'.repeat(SHOWN_TOOL_UNITS + 1)),
      { tool: { ...whole, title: 'x'.repeat(SHOWN_TOOL_UNITS + 1) }, distrust: null },
    ]);
    const { tools } = await methods['upstreams.tools']({ id: 'a', offset: 0 }, never);
    expect(tools).toMatchObject([
      { title: 'One of them', answers: expect.stringContaining('What it is.'), is_whole: true },
      { is_whole: false, change: 'new', description: 'x'.repeat(SHOWN_TOOL_UNITS) },
      { is_whole: false },
    ]);
  });
});

it('what was shown is accepted, and the ledger has it, unless it is another by now', async () => {
  const { methods, changes, accepted } = rig([offered('one')]);
  const params = { id: 'a', revision: 'r1', where: 'side_panel' } as const;
  expect(await codeOf(methods['upstreams.accept']({ ...params, revision: 'r0' }, never))).toBe(
    'upstream_changed',
  );
  expect(changes).toEqual([]);
  expect(await methods['upstreams.accept'](params, never)).toEqual({ accepted: 1 });
  expect(accepted).toEqual(['a']);
  expect(changes).toEqual([{ kind: 'upstream_accepted', subject: 'a' }]);
});
