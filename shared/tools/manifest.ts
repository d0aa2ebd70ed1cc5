import type { z } from 'zod';

/** Where a tool stands in the list: 1 always, 2 by default, 3 found by `find_tools`. */
export type ToolTier = 1 | 2 | 3;

/** Selectable groups (`--tools`). */
export type ToolCategory =
  | 'read'
  | 'act'
  | 'capture'
  | 'runs'
  | 'output'
  | 'human'
  | 'upstream'
  | 'recipes'
  | 'docs'
  | 'dev'
  | 'experimental';

/** What a call can do to the person whose browser it is. */
export type ToolRisk = 'none' | 'reads_page' | 'changes_browser' | 'acts_on_page';

/** The MCP hints, all four always explicit. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** A tool as pure, frozen data. */
export interface ToolManifest<Input extends z.ZodObject = z.ZodObject> {
  /** `^[a-z][a-z0-9_]{2,63}$`. */
  readonly name: string;
  readonly title: string;
  readonly category: ToolCategory;
  readonly tier: ToolTier;
  readonly risk: ToolRisk;
  /** `does. use. avoid.` make the description, at most 500 characters together. */
  readonly description: { readonly does: string; readonly use: string; readonly avoid: string };
  readonly input: Input;
  readonly annotations: ToolAnnotations;
  /** Its payload goes through the output policy: it takes `output_mode`. */
  readonly spills: boolean;
}

/** Freezes a manifest deeply, except for its schema, which zod owns. */
export function defineTool<Input extends z.ZodObject>(manifest: ToolManifest<Input>): ToolManifest<Input> {
  Object.freeze(manifest.description);
  Object.freeze(manifest.annotations);
  return Object.freeze(manifest);
}

/** The one description string that goes on a wire. */
export function describeTool(manifest: ToolManifest): string {
  const { does, use, avoid } = manifest.description;
  return `${does} ${use} ${avoid}`.trim();
}
