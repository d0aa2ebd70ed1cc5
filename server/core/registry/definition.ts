import { type JsonObject, isObject } from '../../../shared/json.ts';
import { type ToolManifest, TOOL_CATEGORIES, type ToolCategory } from '../../../shared/tools/manifest.ts';
import type { Execution, OwnTool, CallContext } from '../context.ts';
import type { Produced, ToolResult } from '../result.ts';
import {
  type CleanRecord,
  type CleanText,
  clean,
  cleanJsonText,
  joinClean,
  type CleanJson,
} from '../../redact/clean.ts';

/** Who may call a tool: models, only the widgets of a host, or both. */
export type ToolAudience = 'model' | 'widget' | 'both';

/** Writes an answer that is a JSON object as text. */
type WriteText = (answer: CleanRecord) => CleanText;

/** One row of a mode's table: how the mode presents and executes one tool. */
export interface ModeRow {
  /** Null takes the manifest's own. A provider's tool always has its own. */
  readonly description: string | null;
  /** Its sentence of the server's instructions. Null takes the manifest's own, an empty one says nothing. */
  readonly systemRole: string | null;
  /** Of a tool whose calls are runs; an `async` that was given always wins. */
  readonly execution: Execution;
  /** Null keeps all. */
  readonly keys: readonly string[] | null;
  /** Writes such an answer; `structuredContent` has it as an object. Null gives it as JSON. */
  readonly text: WriteText | null;
  /** The same for the receipt of a run: `run_id`, `status` and `progress`. */
  readonly receipt: WriteText | null;
  /** Declares an output schema and sends `structuredContent`. */
  readonly structuredContent: boolean;
  readonly widget: string | null;
  readonly audience: ToolAudience;
}

/** A plain tool: long calls wait, content only, no output schema, no widget. */
export const PLAIN_ROW: ModeRow = Object.freeze({
  description: null,
  systemRole: null,
  execution: 'sync',
  keys: null,
  text: null,
  receipt: null,
  structuredContent: false,
  widget: null,
  audience: 'model',
});

/** Derives a manifest from another at start; returns the same object when it has nothing to add. */
export type Augment = (manifest: ToolManifest) => ToolManifest;

/** How the hosts of a mode take widgets. Every key of `_meta` that it writes is one of `metaKeys`. */
export interface WidgetDialect {
  /** Content type of a widget's resource. */
  readonly mimeType: string;
  /** Keys of `_meta` that may leave in this mode; one that ends with `/` includes all keys with that prefix. */
  readonly metaKeys: readonly string[];
  /** The widgets that this mode shows. Each is a folder of `extension/widgets`, built to `dist/widgets`. */
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
  /** For a tool whose widget finds the texts of results in `_meta`: under this key. */
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
  /** The runtimes of our own tools are services. */
  readonly runtime?: () => Promise<ProvidedRuntime>;
  /** The tool of the caller's own that it is. Such a definition is in no registry. */
  readonly own?: OwnTool;
}

/**
 * What another server answered. It is not ours to shape: no output policy, no row of a mode. Who
 * brings it has redacted it. Blocks are MCP's, the protocol of upstreams.
 */
export interface PassedThrough {
  readonly passed: {
    readonly content: readonly JsonObject[];
    readonly structuredContent?: JsonObject;
    readonly isError: boolean;
    readonly meta?: JsonObject;
  };
  /** Whose text it is, where a note says that it is untrusted. */
  readonly untrustedFrom?: string;
}

export const isPassedThrough = (produced: object): produced is PassedThrough => 'passed' in produced;

/** The end of another call, as it is. */
export interface Resumed {
  readonly resumed: ToolResult;
}

export const isResumed = (produced: object): produced is Resumed => 'resumed' in produced;

/**
 * The work of one tool. `args` have passed the manifest's schema; services came in through the
 * factory that made the runtime.
 */
export interface ToolRuntime<Args = never, Answer = Produced> {
  run(args: Args, context: CallContext): Promise<Answer>;
}

/** The runtime of a tool that a provider brought. */
export type ProvidedRuntime = ToolRuntime<never, Produced | PassedThrough | Resumed>;

/** The runtime of a tool of ours. */
export type OwnRuntime = ToolRuntime<never, Produced | Resumed>;

/** The runtimes of one identifier, by api. */
export type ToolRuntimes = Readonly<Record<string, OwnRuntime>>;

/** A tool that a provider offers under a name of its own: a recipe, or one of another server. */
export interface ProvidedTool {
  readonly kind: 'direct' | 'upstream';
  /** Made with `defineTool`. A tool with only a JSON Schema has `z.looseObject({})` as its input. */
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
}

