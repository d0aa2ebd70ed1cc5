import { SpillwayError } from '../../shared/errors.ts';
import { isObject } from '../../shared/json.ts';
import { parseEntry, trustAll, type UpstreamEntryInput } from '../upstream/index.ts';
import type { SpillwayOptions } from './options.ts';
import { assembleWithUpstreams, type Spillway } from './spillway.ts';
import type { CallOptions, CallResult, ListedTool } from './types.ts';

/** Longest time that the first list waits for servers that do not answer. */
const CONNECT_MS = 30_000;

/** A tool of one of the servers. */
export interface MixedTool extends ListedTool {
  /** Of the server that it is from. */
  readonly id: string;
  /** What that server calls it. */
  readonly rawName: string;
  /** Calls it: through the gate, redaction and the output policy. Absent with `disableAllExecutions`. */
  readonly execute?: (args?: unknown, options?: CallOptions) => Promise<CallResult>;
}

/** Which tools are wanted: by the names that models call them by, or by a function that sees both names. */
export type MixedToolsSelection =
  | { readonly names: readonly string[] }
  | {
      readonly filter: (
        name: string,
        from: {
          /** Of the server that it is from. */
          readonly id: string;
          /** What that server calls it. */
          readonly rawName: string;
        },
      ) => boolean;
    };

/** Options of {@link createMixedToolsClient}. */
export interface MixedToolsOptions extends SpillwayOptions {
  /** Tools have no `execute`: the program decides what is called. Default: false. */
  readonly disableAllExecutions?: boolean | undefined;
}

/** How a server is. */
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
   * The tools by their names, which begin with the id of their server. The first call waits until each server has
   * connected or failed once; one that is away has no tools then, and has them when it is back.
   *
   * @throws SpillwayError `session_closed` after `close`, also while it waits; `invalid_argument` for another selection
   */
  tools(selection?: MixedToolsSelection): Promise<Readonly<Record<string, MixedTool>>>;
  /** How each server is now, in the order in which they were given. They connect with the first `tools()`. */
  servers(): readonly MixedServer[];
  /** What the tools are called through. It has the tools that read handles: `spillway.tools.oc_output_fetch`. */
  readonly spillway: Spillway;
  /** Ends connections, and the processes that were started. */
  close(): Promise<void>;
}

/**
 * Mixes the tools of several servers: MCP servers by command or address, services by OpenAPI document. The caller chose them,
 * so their tools need no further approval.
 *
 * @throws SpillwayError `invalid_argument` for an entry or an option that does not fit
 */
export function createMixedToolsClient(
  servers: readonly UpstreamEntryInput[],
  { disableAllExecutions = false, ...options }: MixedToolsOptions = {},
): MixedToolsClient {
  if (!Array.isArray(servers))
    throw new SpillwayError('invalid_argument', 'createMixedToolsClient: servers: It takes a list.');
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
      if (!isClosed) await upstreams.settled(AbortSignal.timeout(CONNECT_MS));
      if (isClosed) throw new SpillwayError('session_closed', 'The client of mixed tools is closed.');
      const found = upstreams.all().flatMap(({ name, id, rawName }): MixedTool[] => {
        const listed = spillway.find(name);
        if (listed === undefined || !isWanted(selection, name, { id, rawName })) return [];
        const execute: MixedTool['execute'] = (args, how) => spillway.call<string>(name, args, how);
        return [{ ...listed, id, rawName, ...(disableAllExecutions ? {} : { execute }) }];
      });
      return Object.fromEntries(found.map((tool) => [tool.name, tool]));
    },
    servers: () => upstreams.report().map(({ id, state, problem, tools }) => ({ id, state, problem, tools })),
    spillway,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** @throws SpillwayError `invalid_argument` */
function expectSelection(selection: unknown): void {
  if (selection === undefined) return;
  const { names, filter } = isObject(selection) ? selection : {};
  const isList = Array.isArray(names) && names.every((name) => typeof name === 'string');
  if ((isList && filter === undefined) || (typeof filter === 'function' && names === undefined)) return;
  throw new SpillwayError(
    'invalid_argument',
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
