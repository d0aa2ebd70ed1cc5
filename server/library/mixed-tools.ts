import { SpillwayError, invalidArgument } from '../../shared/base/errors.ts';
import { isObject, type JsonObject } from '../../shared/base/json.ts';
import { callable, type AiSdkExecution } from './model-calls.ts';
import type { ModelOutput, ToolOutput } from './model-output.ts';
import { parseEntry, trustAll, type UpstreamEntryInput } from '../upstreams/index.ts';
import type { SpillwayOptions } from './options.ts';
import { assembleWithUpstreams, type Spillway } from './spillway.ts';
import type { CallOptions, CallResult, ListedTool } from './types.ts';

/** Longest time that the first list waits for servers that do not answer. */
const CONNECT_MS = 30_000;

/** The schema of arguments: JSON Schema, in the form that the AI SDK reads (https://standardschema.dev). */
export type MixedToolSchema = JsonObject & {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    /** Accepts anything: the call checks its arguments. */
    readonly validate: (value: unknown) => { readonly value: unknown };
    readonly jsonSchema: Record<'input' | 'output', () => Record<string, unknown>>;
  };
};

/** Called by a program, or by the AI SDK, whose calls wait for approval if the gate asks. */
interface Execute {
  (args?: unknown, options?: CallOptions): Promise<CallResult>;
  (args: unknown, execution: AiSdkExecution): Promise<ToolOutput>;
}

/** A tool of one of the servers, and a tool of the AI SDK. */
export interface MixedTool extends Omit<ListedTool, 'inputSchema'> {
  /** The AI SDK does not know its types. */
  readonly type: 'dynamic';
  readonly inputSchema: MixedToolSchema;
  /** The id of its server. */
  readonly id: string;
  /** The server's own name for it. */
  readonly rawName: string;
  /** Calls it: through the gate, redaction and the output policy. Absent with `disableAllExecutions`. */
  readonly execute?: Execute;
  /** For the AI SDK: whether the gate asks a person. Absent as above. */
  readonly needsApproval?: (args: unknown, execution: AiSdkExecution) => Promise<boolean>;
  /** For the AI SDK: an output in the form for a model. Absent as above. */
  readonly toModelOutput?: (given: { readonly output: unknown }) => ModelOutput;
}

/** Which tools to return: by the names that models use, or by a function that sees both names. */
export type MixedToolsSelection =
  | { readonly names: readonly string[] }
  | {
      readonly filter: (
        name: string,
        from: {
          /** The id of its server. */
          readonly id: string;
          /** The server's own name for it. */
          readonly rawName: string;
        },
      ) => boolean;
    };

/** Options of {@link createMixedToolsClient}. */
export interface MixedToolsOptions extends SpillwayOptions {
  /** Tools have no `execute`: the program decides what to call. Default: false. */
  readonly disableAllExecutions?: boolean | undefined;
}

/** The state of a server. */
export interface MixedServer {
  readonly id: string;
  readonly state: 'starting' | 'ready' | 'failed';
  /** Why it has failed; null otherwise. */
  readonly problem: string | null;
  /** How many tools it offers. */
  readonly tools: number;
}

/** The tools of several servers as one set. */
export interface MixedToolsClient extends AsyncDisposable {
  /**
   * The tools by their names, as they are and as a `ToolSet` of the AI SDK. Names begin with the id of their
   * server. The first call waits until each server has connected or failed once; a server that has not
   * connected yet has no tools.
   * @throws SpillwayError `session_closed` after `close`, even while it waits; `invalid_argument` for another
   *   selection
   */
  tools(selection?: MixedToolsSelection): Promise<Readonly<Record<string, MixedTool>>>;
  /** The current state of each server, in the given order. They connect with the first `tools()`. */
  servers(): readonly MixedServer[];
  /** Executes the tools, and has those that read handles: `spillway.tools.oc_output_fetch`. */
  readonly spillway: Spillway;
  /** Ends connections and started processes. */
  close(): Promise<void>;
}

