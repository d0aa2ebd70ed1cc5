import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { measureBare } from '../lib/bare-browser.mjs';
import { serveOnLoopback } from '../lib/loopback.mjs';
import { McpClient, textOf } from '../lib/mcp-client.mjs';
import { cpuByRole } from '../lib/processes.mjs';
import { inFolder } from '../lib/runs.mjs';
import { PEERS, SPILLWAY } from '../lib/servers.mjs';
import { formatNumber, median, sum } from '../lib/stats.mjs';
import { tokensOf } from '../lib/tokens.mjs';

const TIMEOUT_MS = 60_000;
const ROUNDS = 7;
/** One act a second. */
const FILMED_ACTS = 12;
const PAGE = `<title>Mill</title><body style="margin:0"><canvas width=300 height=200></canvas><p id=said>none</p><input value="four sails">
  <a id=file href="/file" download="sails.csv">Save</a><script>
  localStorage.sails = '4'; window.sails = 'four sails';
  document.querySelector('canvas').onclick = ({ offsetX: x, offsetY: y }) => { said.textContent = 'at ' + x + ',' + y; };
</script>`;

const eval_ = (code) => [
  ['evaluate', { code }],
  ['browser_evaluate', { function: code }],
  ['evaluate_script', { pageId: 1, function: code }],
];

/**
 * One job each: the calls of Spillway, of @playwright/mcp and of chrome-devtools-mcp, null where a server has no tool for it, and what
 * the last answer has, or the page afterwards.
 */
const JOBS = [
  {
    title: 'value of a function in the page',
    calls: eval_('() => window.localStorage.sails').map((one) => [one]),
    answer: /4/,
  },
  {
    title: 'phone with touch, in dark mode',
    calls: [
      [['emulate', { device: 'phone', color_scheme: 'dark' }]],
      [
        ['browser_resize', { width: 412, height: 915 }],
        ['browser_emulate_media', { colorScheme: 'dark' }],
      ],
      [['emulate', { pageId: 1, viewport: '412x915x2.625,mobile,touch', colorScheme: 'dark' }]],
    ],
    page: [
      "() => `${screen.width < 500 || innerWidth < 500} ${matchMedia('(prefers-color-scheme: dark)').matches}`",
      /true true/,
    ],
  },
  {
    title: 'Tokyo as time zone and place',
    calls: [
      [['emulate', { timezone: 'Asia/Tokyo', geolocation: { latitude: 35.7, longitude: 139.7 } }]],
      null,
      null,
    ],
    page: ['() => Intl.DateTimeFormat().resolvedOptions().timeZone', /Tokyo/],
  },
  {
    title: 'cookies and their attributes',
    calls: [[['storage', { area: 'cookies' }]], [['browser_cookie_list', {}]], null],
    answer: /auth/,
  },
  {
    title: 'set an entry of localStorage',
    calls: [
      [['storage', { action: 'set', area: 'local', name: 'vanes', value: '6' }]],
      [['browser_localstorage_set', { key: 'vanes', value: '6' }]],
      [['evaluate_script', { pageId: 1, function: "() => { localStorage.vanes = '6'; }" }]],
    ],
    page: ['() => localStorage.vanes', /6/],
  },
  {
    title: 'export the state of the site',
    calls: [
      [['storage', { action: 'export', file: 'mill.state', key: 'secret:KEY', overwrite: true }]],
      [['browser_storage_state', {}]],
      null,
    ],
    answer: /saved_as|\.json/,
  },
  {
    title: 'answer requests of the page',
    calls: [
      [['intercept', { action: 'add', url: '/data', answer: { status: 202, body: 'mocked' } }]],
      [['browser_route', { pattern: '**/data', status: 202, body: 'mocked' }]],
      null,
    ],
    page: ["() => fetch('/data').then((answer) => answer.text())", /mocked/],
  },
  { title: 'page as PDF', calls: [[['page_pdf', {}]], [['browser_pdf_save', {}]], null], answer: /pdf/ },
  {
    title: 'why a page is slow',
    calls: [[['trace', {}]], null, [['performance_start_trace', { pageId: 1, ignoreCache: true }]]],
    answer: /lcp/i,
  },
  {
    title: 'save what a link downloads',
    calls: [
      [
        ['interact', { steps: ['click css=#file'] }],
        ['downloads', { action: 'wait' }],
      ],
      [['browser_click', { element: 'Save', target: '#file' }]],
      null,
    ],
    answer: /sails/,
  },
  {
    title: 'click at a point of a canvas',
    calls: [
      [['interact', { steps: ['click at 60,40'] }]],
      [['browser_mouse_click_xy', { x: 60, y: 40 }]],
      [['click_at', { pageId: 1, x: 60, y: 40 }]],
    ],
    page: ['() => document.querySelector("#said").textContent', /at 60,40/],
  },
  {
    title: 'write the clipboard, and read it',
    calls: [
      [
        ['clipboard', { action: 'write', text: 'four sails' }],
        ['clipboard', {}],
      ],
      [
        ['browser_evaluate', { function: "() => navigator.clipboard.writeText('four sails')" }],
        ['browser_evaluate', { function: '() => navigator.clipboard.readText()' }],
      ],
      null,
    ],
    answer: /four sails/,
  },
  {
    title: 'faults of accessibility',
    calls: [[['audit', {}]], null, [['lighthouse_audit', { pageId: 1, mode: 'snapshot' }]]],
    answer: /label/i,
  },
  {
    title: 'video of a click',
    calls: [
      [
        ['record_video', { action: 'start' }],
        ['interact', { steps: ['click at 60,40'] }],
        ['record_video', { action: 'stop' }],
      ],
      [
        ['browser_start_video', {}],
        ['browser_click', { element: 'Mill', target: 'canvas' }],
        ['browser_stop_video', {}],
      ],
      [
        ['screencast_start', { pageId: 1 }],
        ['click_at', { pageId: 1, x: 60, y: 40 }],
        ['screencast_stop', { pageId: 1 }],
      ],
    ],
    answer: /webm|mp4/,
  },
];

