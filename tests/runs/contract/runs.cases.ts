import {
  NO_RUN,
  cancelledRun,
  endedRun,
  fails,
  ok,
  runOf,
  startRun,
  stoppedRun,
  type ToolCase,
  type OutputCase,
} from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('run_status', 'tells of a run that has ended', (tools) => runOf(tools, 'ends')),
  fails('run_status', 'run_not_found', { run_id: NO_RUN }),
  ok('run_output', 'pages a run that has ended', (tools) => runOf(tools, 'ends')),
  fails('run_output', 'run_not_found', { run_id: NO_RUN }),
  ok('run_cancel', 'cancels', (tools) => runOf(tools, 'waits')),
  fails('run_cancel', 'run_not_found', { run_id: NO_RUN }),
  ok('run_resume', 'answers the run id', async (tools) => ({ ...(await cancelledRun(tools)), async: true })),
  fails('run_resume', 'run_not_resumable', (tools) => runOf(tools, 'ends')),
  ok('run_list', 'lists the newest run', async (tools) => {
    await runOf(tools, 'ends');
    return { count: 1 };
  }),
  ok('run_log', 'tells what a run did', (tools) => runOf(tools, 'ends')),
  fails('run_log', 'run_not_found', { run_id: NO_RUN }),
];

export const outputCases: readonly OutputCase[] = [
  { tool: 'run_status', args: endedRun, has: 'status' },
  { tool: 'run_output', args: endedRun, has: 'content' },
  { tool: 'run_cancel', args: (tools) => startRun(tools, { render: 'always' }), has: 'status' },
  { tool: 'run_list', has: 'runs' },
  { tool: 'run_log', args: endedRun, has: 'lines' },
  {
    tool: 'run_resume',
    args: async (tools) => ({ ...(await stoppedRun(tools)), async: true }),
    has: 'run_id',
  },
];
