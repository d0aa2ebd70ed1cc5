import { z } from 'zod';
import { ERRORS, toSpillwayError, type SpillwayError, type WireError } from '../../shared/base/errors.ts';
import { publicFields } from '../core/registry/definition.ts';
import { describeIssues, parseAs } from '../../shared/base/json-schema.ts';
import type { ClientSession } from '../core/context.ts';
import type { Executor } from '../core/calls/executor.ts';
import type { Logger, LogSource } from '../core/services.ts';
import type { Resources } from '../core/upstreams.ts';

/** Codes of errors, of JSON-RPC and of the protocol. */
export const RPC_CODE = {
  parseError: -32_700,
  invalidRequest: -32_600,
  invalidParams: -32_602,
  internalError: -32_603,
  resourceNotFound: -32_002,
  missingCapability: -32_021,
} as const;

// Messages of JSON-RPC as both eras have them, in schemas of ours: one era's server loads no SDK of the other.
export const Id = z.union([z.string(), z.int()]);
export type RequestId = z.infer<typeof Id>;
const jsonrpc = z.literal('2.0');
const Params = z.looseObject({ _meta: z.looseObject({ progressToken: Id.optional() }).optional() });
export const Request = z.strictObject({ jsonrpc, id: Id, method: z.string(), params: Params.optional() });
export const Notification = z.strictObject({ jsonrpc, method: z.string(), params: Params.optional() });
const Answer = z.strictObject({ jsonrpc, id: Id, result: z.looseObject({}) });
const ErrorAnswer = z.strictObject({
  jsonrpc,
  id: Id.optional(),
  error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
});
export const Response = z.union([Answer, ErrorAnswer]);
export type JSONRPCRequest = z.infer<typeof Request>;
export type JSONRPCErrorResponse = z.infer<typeof ErrorAnswer>;
/** A message that a client sends. */
export type Message = JSONRPCRequest | z.infer<typeof Notification> | z.infer<typeof Response>;

/** Fields of an error's `data` besides those of the protocol. */
interface ErrorData extends Readonly<Record<string, unknown>> {
  readonly error?: WireError;
}

/** An error in JSON-RPC's form. The SDK's own class would prefix each message. */
export class RpcError extends Error {
  override readonly name = 'RpcError';

  constructor(
    readonly code: number,
    message: string,
    readonly data?: ErrorData,
  ) {
    super(message);
  }
}

/** -32602 with the name of the invalid parameter. */
export const invalidParams = (message: string, data?: ErrorData): RpcError =>
  new RpcError(RPC_CODE.invalidParams, message, data);

const NOT_FOUND = ['output_handle_not_found', 'run_not_found', 'resource_not_found'];

/** Makes a JSON-RPC error from anything that a handler threw, with one of our codes in its data. */
function toRpcError(thrown: unknown, uri: unknown, { options, session }: McpScope): RpcError {
  if (thrown instanceof RpcError) return thrown;
  const raw = toSpillwayError(thrown);
  const error = raw.quotes === undefined ? raw : markUntrusted(raw, options);
  const wire = { ...error.toWire(), hint: options.executor.fitHint(error.hint, session) };
  if (NOT_FOUND.includes(error.code))
    return new RpcError(RPC_CODE.resourceNotFound, error.message, { uri: String(uri), error: wire });
  return ERRORS[error.code].fault === 'caller'
    ? invalidParams(error.message, { error: wire })
    : new RpcError(RPC_CODE.internalError, error.message, { error: wire });
}

/** An error that quotes another program: it has no blocks, so its message has the marks of a result's blocks. */
function markUntrusted(error: SpillwayError, { executor }: McpServerOptions): SpillwayError {
  const { content, error: shown } = executor.refusal(error);
  const texts: string[] = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  // The first of several is a fence.
  const place = texts.length > 2 ? 1 : 0;
  return error.with({ message: texts.with(place, shown?.message ?? '').join('\n') });
}

export const describeParams = (error: Pick<z.ZodError, 'issues'>): string =>
  describeIssues(error.issues.slice(0, 5), 'params');

/** Parses parameters. @throws RpcError -32602 that names the errors */
export function parseParams<Params>(schema: z.ZodType<Params>, given: unknown): Params {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw invalidParams(`${describeParams(parsed.error)}.`);
}

/**
 * Answers a request: parameters are parsed here, the answer passes the public-fields filter, and each failure
 * becomes a JSON-RPC error with one of our codes.
 */
export async function answerRequest<Params, Answer extends object>(
  scope: McpScope,
  { params, given }: { readonly params: z.ZodType<Params>; readonly given: unknown },
  answer: (params: Params) => Promise<Answer>,
): Promise<Answer> {
  try {
    const { widgets } = scope.options.executor.registry.mode;
    return publicFields(await answer(parseParams(params, given)), widgets);
  } catch (thrown) {
    const { uri } = z.object({ uri: z.unknown() }).catch({ uri: undefined }).parse(given);
    throw toRpcError(thrown, uri, scope);
  }
}

