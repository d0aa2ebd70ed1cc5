import type { z } from 'zod';
import type { JsonObject } from '../../shared/json.ts';
import type { ToolManifest } from '../../shared/tools/manifest.ts';

/** How a mode shows one tool. Derived once at start, frozen, never asked for again. */
export interface ToolPresentation {
  readonly title: string;
  readonly description: string;
  /** JSON Schema 2020-12 of the arguments. */
  readonly inputSchema: JsonObject;
  /** Absent where the mode sends no `structuredContent`. */
  readonly outputSchema?: JsonObject;
}

/** A tool as the running server knows it. */
export interface ToolDefinition {
  /** The manifest after the augmentations (output fields, …). */
  readonly manifest: ToolManifest;
  readonly presentation: ToolPresentation;
  /** In `tools/list` of a default session. */
  readonly listed: boolean;
}

/** A mode: a table from manifest to presentation. */
export interface Mode {
  readonly name: string;
  present(manifest: ToolManifest, inputSchema: JsonObject): ToolPresentation;
}

/** Derives a manifest from another at start; answers the same object when it has nothing to add. */
export type Augmentation = (manifest: ToolManifest) => ToolManifest;

/** Schema conversion is injected: it is the only part of start-up that is not plain data. */
export type ToJsonSchema = (schema: z.ZodObject) => JsonObject;