/**
 * Mixes the tools of several servers: MCP servers by command or address, services by OpenAPI document. The
 * caller chose them, so their tools need no further approval.
 * @throws SpillwayError `invalid_argument` for a wrong entry or option
 */
export function createMixedToolsClient(
  servers: readonly UpstreamEntryInput[],
  { disableAllExecutions = false, ...options }: MixedToolsOptions = {},
): MixedToolsClient {
  if (!Array.isArray(servers)) throw invalidArgument('createMixedToolsClient: servers: It takes a list.');
  const entries = servers.map((entry: unknown, at) =>
    parseEntry(entry, `createMixedToolsClient: servers[${at}]`),
  );
  const parts = { upstreamParts: { entries, trust: trustAll } };
  const { spillway, upstreams } = assembleWithUpstreams(options, parts);
  let isClosed = false;
  const close = (): Promise<void> => {
    isClosed = true;
    return spillway.close();
  };
  return {
    tools: async (selection) => {
      expectSelection(selection);
      if (!isClosed) await upstreams.awaitSettled(AbortSignal.timeout(CONNECT_MS));
      if (isClosed) throw new SpillwayError('session_closed', 'The client of mixed tools is closed.');
      const found = upstreams.all().flatMap(({ name, id, rawName }): MixedTool[] => {
        const listed = spillway.find(name);
        if (listed === undefined || !isWanted(selection, name, { id, rawName })) return [];
        const tool = { ...listed, type: 'dynamic', id, rawName, inputSchema: schemaOf(listed) } as const;
        return [disableAllExecutions ? tool : executable(spillway, tool)];
      });
      return Object.fromEntries(found.map((tool) => [tool.name, tool]));
    },
    servers: () => upstreams.report().map(({ id, state, problem, tools }) => ({ id, state, problem, tools })),
    spillway,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The AI SDK's mark for its schemas, so that it accepts this one unchanged. */
const AI_SDK_SCHEMA = Symbol.for('vercel.ai.schema');

function schemaOf({ inputSchema }: ListedTool): MixedToolSchema {
  const copy = (): Record<string, unknown> => structuredClone({ ...inputSchema });
  const standard: MixedToolSchema['~standard'] = {
    version: 1,
    vendor: 'spillway',
    validate: (value) => ({ value }),
    jsonSchema: { input: copy, output: copy },
  };
  // Hidden, so that its JSON is only the schema.
  return Object.defineProperties(
    { ...inputSchema },
    {
      '~standard': { value: standard },
      [AI_SDK_SCHEMA]: { value: true },
      jsonSchema: { value: inputSchema },
      validate: { value: undefined },
    },
  ) as MixedToolSchema;
}

function executable(spillway: Spillway, tool: MixedTool): MixedTool {
  const { name } = tool;
  const parts = callable(spillway, name, undefined);
  function execute(args?: unknown, options?: CallOptions): Promise<CallResult>;
  function execute(args: unknown, execution: AiSdkExecution): Promise<ToolOutput>;
  function execute(args?: unknown, how: CallOptions | AiSdkExecution = {}): Promise<CallResult | ToolOutput> {
    return 'toolCallId' in how ? parts.execute(args, how) : spillway.call<string>(name, args, how);
  }
  return { ...tool, ...parts, execute };
}

/** @throws SpillwayError `invalid_argument` */
function expectSelection(selection: unknown): void {
  if (selection === undefined) return;
  const { names, filter } = isObject(selection) ? selection : {};
  const isList = Array.isArray(names) && names.every((name) => typeof name === 'string');
  if ((isList && filter === undefined) || (typeof filter === 'function' && names === undefined)) return;
  throw invalidArgument(
    'tools: It takes { names: [...] }, a list of texts, or { filter: (name, { id, rawName }) => boolean }.',
  );
}

function isWanted(
  selection: MixedToolsSelection | undefined,
  name: string,
  from: { readonly id: string; readonly rawName: string },
): boolean {
  if (selection === undefined) return true;
  return 'names' in selection ? selection.names.includes(name) : selection.filter(name, from);
}
