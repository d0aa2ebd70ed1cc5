import { afterAll, beforeAll, expect, it } from 'vitest';
import { TimelineStore } from '../../../extension/panel/feed/timeline-store.ts';
import type { ToolNames } from '../../../shared/tools/names.ts';
import { TOOL_NAMES } from '../../../shared/tools/names.generated.ts';

/* A tool whose manifest says that it is hidden: agents call it, and people see it nowhere. */

const NAMES: Record<string, ToolNames> = TOOL_NAMES;
beforeAll(() => {
  NAMES['unseen'] = { identifier: 'unseen', api: 'unseen', title: 'Unseen', isHidden: true };
});
afterAll(() => void Reflect.deleteProperty(NAMES, 'unseen'));

const lineOf = (tool: string, id: string) => ({
  id,
  ts: '2026-01-02T03:04:05.000Z',
  event: 'tool_call',
  tool,
  call_id: `call_${id}`,
  client_session: 's1',
  agent: 'an-agent',
  ok: true,
});
const TOOLS = ['tabs', 'unseen', 'tabs', 'of_another_server'];

it('is in no line and in no filter of the timeline, neither of a page nor live', async () => {
  const lines = TOOLS.map((tool, at) => ({ home: 'h1', line: lineOf(tool, `page${at}`) }));
  const store = new TimelineStore(() => Promise.resolve({ lines, next: null }));
  await store.readOlder();
  store.take(
    'h1',
    TOOLS.flatMap((tool, at) => [
      { type: 'call' as const, phase: 'begun' as const, line: lineOf(tool, `begun${at}`) },
      { type: 'call' as const, phase: 'ended' as const, line: lineOf(tool, `ended${at}`) },
    ]),
  );
  const rows = store.rows.value;
  const shown = Array.from({ length: rows.count }, (_, at) => rows.at(at)).flatMap((row) =>
    row?.kind === 'entry' ? [row.entry.tool] : [],
  );
  expect(shown).toHaveLength(9);
  expect(shown).not.toContain('unseen');
  expect(store.names.value.tools).toEqual(['of_another_server', 'tabs']);
});