const Cursor = z.strictObject({
  list: z.string(),
  /** Key of the last entry on the page. */
  after: z.string(),
  /** The number of entries so far: where to continue if that entry no longer exists. */
  given: z.int().min(1),
});

/** `cursor`, and anything else that a client sends. */
export const ListParams = z.object({ cursor: z.string().max(2_048).optional() });

export const UriParams = z.object({ uri: z.string().max(4_096) });

/** Entries of one page. Lists up to this length are one page, for clients that ignore cursors. */
const PAGE_ENTRIES = 100;

/**
 * One page of a list. A cursor names the entry before the page, so that an entry that joins the list behind
 * it neither repeats nor hides another.
 * @throws RpcError -32602 for a cursor that this list never gave
 */
export function cutPage<T>(
  entries: readonly T[],
  page: {
    /** Names the list: a cursor of another one is refused. */
    readonly list: string;
    readonly keyOf: (entry: T) => string;
    readonly cursor: string | undefined;
    readonly size?: number;
  },
): { readonly page: readonly T[]; readonly next: { readonly nextCursor?: string } } {
  const { list, keyOf, cursor, size = PAGE_ENTRIES } = page;
  let start = 0;
  if (cursor !== undefined) {
    const { after, given } = readCursor(list, cursor);
    const last = entries.findIndex((entry) => keyOf(entry) === after);
    // After the last one was removed, the next one has moved up.
    start = last === -1 ? given - 1 : last + 1;
  }
  const cut = entries.slice(start, start + size);
  const last = cut.at(-1);
  if (last === undefined || start + size >= entries.length) return { page: cut, next: {} };
  const end = { list, after: keyOf(last), given: start + cut.length };
  return { page: cut, next: { nextCursor: Buffer.from(JSON.stringify(end)).toString('base64url') } };
}

function readCursor(list: string, cursor: string): z.infer<typeof Cursor> {
  const parsed = parseAs(Cursor, Buffer.from(cursor, 'base64url').toString('utf8'));
  if (parsed?.list === list) return parsed;
  throw invalidParams(`cursor: unknown for ${list}; start without a cursor.`);
}

/** The first revision without sessions. All earlier ones begin with `initialize`. */
const ERA_2026 = '2026-07-28';
const REVISION = /^\d{4}-\d\d-\d\d$/;

/** Each request of the new era names its revision; its adapter checks which. */
const Claim = z.object({
  params: z.object({ _meta: z.looseObject({ 'io.modelcontextprotocol/protocolVersion': z.unknown() }) }),
});
const Named = z.object({ method: z.string() });

/**
 * Whether a message belongs to the revisions from 2026-07-28 on: by its own fields, or over HTTP also by its
 * `MCP-Protocol-Version`. A message without either belongs to the revisions with sessions.
 */
export function isOfEra2026(message: unknown, version = ''): boolean {
  if (REVISION.test(version) && version >= ERA_2026) return true;
  const method = Named.safeParse(message).data?.method;
  const claim = Claim.safeParse(message).data?.params._meta;
  if (claim !== undefined && 'io.modelcontextprotocol/protocolVersion' in claim) return true;
  return method === 'server/discover';
}

/** Of a stored output. */
export const outputUri = (handle: string): string => `spillway://output/${handle}`;

export interface McpServerOptions {
  readonly executor: Executor;
  readonly version: string;
  readonly logger: Logger;
  /** Tools and categories that this session lists; default: those of the server. */
  readonly selectors?: readonly string[];
  /** Stored outputs, runs and widgets. Without them, no resources are served. */
  readonly resources?: Resources;
  readonly logs?: LogSource;
  /** Called when a client has identified itself, and when it has disconnected. */
  readonly onClient: (client: { readonly name: string; readonly version: string } | null) => void;
  /** Called with work that continues after its request is answered: tasks, and calls that wait for approval. */
  readonly onWork?: (pending: Promise<unknown>) => void;
}

/** The session of a request, and the server's options. */
export interface McpScope {
  readonly session: ClientSession;
  readonly options: McpServerOptions;
}

/** The connection, for the adapter of one era. */
export class Channel {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: Message) => void;
  /** The client has switched to the other era: no more messages of this one are sent. */
  isLeft = false;

  constructor(
    private readonly wire: {
      readonly send: (message: Message) => Promise<void>;
      readonly close: () => Promise<void>;
    },
  ) {}

  /** The channel's maker has already started the wire. */
  async start(): Promise<void> {}

  async send(message: Message): Promise<void> {
    if (!this.isLeft) await this.wire.send(message);
  }

  async close(): Promise<void> {
    if (this.isLeft) this.onclose?.();
    else await this.wire.close();
  }
}
