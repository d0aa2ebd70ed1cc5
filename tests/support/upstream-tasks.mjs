/*
 * An MCP server on stdio whose tools are tasks, written without an SDK: `node upstream-tasks.mjs [flag…]`. Flags:
 * `quiet` sends no updates. Requests about tasks are logged to stderr.
 */
import { ask, onMessage, opening, send, text, tool } from './mcp-on-stdio.mjs';

const flags = process.argv.slice(2);
const related = (taskId) => ({ 'io.modelcontextprotocol/related-task': { taskId } });
const refusal = (message) => ({ error: { code: -32_602, message } });

const tasks = new Map();
const waiting = new Map();

const shown = ({ taskId, status, statusMessage, lastUpdatedAt }) => ({
  taskId,
  status,
  ...(statusMessage === undefined ? {} : { statusMessage }),
  createdAt: '2026-11-20T10:00:00Z',
  lastUpdatedAt,
  ttl: null,
  pollInterval: flags.includes('quiet') ? 50 : 60_000,
});

function update(task, status, statusMessage) {
  if (['completed', 'failed', 'cancelled'].includes(task.status)) return;
  const lastUpdatedAt = `2026-11-20T10:00:${String((task.changes += 1)).padStart(2, '0')}Z`;
  Object.assign(task, { status, statusMessage, lastUpdatedAt });
  if (!flags.includes('quiet')) send({ method: 'notifications/tasks/status', params: shown(task) });
}

function end(task, status, answer, statusMessage) {
  task.answer = answer;
  update(task, status, statusMessage);
  for (const answerTo of waiting.get(task.taskId) ?? []) answerTo();
}

const work = {
  works: (task, { value }, token) => {
    update(task, 'working', 'half of it');
    const params = { progressToken: token, progress: 0.5, total: 1, message: 'half' };
    send({ method: 'notifications/progress', params });
    end(task, 'completed', { result: text(value ?? 'done', { _meta: related(task.taskId) }) });
  },
  asks: (task) => {
    update(task, 'input_required');
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
    task.question = { message: 'Who?', requestedSchema };
  },
  never: () => undefined,
};
const MODES = { plain: 'forbidden' };

function begin({ name, arguments: args, _meta: meta }) {
  const task = {
    taskId: `t${tasks.size + 1}`,
    status: 'working',
    changes: 0,
    lastUpdatedAt: '2026-11-20T10:00:00Z',
  };
  tasks.set(task.taskId, task);
  setImmediate(() => (work[name] ?? work.works)(task, args, meta?.progressToken));
  return { result: { task: shown(task) } };
}

async function question(task) {
  const params = { ...task.question, _meta: related(task.taskId) };
  task.question = undefined;
  const { result } = await ask('elicitation/create', params);
  update(task, 'working', 'continues');
  end(task, 'completed', { result: text(JSON.stringify(result)) });
}

function resultOf(task, answer) {
  if (task.question !== undefined) void question(task);
  if (task.answer !== undefined) return answer(task.answer);
  waiting.set(task.taskId, [...(waiting.get(task.taskId) ?? []), () => answer(task.answer)]);
}

const listed = (name) => tool(name, { execution: { taskSupport: MODES[name] ?? 'required' } });
const CAPABILITIES = { tools: {}, tasks: { cancel: {}, requests: { tools: { call: {} } } } };

const methods = {
  initialize: (params) => ({ result: opening('tasks', CAPABILITIES)(params) }),
  'tools/list': () => ({ result: { tools: [...Object.keys(work), ...Object.keys(MODES)].map(listed) } }),
  'tools/call': (params) => {
    const isTask = params.task !== undefined;
    process.stderr.write(`call ${params.name} ${isTask ? 'as a task' : 'plainly'}\n`);
    return isTask ? begin(params) : { result: text(params.arguments.value ?? 'done') };
  },
};

onMessage(({ id, method, params }) => {
  if (id === undefined) return;
  const answer = (what) => send({ id, ...what });
  if (!method.startsWith('tasks/')) return answer(methods[method]?.(params) ?? { result: {} });
  const task = tasks.get(params.taskId);
  process.stderr.write(`${method} ${params.taskId}\n`);
  if (task === undefined) return answer(refusal('Task not found'));
  if (method === 'tasks/result') return resultOf(task, answer);
  if (method === 'tasks/cancel') end(task, 'cancelled', refusal('cancelled'));
  answer({ result: shown(task) });
});
