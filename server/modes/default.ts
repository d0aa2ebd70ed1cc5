import type { Mode } from '../core/definition.ts';

/** Plain tools: long calls wait, content only, no output schema, no widget. */
export const mode: Mode = {
  name: 'default',
  fallback: {
    description: null,
    execution: 'sync',
    text: 'full',
    note: null,
    structuredContent: false,
    widget: null,
    audience: 'model',
  },
  rows: {},
  own: [],
  instructions: [],
  widgets: null,
};
