import { TOOL_MANIFESTS } from './manifests.generated.ts';

type Manifest = (typeof TOOL_MANIFESTS)[number];

/** Every tool, in the order of lists: clients and models see it, so it only ever grows at its end. */
export const MANIFESTS: readonly Manifest[] = TOOL_MANIFESTS.toSorted(
  (a, b) => a.order - b.order || (a.name < b.name ? -1 : 1),
);

export type ToolName = Manifest['name'];

/** The tools whose output can be stored: they take `output_mode`. */
export type SpillingTool = Extract<Manifest, { readonly spills: true }>['name'];
