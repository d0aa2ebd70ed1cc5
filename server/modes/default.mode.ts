import { PLAIN_ROW, type Mode } from '../core/registry/definition.ts';

/** Plain tools. */
export const mode: Mode = {
  name: 'default',
  audience: 'agents',
  fallback: PLAIN_ROW,
  rows: {},
  own: [],
  instructions: [],
  widgets: null,
};