/** Flags for tools that each server does not offer by itself. */
const MORE = {
  spillway: (home) => ['--download-root', home, '--secrets', join(home, 'secrets.env')],
  'playwright-mcp': () => [
    '--caps=network,storage,pdf,vision,devtools',
    '--grant-permissions=clipboard-read,clipboard-write',
  ],
  'chrome-devtools-mcp': () => ['--experimentalVision'],
};

/**
 * Costs of the rest of a browser: the same jobs by each server, in calls, tokens and time.
 * @type {import('../lib/report.mjs').Part}
 */
export async function measure({ say, browser }) {
  const site = await serveOnLoopback(({ url = '' }, response) => {
    const file = url.startsWith('/file') && { 'content-disposition': 'attachment; filename="sails.csv"' };
    response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'auth=four; HttpOnly', ...file });
    response.end(url === '/' ? PAGE : 'mill,4\n');
  });
  const url = `${site.origin}/`;
  const results = [];
  try {
    for (const [at, server] of [SPILLWAY, ...PEERS].entries())
      results.push(await inFolder((home) => measureServer({ server, at, url, browser, say, home })));
    say('bare browser');
    const bare = await measureBare({ url, executablePath: browser, rounds: ROUNDS });
    const [{ jobs, filming }] = results;
    const ratios = [
      ['trace of a cold load', jobs['why a page is slow'].ms, bare.trace],
      ['audit', jobs['faults of accessibility'].ms, bare.audit],
    ];
    return {
      tables: [table(results), bareTable(ratios, filming)],
      bounds:
        filming === null
          ? []
          : [
              {
                name: 'record_video: of a core, one act a second',
                value: filming.filmed - filming.acts,
                unit: '%',
                most: 5,
              },
            ],
      results,
    };
  } finally {
    await site.close();
  }
}

