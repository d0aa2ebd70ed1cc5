import type { BridgeHandlers } from '../../support/bridge-handlers.ts';
import type { ToolCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  {
    tool: 'request_human_input',
    title: 'asks in the browser',
    args: { type: 'text', message: 'When?' },
    ends: 'ok',
  },
  {
    tool: 'resume_call',
    title: 'says that no call waits under an id',
    args: { id: 'call-1' },
    ends: 'call_not_pending',
  },
];

/** A person who does everything at once, and answers every question. */
export const fakeHandlers: BridgeHandlers = {
  'person.ask': async () => ({ id: 't_ask' }),
  'takeover.begin': async ({ tab_id: tabId }) => ({ id: `t_${tabId}`, origin: 'https://a.test' }),
  'takeover.wait': async ({ id }) => ({
    ...(id === 't_ask' ? { answer: 'On Tuesday.' } : {}),
    outcome: 'done',
    by: 'person',
    where: 'window',
    reason: null,
    from: 1_000,
    to: 2_000,
    origin: 'https://a.test',
  }),
  'takeover.cancel': async () => ({ was_open: false }),
};
