import type { JsonObject } from '../../../shared/json.ts';
import type { ToolManifest } from '../../../shared/tools/manifest.ts';
import type { Execution } from '../execution.ts';
import type { OwnTool } from '../own-tool.ts';
import type { RunWorker } from '../runs.ts';
import type { ProvidedRuntime } from './runtime.ts';

/** Who may call a tool: models, only the widgets of a host, or both. */
export type ToolAudience = 'model' | 'widget' | 'both';

/** A text with the names of keys in braces: `Run {run_id} is {status}.` */
export type Template = string;

/** Writes a JSON object as text. An object that lacks a key of `template` is given in full. */
export interface AnswerTemplate {
  readonly template: Template;
  /** Lists of the object: one line for each of their elements, after `template`. */
  readonly each?: readonly { readonly of: string; readonly template: Template }[];
  /** What `structuredContent` keeps of the object. Absent: all keys. */
  readonly keys?: readonly string[];
}

/** How a JSON object is written: in full, with some of its keys, or as text. All else is always in full. */
export type ResponseFormat = 'full' | readonly string[] | AnswerTemplate;

/** One row of a mode's table: how the mode presents and executes one tool. It is plain data. */
export interface ModeRow {
  /** Null takes the manifest's own. A provider's tool always has its own. */
  readonly description: string | null;
  /** Its sentence of the server's instructions. Null takes the manifest's own, an empty one says nothing. */
  readonly systemRole: string | null;
  /** Of a tool whose calls are runs; an `async` that was given always wins. */
  readonly execution: Execution;
  readonly text: ResponseFormat;
  /** What says that a call has started a run, of `run_id`, `status` and `progress`. Null gives them as JSON. */
  readonly receipt: Template | null;
  /** A sentence among the notes of each answer. */
  readonly note: string | null;
  /** Declares an output schema and sends `structuredContent`. */
  readonly structuredContent: boolean;
  /** JSON Schema of `structuredContent`. Null takes the manifest's own, with the keys that `text` keeps. */
  readonly outputSchema: JsonObject | null;
  /** One of the mode's widgets. */
  readonly widget: string | null;
  readonly audience: ToolAudience;
}

/** A plain tool: long calls wait, content only, no output schema, no widget. */
export const PLAIN_ROW: ModeRow = Object.freeze({
  description: null,
  systemRole: null,
  execution: 'sync',
  text: 'full',
  receipt: null,
  note: null,
  structuredContent: false,
  outputSchema: null,
  widget: null,
  audience: 'model',
});

/** How the hosts of a mode take widgets. Every key of `_meta` that it writes is one of `metaKeys`. */
export interface WidgetDialect {
  /** Content type of a widget's resource. */
  readonly mimeType: string;
  /** Keys of `_meta` that may leave in this mode; one that ends with `/` includes all keys with that prefix. */
  readonly metaKeys: readonly string[];
  /** The widgets that this mode shows. Each is a folder of `server/widgets`, built to `dist/widgets`. */
  readonly names: readonly string[];
  /** Address of a widget's resource. */
  uri(widget: string): string;
  /** `_meta` of a tool in a list. Null when the tool needs none. */
  toolMeta(row: ModeRow, title: string): JsonObject | null;
  /** `_meta` of each result of a tool. */
  resultMeta(row: ModeRow): JsonObject | null;
  /** The key of `_meta` under which a widget finds the texts of a result; null where the host gives it the result whole. */
  readonly textsKey: string | null;
  /** `_meta` of a widget's resource: its content security policy, its border. */
  resourceMeta(widget: string): JsonObject;
}

/** A tool that exists in one mode alone: another tool's runtime under another name and row. */
export interface InternalTool {
  readonly name: string;
  /** The tool whose runtime it is. */
  readonly of: string;
  /** It is for widgets of runs, or of recipes; any widget may meet a stored output. */
  readonly serves: 'runs' | 'recipes' | 'outputs';
}

/**
 * A mode: one table from tool to presentation and execution, chosen once at start. Each is the
 * export `mode` of `server/modes/<name>.mode.ts`.
 */
export interface Mode {
  readonly name: string;
  /** The hosts that it is made for, as the documentation says it. */
  readonly audience: string;
  /** Applies where a tool's own row has no entry. */
  readonly fallback: ModeRow;
  readonly rows: Readonly<Record<string, Partial<ModeRow>>>;
  /** Listed next to the tools whose widgets call them. */
  readonly own: readonly InternalTool[];
  /** Sentences of the server's instructions, after the common ones. */
  readonly instructions: readonly string[];
  /** Null where no widget leaves. */
  readonly widgets: WidgetDialect | null;
}

/** How the running server shows one tool. Derived once at start, frozen, never asked for again. */
export interface ToolPresentation {
  readonly title: string;
  readonly description: string;
  /** JSON Schema 2020-12 of the arguments. */
  readonly inputSchema: JsonObject;
  /** Absent where the mode sends no `structuredContent`. */
  readonly outputSchema?: JsonObject;
  /** `_meta` in lists and of results; absent where the mode has none. */
  readonly meta?: JsonObject;
  readonly resultMeta?: JsonObject;
  /** Of a tool whose widget finds the texts of results in `_meta`: under this key. */
  readonly textsKey?: string;
}

/**
 * Where a definition comes from: a manifest of ours, a provider whose tools go through the whole
 * pipeline (`direct`), another server whose answers pass through as they are (`upstream`), or the caller itself (`own`).
 */
export type ToolKind = 'native' | 'direct' | 'upstream' | 'own';

/** A tool as the running server knows it. */
export interface ToolDefinition {
  readonly kind: ToolKind;
  /** The manifest after the augmentations (output fields, …). */
  readonly manifest: ToolManifest;
  readonly presentation: ToolPresentation;
  /** The row that holds for it, whole. */
  readonly row: ModeRow;
  /** What a provider brought; the runtimes of our own tools are services. */
  readonly runtime?: () => Promise<ProvidedRuntime>;
  /** The work of its runs, where a provider brought it; those of our own tools are services. */
  readonly worker?: () => Promise<RunWorker>;
  /** The tool of the caller's own that it is. Such a definition is in no registry. */
  readonly own?: OwnTool;
}

/** Derives a manifest from another at start; returns the same object when it has nothing to add. */
export type Augmentation = (manifest: ToolManifest) => ToolManifest;