async function measureServer({ server, at, url, browser, say, home }) {
  writeFileSync(join(home, 'secrets.env'), 'KEY=four-sails-in-the-wind\n', { mode: 0o600 });
  const { command, args, env } = server.start({ home, browser });
  const client = new McpClient({ command, args: [...args, ...MORE[server.id](home)], env, cwd: home });
  const call = async (tool, given) => textOf(await client.call(tool, given, TIMEOUT_MS));
  try {
    await client.initialize(TIMEOUT_MS);
    const { tools } = await client.request('tools/list', {}, TIMEOUT_MS);
    const jobs = {};
    for (const { title, calls, answer, page } of JOBS) {
      say(`${server.name}: ${title}`);
      if (calls[at] === null) continue;
      const open = server.open(url);
      await call(open.tool, open.args);
      const asked = { call, calls: calls[at], answer, page: page && [eval_(page[0])[at], page[1]] };
      // A peer may lack a program that it does not bring along.
      jobs[title] = await job(asked).catch(({ message }) => ({ failure: message }));
    }
    const found = at > 0 ? null : await call('find_tools', { query: 'emulate a phone' });
    const filming = at > 0 ? null : await film(call, client.pid);
    return {
      ...{ name: server.name, list: tokensOf(JSON.stringify(tools)), find: found && tokensOf(found) },
      ...{ jobs, filming },
    };
  } finally {
    await client.close();
  }
}

/** Percent of a core that server and browser take for acts alone, and filmed; null where the system does not tell. */
async function film(call, pid) {
  const acting = async () => {
    const [before, began] = [cpuByRole(pid), performance.now()];
    if (before === null) return null;
    for (let at = 1; at <= FILMED_ACTS; at += 1) {
      const step =
        at % 2 === 0
          ? { do: 'click', target: 'css=canvas' }
          : { do: 'fill', target: 'css=input', value: `${at}` };
      await call('interact', { steps: [step] });
      await delay(Math.max(0, began + at * 1_000 - performance.now()));
    }
    const after = cpuByRole(pid);
    const spentMs = sum(Object.keys(after), (role) => after[role] - (before[role] ?? 0));
    return (100 * spentMs) / (performance.now() - began);
  };
  const acts = await acting();
  if (acts === null) return null;
  await call('record_video', { action: 'start' });
  const filmed = await acting();
  await call('record_video', { action: 'stop' });
  return { acts, filmed };
}

async function job({ call, calls, answer = /(?:)/, page }) {
  const times = [];
  let tokens = 0;
  let text = '';
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    for (const [tool, args] of calls) {
      text = await call(tool, args);
      // Later rounds have the rules and files of earlier ones in their answers.
      if (round === 0) tokens += tokensOf(JSON.stringify(args)) + tokensOf(text);
    }
    times.push(performance.now() - began);
  }
  const seen = page === undefined ? '' : await call(...page[0]);
  const isDone = answer.test(text) && (page === undefined || page[1].test(seen));
  return { calls: calls.length, tokens, ms: median(times), isDone };
}

function table(results) {
  const cell = (done) =>
    done === undefined
      ? 'no tool'
      : done.failure !== undefined
        ? 'failed'
        : `${done.calls > 1 ? `${done.calls} calls, ` : ''}${formatNumber(done.ms)} ms, ${done.tokens} tok${done.isDone ? '' : ' (not done)'}`;
  const counted = ({ list }) => `${list.toLocaleString('en-US')} tok`;
  const [spillway] = results;
  return {
    title: 'The rest of a browser: the same job by each server',
    head: ['job', ...results.map(({ name }) => name)],
    rows: [
      ['tools/list with these tools', ...results.map(counted)],
      ...JOBS.map(({ title }) => [title, ...results.map(({ jobs }) => cell(jobs[title]))]),
    ],
    note: `Median of ${ROUNDS} rounds on an open page; tokens of arguments and answers. Spillway does not list these tools: finding one costs ${spillway.find} tokens once. @playwright/mcp has more capabilities switched on, and the permission for the clipboard given at the start.`,
  };
}

function bareTable(ratios, filming) {
  const percent = (value) => `${value.toFixed(1)} %`;
  return {
    title: 'Traces, audits and videos next to what the browser takes',
    head: ['job', 'Spillway', 'bare', 'ratio'],
    rows: [
      ...ratios.map(([title, ms, bareMs]) => [
        title,
        `${formatNumber(ms)} ms`,
        `${formatNumber(bareMs)} ms`,
        `${(ms / bareMs).toFixed(2)} ×`,
      ]),
      ...(filming === null
        ? []
        : [['a core, one act a second, filmed', percent(filming.filmed), percent(filming.acts), '']]),
    ],
    note: 'Bare: the same categories, the same reload and the same wait of two seconds without an analysis; axe-core as it comes, with all of its rules; the acts without a video. A video is 800 pixels wide.',
  };
}
