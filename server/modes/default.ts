import type { Mode } from '../core/definition.ts';
import { describeTool } from '../../shared/tools/manifest.ts';

/** Plain tools: text content, no output schema, no widget. */
export const defaultMode: Mode = Object.freeze({
  name: 'default',
  present: (manifest, inputSchema) => ({
    title: manifest.title,
    description: describeTool(manifest),
    inputSchema,
  }),
} satisfies Mode);
