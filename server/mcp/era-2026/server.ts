import {
  ProtocolErrorCode,
  Server,
  type Result,
  type ServerContext,
  type ServerNotifier,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { buildInstructions } from '../../core/registry/registry.ts';
import { chooseTools } from '../../core/registry/session.ts';
import { faceCapabilities, serveFaces } from '../faces.ts';
import {
  answerRequest,
  ListParams,
  parseParams,
  RpcError,
  UriParams,
  type McpScope,
  type Channel,
  type McpServerOptions,
} from '../rpc.ts';
import { listTools } from '../tools.ts';
import { CallParams, callTool, missingTasks } from './calls.ts';
import { callerOf, TASKS_EXTENSION, takesTasks, sessionOfConnection } from './sessions.ts';
import { Changes, Era } from './era.ts';
import { buildCancelled } from '../../core/calls/call.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';

/** Lists change with upstreams and recipes, which `subscriptions/listen` reports. */
const LIST_CACHE = { ttlMs: 300_000, cacheScope: 'private' } as const;
const CACHES = {
  'tools/list': LIST_CACHE,
  'prompts/list': LIST_CACHE,
  'resources/list': LIST_CACHE,
  'resources/templates/list': LIST_CACHE,
  'server/discover': LIST_CACHE,
} as const;

const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills';

const TaskParams = z.object({ taskId: z.string() });
const UpdateParams = z.object({ taskId: z.string(), inputResponses: z.record(z.string(), z.unknown()) });

/**
 * An SDK server for a connection, or for one request over HTTP. The first request loads the handlers other
 * than those of tools, so that a start reads none of them.
 */
export function createServer(given: Era, selectors = given.options.selectors): Server {
  const era = { ...given, options: { ...given.options, ...(selectors === undefined ? {} : { selectors }) } };
  const { executor, version, logger } = era.options;
  const { registry } = executor;
  const names = (): readonly string[] => namesOf(era.options);
  const server = new Server(
    { name: 'spillway', title: 'Spillway', version },
    {
      capabilities: {
        tools: { listChanged: true },
        extensions: {
          [TASKS_EXTENSION]: {},
          ...(era.options.resources === undefined ? {} : { [SKILLS_EXTENSION]: {} }),
        },
        ...faceCapabilities(era.options),
      },
      instructions: buildInstructions(
        registry.mode,
        names().map((name) => registry.get(name)),
      ),
      cacheHints: CACHES,
    },
  );
  server.onerror = ({ name }) => logger.debug({ reason: name }, 'a client message was refused');
  const serve = serveOn(server, era);
  serve('tools/list', ListParams, async ({ cursor }, { session }) => {
    const list = listTools(era.options, names(), cursor);
    executor.meter.countSent(session, 'tools/list', JSON.stringify(list.tools));
    return era.sessions.haveHandles ? withHandles(list) : list;
  });
  // A handler of its own would have its parameters checked by the SDK, and could not answer with a task.
  server.fallbackRequestHandler = async ({ method, params = {} }, context) => {
    if (method !== 'tools/call') throw new RpcError(ProtocolErrorCode.MethodNotFound, 'Method not found');
    return callTool(era, parseParams(CallParams, params), context);
  };
  serveTasks(serve, era);
  serveSkills(serve, era.options);
  serveFaces(
    (method, params, answer) =>
      serve(method, params, (parsed, scope, { mcpReq }) => answer(parsed, scope, mcpReq.signal)),
    era.options,
    null,
  );
  return server;
}

/** Which tools are listed, apart from those that a session has selected. */
function namesOf({ executor: { registry }, selectors }: McpServerOptions): readonly string[] {
  const chosen = new Set(chooseTools(registry, selectors));
  return registry.all().flatMap(({ manifest: { name } }) => (chosen.has(name) ? [name] : []));
}

/** Each call may name its session, since there is no connection to identify it. */
const withHandles = (list: ReturnType<typeof listTools>): ReturnType<typeof listTools> => ({
  ...list,
  tools: list.tools.map((tool) => {
    const { properties = {} } = tool.inputSchema;
    if ('session' in properties) return tool;
    const inputSchema = { ...tool.inputSchema, properties: { ...properties, session: { type: 'string' } } };
    return { ...tool, inputSchema };
  }),
});

type Serve = <Params>(
  method: string,
  params: z.ZodType<Params>,
  answer: (params: Params, scope: McpScope, context: ServerContext) => Promise<Result>,
) => void;

/**
 * Serves methods other than `tools/call`. The parameters are parsed here, so that our codes report errors in
 * them.
 */
const serveOn =
  (server: Server, era: Era): Serve =>
  (method, params, answer) =>
    server.setRequestHandler(method, { params: z.looseObject({}) }, async (given, context) => {
      const { session, done } = era.sessions.borrow(callerOf(context));
      try {
        const scope = { session, options: era.options };
        return await answerRequest(scope, { params, given }, (parsed) => answer(parsed, scope, context));
      } finally {
        done();
      }
    });

function serveTasks(serve: Serve, { tasks }: Era): void {
  const serveTask = <Params>(method: string, params: z.ZodType<Params>, answer: (given: Params) => object) =>
    serve(method, params, async (given, _scope, context) => {
      if (!takesTasks(callerOf(context))) throw missingTasks();
      return { ...answer(given) };
    });
  serveTask('tasks/get', TaskParams, ({ taskId }) => tasks.get(taskId));
  serveTask('tasks/update', UpdateParams, (given) => tasks.update(given.taskId, given.inputResponses));
  serveTask('tasks/cancel', TaskParams, ({ taskId }) => tasks.cancel(taskId));
}

/** The skill of the commands; clients check the file that they read against its digest here. */
function serveSkills(serve: Serve, { resources }: McpServerOptions): void {
  if (resources === undefined) return;
  const readEntry = async () => {
    const { skillEntry } = await import('@modelcontextprotocol/server/ext/skills');
    return skillEntry('spillway', { 'SKILL.md': await resources.skill() });
  };
  serve('skills/list', ListParams, async () => ({ ...LIST_CACHE, skills: [await readEntry()] }));
  serve('skills/get', UriParams, async ({ uri }) => {
    const skill = await readEntry();
    if (skill.uri === uri) return { ...LIST_CACHE, skill };
    throw new SpillwayError('resource_not_found', `There is no skill ${JSON.stringify(uri.slice(0, 200))}.`, {
      hint: 'Call skills/list to see the available skills.',
    });
  });
}

/** Serves a connection. Returns a function that ends it. */
export async function serveChannel(
  channel: Channel,
  options: McpServerOptions,
): Promise<() => Promise<void>> {
  const gone = new AbortController();
  const sessions = sessionOfConnection(options, gone.signal);
  const era = new Era(options, sessions);
  const { session } = sessions.borrow({ client: undefined, handle: undefined });
  const report = ({ name }: Error): void =>
    options.logger.debug({ reason: name }, 'a client message was refused');
  let server: ReturnType<typeof createServer> | null = null;
  const handle = serveStdio(() => (server = createServer(era)), {
    transport: channel,
    legacy: 'reject',
    onerror: report,
  });
  // A disconnected client needs no notification.
  const sent = (sending: Promise<void> | undefined): void => void sending?.catch(() => undefined);
  const notify: ServerNotifier = {
    toolsChanged: () => sent(server?.sendToolListChanged()),
    promptsChanged: () => sent(server?.sendPromptListChanged()),
    resourcesChanged: () => sent(server?.sendResourceListChanged()),
    resourceUpdated: (uri) => sent(server?.sendResourceUpdated({ uri })),
  };
  const changes = new Changes(options, notify, { signal: gone.signal, picks: session.picks });
  const { onmessage, onclose } = channel;
  channel.onmessage = (message) => {
    if ('method' in message && 'id' in message) changes.listen(message.id, message);
    else if ('method' in message && message.method === 'notifications/cancelled')
      changes.leave(message.params?.['requestId']);
    onmessage?.(message);
  };
  // Before the SDK ends the requests: as far as it knows, the client has cancelled them.
  const leave = (): void => gone.abort(buildCancelled('the end of the connection'));
  channel.onclose = () => {
    leave();
    onclose?.();
    options.onClient(null);
  };
  return () => {
    leave();
    return handle.close();
  };
}
