import type { Mode } from '../../../server/core/registry/definition.ts';

/** A mode that Spillway lacks. It differs in everything that a mode can change. */
export const mode: Mode = {
  name: 'terse',
  audience: 'hosts with little room',
  fallback: {
    description: null,
    systemRole: null,
    execution: 'sync',
    keys: null,
    text: null,
    receipt: null,
    structuredContent: false,
    widget: null,
    audience: 'model',
  },
  rows: {
    crawl: { execution: 'async', widget: 'run', description: 'Crawls.' },
    run_status: { keys: ['status'], structuredContent: true },
    run_status_terse_internal: { audience: 'widget', structuredContent: true },
  },
  own: [{ name: 'run_status_terse_internal', of: 'run_status', serves: 'runs' }],
  instructions: ['Answer in one word.'],
  widgets: {
    mimeType: 'text/html;profile=terse',
    metaKeys: ['terse/'],
    names: ['run', 'card'],
    uri: (widget) => `ui://terse/${widget}`,
    toolMeta: ({ widget }) => (widget === null ? null : { 'terse/widget': `ui://terse/${widget}` }),
    textsKey: null,
    resultMeta: ({ widget }) => (widget === null ? null : { 'terse/shown': true }),
    resourceMeta: () => ({ 'terse/border': false }),
  },
};
