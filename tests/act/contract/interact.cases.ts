import type { BridgeHandlers } from '../../support/bridge-handlers.ts';
import { ok, type ToolCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('interact', 'fills fields and does steps', {
    tab: 'b1:1',
    fields: { Name: 'Ada' },
    steps: ['click e6', { do: 'press', value: 'Enter' }],
  }),
];

/** Performs every request on a page that does not change. */
export const fakeHandlers = {
  'act.run': async ({ tab_id: id, fields, steps }) => ({
    done: [...fields.map(({ name }) => name), ...steps.map((step) => step.do)].map((line) => ({
      line,
      note: null,
    })),
    failed: null,
    not_tried: [],
    tab: {
      id,
      window_id: 1,
      url: 'https://a.test/',
      title: 'A',
      active: false,
      status: 'complete',
      discarded: false,
    },
    from_url: 'https://a.test/',
    is_new_document: false,
    dialog: null,
    opened: [],
    downloads: [],
    started_at: 0,
    ended_at: 0,
    requests: 0,
    loading: [],
    console_errors: [],
    text: null,
    left: [],
    notes: [],
  }),
} satisfies BridgeHandlers;
