import type { Mode } from '../../../server/core/registry/definition.ts';

/** A mode that Spillway does not have, from this file alone: whatever a mode may differ in, it does. */
export const terse: Mode = {
  name: 'terse',
  audience: 'hosts with little room',
  fallback: {
    description: null,
    execution: 'sync',
    text: 'full',
    note: 'Be brief.',
    structuredContent: false,
    widget: null,
    audience: 'model',
  },
  rows: {
    crawl: { execution: 'async', widget: 'run', description: 'Crawls.' },
    run_status: { text: ['status'], structuredContent: true },
    run_status_terse: { audience: 'widget', structuredContent: true },
  },
  own: [{ name: 'run_status_terse', of: 'run_status' }],
  instructions: ['Answer in one word.'],
  widgets: {
    mimeType: 'text/html;profile=terse',
    metaKeys: ['terse/'],
    names: ['run'],
    uri: (widget) => `ui://terse/${widget}`,
    toolMeta: ({ widget }) => (widget === null ? null : { 'terse/widget': `ui://terse/${widget}`, ui: {} }),
    resultMeta: ({ widget }) =>
      widget === null ? null : { 'terse/shown': true, 'openai/outputTemplate': 'x' },
    resourceMeta: () => ({ 'terse/border': false }),
  },
};
