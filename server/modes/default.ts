import { PLAIN_ROW, type Mode } from '../core/registry/definition.ts';

/** Plain tools. */
export const mode: Mode = {
  name: 'default',
  fallback: PLAIN_ROW,
  rows: {},
  own: [],
  instructions: [],
  widgets: null,
};