/** Brings tools that are known only at run time. */
export interface ToolProvider {
  /** Names the provider in logs and messages. */
  readonly id: string;
  /** Asked at start and after each change. Never waits. */
  tools(): readonly ProvidedTool[];
  /** Whether it may offer a tool of this name later: a selector that names it is not a mistake. */
  expects?(name: string): boolean;
  /** Calls back when the result of `tools` changes. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void;
}

/** The word for the tools that are listed where nothing was selected: tiers 1 and 2. */
export const DEFAULT_GROUP = 'default';

const CATEGORIES: readonly string[] = TOOL_CATEGORIES;

/** A selector that names a category, and not one tool. */
export const isCategory = (selector: string): selector is ToolCategory => CATEGORIES.includes(selector);

/** Every selector that names more than one tool; no tool is called like one. */
export const GROUPS: readonly string[] = [DEFAULT_GROUP, ...CATEGORIES];

/** Whether models may see its name: tools that only widgets call are hidden from models. */
export const isForModels = ({ row }: ToolDefinition): boolean => row.audience !== 'widget';

/** `find_tools` and a category bring it, and hints name it. */
export const isFound = (definition: ToolDefinition): boolean =>
  isForModels(definition) && definition.manifest.flags.discoverable;

type Meta = Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, unknown>>;

/** Null where the mode has none. */
export type PublicDialect = Pick<WidgetDialect, 'metaKeys' | 'mimeType' | 'names' | 'uri'> | null;

/** Keys that belong to the protocol itself. */
const PROTOCOL = 'io.modelcontextprotocol/';

/** Members of answers that are lists of what has `_meta` of its own. */
const LISTS = ['tools', 'resources', 'resourceTemplates', 'prompts', 'messages', 'contents', 'content'];
/** Members that are one such thing: of an embedded resource, of a prompt's message. */
const PARTS = ['resource', 'content'];

/** Content types that hosts render as widgets, of every mode. */
const WIDGET_TYPES = /^\s*text\/html\s*(?:\+skybridge\b|;.*\bprofile\s*=\s*"?mcp-app\b)/is;

const LEFT_OUT = Object.freeze({
  type: 'text',
  text: 'A widget that this server does not offer was omitted.',
});

const matches = (key: string, allowed: string): boolean =>
  allowed.endsWith('/') ? key.startsWith(allowed) : key === allowed;

/**
 * `_meta` as it may leave: the protocol's own keys and those of the mode's widgets, unless what
 * they contain names another owner's widget.
 */
function publicMeta(meta: Meta, dialect: PublicDialect): Meta | undefined {
  const isAllowed = ([key, value]: [string, unknown]): boolean =>
    [PROTOCOL, 'progressToken'].some((pattern) => matches(key, pattern)) ||
    (dialect?.metaKeys.some((pattern) => matches(key, pattern)) === true && !namesOther(value, dialect));
  const kept = Object.entries(meta).filter(isAllowed);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

const isWidgetUri = (value: unknown): boolean => typeof value === 'string' && /^\s*ui:/i.test(value);

const isOwnUri = (value: unknown, dialect: PublicDialect): boolean =>
  dialect !== null && dialect.names.some((name) => dialect.uri(name) === value);

function namesOther(value: unknown, dialect: PublicDialect): boolean {
  if (typeof value === 'object' && value !== null)
    return Object.values(value).some((member) => namesOther(member, dialect));
  return isWidgetUri(value) && !isOwnUri(value, dialect);
}

/**
 * Whether a resource, a template of some, a link to one or an embedded one is not a widget, or one of the
 * mode's own.
 */
function isPublic(value: Fields, dialect: PublicDialect): boolean {
  const { uri, uriTemplate, mimeType } = isObject(value['resource']) ? value['resource'] : value;
  const isWidget =
    isWidgetUri(uri) ||
    isWidgetUri(uriTemplate) ||
    (typeof mimeType === 'string' && WIDGET_TYPES.test(mimeType));
  if (!isWidget) return true;
  // Each of ours has its own address: a widget template belongs to no owner.
  if (uriTemplate !== undefined || !isOwnUri(uri, dialect)) return false;
  return mimeType === undefined || mimeType === dialect?.mimeType;
}

function publicMember(key: string, member: unknown, dialect: PublicDialect): unknown {
  if (LISTS.includes(key) && Array.isArray(member)) {
    const all = member.map((each: unknown) => {
      if (!isObject(each)) return each;
      if (isPublic(each, dialect)) return publicFields(each, dialect);
      // A result keeps its blocks where they are: the first one is never missing.
      return key === 'content' ? LEFT_OUT : undefined;
    });
    return all.filter((each) => each !== undefined);
  }
  if (PARTS.includes(key) && isObject(member))
    return isPublic(member, dialect) ? publicFields(member, dialect) : LEFT_OUT;
  return member;
}

/**
 * An answer as it may leave: a list, a result, the contents of a resource, or one part of these. It
 * keeps of each `_meta` what {@link publicMeta} says, regardless of its author, and no widget of another
 * mode or server. Everything that goes to a client passes here, so that no key and no resource of
 * one mode is ever seen in another. What another server answers passes here without a dialect before,
 * so that it says nothing of how hosts show it. What tools and pages answer as data is not looked into.
 */
export function publicFields<T extends object>(answer: T, dialect: PublicDialect): T {
  const { _meta, ...rest } = answer as Fields;
  const members = Object.entries(rest).map(([key, member]) => [key, publicMember(key, member, dialect)]);
  const meta = isObject(_meta) ? publicMeta(_meta, dialect) : undefined;
  // The same members, without some that no type requires.
  return Object.fromEntries(meta === undefined ? members : [...members, ['_meta', meta]]) as T;
}

/** A member of an answer as text: a string as it is, anything else as JSON. */
export function textOf(value: CleanJson | undefined): CleanText {
  if (value === undefined) return clean``;
  return typeof value === 'string' ? value : cleanJsonText(value);
}

/** A line, and one more for each object of a list. */
export function withLines(
  first: CleanText,
  ...lists: readonly (readonly [list: CleanJson | undefined, line: (one: CleanRecord) => CleanText])[]
): CleanText {
  const lines = lists.flatMap(([list, line]) =>
    (Array.isArray(list) ? (list as readonly CleanJson[]) : []).filter((one) => isObject(one)).map(line),
  );
  return joinClean([first, ...lines], '\n');
}
