import type { z } from 'zod';
import { type JsonObject, isObject } from '../../../shared/base/json.ts';
import type { SpillwayError } from '../../../shared/base/errors.ts';
import {
  type ToolManifest,
  TOOL_CATEGORIES,
  type ToolCategory,
} from '../../../shared/core/tools/manifest.ts';
import type { ToolName } from '../../../shared/core/tools/index.ts';
import type { ShownValue } from '../../../shared/core/tools/shown.ts';
import type { Execution, OwnTool, CallContext } from '../context.ts';
import type { Produced, ToolResult } from '../result.ts';
import {
  type CleanRecord,
  type CleanText,
  clean,
  cleanJsonText,
  joinClean,
  type CleanJson,
} from '../../libraries/redaction/clean.ts';

/** Who may call a tool: models, only the widgets of a host, or both. */
export type ToolAudience = 'model' | 'widget' | 'both';

/** Writes an answer that is a JSON object as text. */
type WriteText = (answer: CleanRecord) => CleanText;

/** One row of a mode's table: how the mode presents and executes one tool. */
export interface ModeRow {
  /** Null uses the manifest's. A provider's tool always has its own. */
  readonly description: string | null;
  /** Its sentence in the server's instructions. Null uses the manifest's; an empty one says nothing. */
  readonly systemRole: string | null;
  /** For a tool whose calls are runs; an explicit `async` always wins. */
  readonly execution: Execution;
  /** Null keeps all. */
  readonly keys: readonly string[] | null;
  /** Writes such an answer; `structuredContent` has it as an object. Null writes JSON. */
  readonly text: WriteText | null;
  /** The same for a run's receipt: `run_id`, `status` and `progress`. */
  readonly receipt: WriteText | null;
  /** Declares an output schema and sends `structuredContent`. */
  readonly structuredContent: boolean;
  readonly widget: string | null;
  readonly audience: ToolAudience;
}

/** Rows of our own tools. */
export type ToolRows = {
  readonly [Name in ToolName]?: Partial<
    Omit<ModeRow, 'keys'> & { readonly keys: readonly (keyof ShownValue<Name>)[] }
  >;
} & { readonly [Internal in `${string}_internal`]: Partial<ModeRow> };

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

/** Derives a manifest from another at start; returns the same object if it has nothing to add. */
export type Augment = (manifest: ToolManifest) => ToolManifest;

/** How a mode's hosts take widgets. `metaKeys` covers every key of `_meta` that it writes. */
export interface WidgetDialect {
  /** Content type of a widget's resource. */
  readonly mimeType: string;
  /** Keys of `_meta` that may leave in this mode; one that ends with `/` includes all keys with that prefix. */
  readonly metaKeys: readonly string[];
  /** The widgets that this mode shows. Each is a folder of `extension/widgets`, built to `dist/widgets`. */
  readonly names: readonly string[];
  /** Address of a widget's resource. */
  uri(widget: string): string;
  /** `_meta` of a tool in a list. Null if the tool needs none. */
  toolMeta(row: ModeRow, title: string): JsonObject | null;
  /** `_meta` of each result of a tool. */
  resultMeta(row: ModeRow): JsonObject | null;
  /** The key of `_meta` under which a widget finds a result's texts; null if the host passes the whole result. */
  readonly textsKey: string | null;
  /** `_meta` of a widget's resource: its content security policy, its border. */
  resourceMeta(widget: string): JsonObject;
}

/** A tool that exists in only one mode: another tool's runtime under another name and row. */
export interface InternalTool {
  readonly name: string;
  /** The tool whose runtime it is. */
  readonly of: string;
  /** Its widgets are those of runs, or of recipes; any widget may meet a stored output. */
  readonly serves: 'runs' | 'recipes' | 'outputs';
}

/**
 * A mode: one table from tool to presentation and execution, chosen once at start. Each is the
 * export `mode` of `server/core/modes/<name>.mode.ts`.
 */
export interface Mode {
  readonly name: string;
  /** The hosts that it is made for, in the documentation's words. */
  readonly audience: string;
  /** Applies if a tool's own row has no entry. */
  readonly fallback: ModeRow;
  readonly rows: Readonly<Record<string, Partial<ModeRow>>>;
  /** Listed next to the tools whose widgets call them. */
  readonly own: readonly InternalTool[];
  /** Sentences of the server's instructions, after the common ones. */
  readonly instructions: readonly string[];
  /** Null if no widget leaves. */
  readonly widgets: WidgetDialect | null;
}

