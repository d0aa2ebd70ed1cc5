import type { JsonObject } from '../../../shared/json.ts';
import type { ToolManifest } from '../../../shared/tools/manifest.ts';
import type { RunWorker } from '../runs.ts';
import type { ProvidedRuntime } from './runtime.ts';

/** A tool that a provider offers under a name of its own: a recipe, or one of another server. */
export interface ProvidedTool {
  readonly kind: 'direct' | 'upstream';
  /** Made with `defineTool`. What only a JSON Schema tells has `z.looseObject({})` as its input. */
  readonly manifest: ToolManifest;
  /** Shown instead of the manifest's input. */
  readonly inputSchema?: JsonObject;
  /**
   * Shown relaxed, so that a failure and a question pass; left out where clients could not compile
   * it. Answers have to fit it: nothing here holds them against it, and clients do.
   */
  readonly outputSchema?: JsonObject;
  /**
   * Of an upstream: its answers may be stored as ours are (`policy`), or are not ours to shape at all
   * (`passthrough`, the default).
   */
  readonly output?: 'policy' | 'passthrough';
  /**
   * The general tool through which the same thing can be called: its row of the mode's table holds
   * here too, so that the answer is the same on each path. Upstreams have no row.
   */
  readonly presentAs?: string;
  runtime(): Promise<ProvidedRuntime>;
  /**
   * Of a direct tool whose manifest says `runs`: the work of its runs, also of one that is resumed in a later server. It is given
   * the arguments as the runtime would be. Absent: each run is one call of the runtime, and cannot be resumed.
   */
  worker?(): Promise<RunWorker>;
}

/** Brings tools that are known only at run time. */
export interface ToolProvider {
  /** Names the provider in logs and messages. */
  readonly id: string;
  /** What it offers now; asked at start and after each change. Never waits. */
  tools(): readonly ProvidedTool[];
  /** Whether it may offer a tool of this name later: a selector that names it is not a mistake. */
  expects?(name: string): boolean;
  /** Calls back when the result of `tools` changes. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void;
}