/** How the running server shows one tool. Derived once at start and frozen. */
export interface ToolPresentation {
  readonly title: string;
  readonly description: string;
  /** JSON Schema 2020-12 of the arguments. */
  readonly inputSchema: JsonObject;
  /** Absent if the mode sends no `structuredContent`. */
  readonly outputSchema?: JsonObject;
  /** `_meta` in lists and of results; absent if the mode has none. */
  readonly meta?: JsonObject;
  readonly resultMeta?: JsonObject;
  /** For a tool whose widget finds the texts of results in `_meta`: under this key. */
  readonly textsKey?: string;
}

/** A tool as the running server knows it. */
export interface ToolDefinition {
  /**
   * Where it comes from: a manifest of ours, a provider whose tools go through the whole pipeline (`direct`), another
   * server whose answers pass unchanged (`upstream`), or the caller itself (`own`).
   */
  readonly kind: 'native' | 'direct' | 'upstream' | 'own';
  /** The manifest after the augmentations (output fields, …). */
  readonly manifest: ToolManifest;
  readonly presentation: ToolPresentation;
  /** The complete row that applies to it. */
  readonly row: ModeRow;
  /** The runtimes of our own tools are services. */
  readonly runtime?: () => Promise<ProvidedRuntime>;
  /** The caller's own tool behind it. Such a definition is in no registry. */
  readonly own?: OwnTool;
}

/**
 * Another server's answer. It is not ours to shape: no output policy, no row of a mode. Its provider has
 * redacted it. Blocks are in MCP's form, the protocol of upstreams.
 */
export interface PassedThrough {
  readonly passed: {
    readonly content: readonly JsonObject[];
    readonly structuredContent?: JsonObject;
    readonly isError: boolean;
    readonly meta?: JsonObject;
  };
  /** The source to name in a note that the text is untrusted. */
  readonly untrustedFrom?: string;
}

/** The end of another call, unchanged. */
export interface Resumed {
  readonly resumed: ToolResult;
}

/**
 * The work of one tool. `args` have passed the manifest's schema; the factory that made the runtime supplied
 * its services.
 */
export type ToolRuntime<Args = never, Answer = Produced> = (
  args: Args,
  context: CallContext,
) => Promise<Answer>;

/** The parsed arguments of a tool, which its runtime takes. */
export type ArgsOf<Tool extends Pick<ToolManifest, 'input'>> = z.output<Tool['input']>;

/** The runtime of a provider's tool. */
export type ProvidedRuntime = ToolRuntime<never, Produced | PassedThrough | Resumed>;

/** The runtime of a tool of ours. */
export type OwnRuntime = ToolRuntime<never, Produced | Resumed>;

/** The runtimes of one identifier, by api. */
export type ToolRuntimes = Readonly<Record<string, OwnRuntime>>;

/** A tool that a provider offers under its own name: a recipe, or a tool of another server. */
export interface ProvidedTool {
  readonly kind: 'direct' | 'upstream';
  /** Made with `defineTool`. A tool with only a JSON Schema has `z.looseObject({})` as its input. */
  readonly manifest: ToolManifest;
  /** Shown instead of the manifest's input. */
  readonly inputSchema?: JsonObject;
  /**
   * Shown in a relaxed form that also admits failures and questions; left out if clients could not compile
   * it. Answers have to match it: clients check that, not this code.
   */
  readonly outputSchema?: JsonObject;
  /**
   * For an upstream: its answers may be stored like ours (`policy`), or are not ours to shape at all
   * (`passthrough`, the default).
   */
  readonly output?: 'policy' | 'passthrough';
  /**
   * The general tool for the same purpose: its row of the mode's table applies here too, so that the answer
   * is the same on each path. Upstreams have no row.
   */
  readonly presentAs?: string;
  runtime(): Promise<ProvidedRuntime>;
}

/** Supplies tools that are known only at run time. */
export interface ToolProvider {
  /** Names the provider in logs and messages. */
  readonly id: string;
  /** Called at start and after each change. Never waits. */
  tools(): readonly ProvidedTool[];
  /** Whether it may offer a tool of this name later: then a selector that names it is not a mistake. */
  expects?(name: string): boolean;
  /** Why it does not offer a tool of this name yet; null if that is not known. */
  explainMissing?(name: string): SpillwayError | null;
  /** Calls back when the result of `tools` changes. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void;
}

/** The word for the tools that are listed by default: tiers 1 and 2. */
export const DEFAULT_GROUP = 'default';

const CATEGORIES: readonly string[] = TOOL_CATEGORIES;

/** A selector that names a category rather than one tool. */
export const isCategory = (selector: string): selector is ToolCategory => CATEGORIES.includes(selector);

/** Every selector that names more than one tool; no tool may have such a name. */
export const GROUPS: readonly string[] = [DEFAULT_GROUP, ...CATEGORIES];

/** Whether models may see its name: tools that only widgets call are hidden from models. */
export const isForModels = ({ row }: ToolDefinition): boolean => row.audience !== 'widget';

/** `find_tools` and a category can list it, and hints name it. */
export const isFound = (definition: ToolDefinition): boolean =>
  isForModels(definition) && definition.manifest.flags.discoverable;

type Meta = Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, unknown>>;

/** Null if the mode has none. */
export type PublicDialect = Pick<WidgetDialect, 'metaKeys' | 'mimeType' | 'names' | 'uri'> | null;

/** Keys that belong to the protocol itself. */
const PROTOCOL = 'io.modelcontextprotocol/';

/** Members of answers that are lists of items with their own `_meta`. */
const LISTS = ['tools', 'resources', 'resourceTemplates', 'prompts', 'messages', 'contents', 'content'];
/** Members that are one such item: of an embedded resource, of a prompt's message. */
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
 * `_meta` as it may leave: the protocol's own keys and those of the mode's widgets, unless they refer to
 * another owner's widget.
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

/** Whether a resource, a template, a link or an embedded resource is not a widget, or one of this mode's. */
function isPublic(value: Fields, dialect: PublicDialect): boolean {
  const { uri, uriTemplate, mimeType } = isObject(value['resource']) ? value['resource'] : value;
  const isWidget =
    isWidgetUri(uri) ||
    isWidgetUri(uriTemplate) ||
    (typeof mimeType === 'string' && WIDGET_TYPES.test(mimeType));
  if (!isWidget) return true;
  // Each of our widgets has its own address, so a widget template is nobody's.
  if (uriTemplate !== undefined || !isOwnUri(uri, dialect)) return false;
  return mimeType === undefined || mimeType === dialect?.mimeType;
}

function publicMember(key: string, member: unknown, dialect: PublicDialect): unknown {
  if (LISTS.includes(key) && Array.isArray(member)) {
    const all = member.map((each: unknown) => {
      if (!isObject(each)) return each;
      if (isPublic(each, dialect)) return publicFields(each, dialect);
      // A result keeps its blocks in place: the first one is never missing.
      return key === 'content' ? LEFT_OUT : undefined;
    });
    return all.filter((each) => each !== undefined);
  }
  if (PARTS.includes(key) && isObject(member))
    return isPublic(member, dialect) ? publicFields(member, dialect) : LEFT_OUT;
  return member;
}

/**
 * An answer as it may leave: a list, a result, the contents of a resource, or a part of these. It keeps of
 * each `_meta` the keys that {@link publicMeta} allows, whatever its author, and no widget of another mode or
 * server. Everything for a client passes here, so that no key and no resource of one mode appears in another.
 * Another server's answer first passes here without a dialect, so that it cannot tell hosts how to show it.
 * Data that tools and pages answer with is not inspected.
 */
export function publicFields<T extends object>(answer: T, dialect: PublicDialect): T {
  const { _meta, ...rest } = answer as Fields;
  const members = Object.entries(rest).map(([key, member]) => [key, publicMember(key, member, dialect)]);
  const meta = isObject(_meta) ? publicMeta(_meta, dialect) : undefined;
  // The same members, without some that no type requires.
  return Object.fromEntries(meta === undefined ? members : [...members, ['_meta', meta]]) as T;
}

/** A member of an answer as text: strings unchanged, anything else as JSON. */
export function formatMember(value: CleanJson | undefined): CleanText {
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
