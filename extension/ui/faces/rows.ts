import { FETCH_BOUNDS } from '../../../shared/core/fetch-limits.ts';
import { stepLine } from '../../act/panel/face-steps.ts';
import type { Rows } from './face.ts';

const RUN = { about: ['run_id'] };

/** The first line that is not empty. */
const firstLine = (code: string): string => code.trim().split('\n', 1).join('').trimEnd();

/** By tool: the line of a call, its form, and the placeholder of its answer. */
export const ROWS = {
  console: { about: ['text', 'tab'], tags: [{ wordOf: 'level' }, 'since'] },
  crawl: {
    about: ['url', 'sitemap', 'resume'],
    tags: ['scope', 'find'],
    render: async () => (await import('../../crawl/panel/face.tsx')).Crawl,
    portal: async () => (await import('../../crawl/panel/face.tsx')).CrawlPortal,
    streams: true,
    form: ({ scope }) => [
      { kind: 'text', path: ['url'], label: 'url' },
      { kind: 'lines', path: ['urls'], label: 'urls' },
      { kind: 'text', path: ['sitemap'], label: 'sitemap' },
      { kind: 'number', path: ['max_pages'], label: 'maxPages', least: 1, most: 1_000_000 },
      { kind: 'number', path: ['max_depth'], label: 'maxDepth', least: 0, most: 1_000 },
      scope === 'origin' || scope === 'host'
        ? { kind: 'choice', path: ['scope'], label: 'scope', choices: ['origin', 'host'] }
        : { kind: 'text', path: ['scope'], label: 'scopeGlob' },
      { kind: 'lines', path: ['include'], label: 'include' },
      { kind: 'lines', path: ['exclude'], label: 'exclude' },
      { kind: 'check', path: ['respect_robots'], label: 'robots' },
    ],
  },
  dialog: {
    about: ['text', 'tab'],
    tags: [{ wordOf: 'action' }],
    form: () => [
      { kind: 'choice', path: ['action'], label: 'action', choices: ['accept', 'dismiss'] },
      { kind: 'text', path: ['text'], label: 'text' },
    ],
  },
  extract_data: {
    about: ['scope', 'run', 'tab'],
    render: async () => (await import('../../extract/panel/face.tsx')).Records,
    streams: true,
    form: () => [
      { kind: 'text', path: ['run'], label: 'run' },
      { kind: 'text', path: ['scope'], label: 'scope' },
      { kind: 'check', path: ['multiple'], label: 'multiple' },
      { kind: 'number', path: ['paginate', 'max_pages'], label: 'maxPages', least: 1, most: 1_000 },
    ],
  },
  fetch: {
    about: ['url'],
    tags: [{ of: 'pages', say: 'pages' }, { wordOf: 'as' }],
    form: () => [
      { kind: 'text', path: ['url'], label: 'url' },
      { kind: 'text', path: ['pages'], label: 'pages' },
      { kind: 'number', path: ['max_bytes'], label: 'maxBytes', least: 1, most: FETCH_BOUNDS.bytesMax },
    ],
  },
  find: {
    about: ['query', 'name', 'text', 'label', 'placeholder', 'css', 'xpath', 'test_id', 'tab'],
    tags: ['role'],
  },
  html_skeleton: { about: ['selector', 'tab'] },
  interact: {
    line: stepLine,
    render: async () => (await import('../../act/panel/face.tsx')).Done,
    intervention: async () => (await import('../../act/panel/face.tsx')).StepsForm,
  },
  navigate: {
    about: ['url', 'tab'],
    tags: [{ wordOf: 'action' }],
    form: () => [{ kind: 'text', path: ['url'], label: 'url' }],
  },
  network: {
    about: ['since_act', 'tab'],
    tags: [{ wordOf: 'action' }, 'format'],
    render: async () => (await import('../../network/panel/face.tsx')).Network,
    portal: async () => (await import('../../network/panel/face.tsx')).NetworkPortal,
    // A default is a choice of the agent, too.
    defaults: ({ action }) => (action === 'start' ? { bodies: 'text' } : {}),
    form: () => [{ kind: 'choice', path: ['bodies'], label: 'bodies', choices: ['none', 'text', 'all'] }],
    // The line already tells that a capture began or ended.
    closes: ['state'],
  },
  read_page: {
    about: ['find', 'selector', 'ref', 'tab'],
    tags: [
      { wordOf: 'format' },
      { of: 'main_content_only', is: true, say: 'main' },
      { of: 'interactive_only', is: true, say: 'controls' },
      { of: 'diff', is: true, say: 'changes' },
    ],
  },
  screenshot: { about: ['selector', 'ref', 'tab'], tags: [{ wordOf: 'area' }, { wordOf: 'as' }] },
  tabs: {
    about: ['url', 'tab'],
    tags: [{ wordOf: 'action' }, 'container'],
    // The line already tells that a tab was closed or activated; a newly opened page is shown.
    closes: ['closed', 'activated'],
  },
  wait_for: {
    about: ['text', 'text_gone', 'target', 'target_gone', 'url', 'tab'],
    tags: [
      { of: 'text_gone', say: 'gone' },
      { of: 'target_gone', say: 'gone' },
      { of: 'load', is: true, say: 'load' },
      { of: 'download', is: true, say: 'download' },
      { of: 'network_idle', is: true, say: 'idle' },
      { wordOf: 'mode' },
    ],
    // Only missing parts need words: the line names the others.
    closes: ['met'],
    opens: ['missing'],
  },
  docs_search: { about: ['query'] },
  docs_fetch: { about: ['page'] },
  find_tools: { about: ['query'] },
  oc_connection_health: {},
  oc_evidence_bundle: {
    about: ['case_reference', 'captured_by', 'tab'],
    tags: ['format', { of: 'reload', is: true, say: 'reload' }],
  },
  oc_journal: {
    about: ['tool'],
    tags: [{ wordOf: 'action' }, 'since'],
    // The timeline around it has the same lines; only totals are new.
    closes: ['items'],
  },
  oc_output_fetch: { about: ['output_handle'], tags: [{ of: 'offset', say: 'from' }, 'format'] },
  oc_output_query: {
    about: ['search', 'regex', 'where', 'jmespath', 'output_handle'],
    tags: [
      { of: 'schema', is: true, say: 'schema' },
      { of: 'stats', is: true, say: 'stats' },
      { of: 'diff', say: 'diff' },
      { of: 'sort', say: 'sortedBy' },
    ],
  },
  output_keep: { about: ['output_handle', 'note'], tags: [{ of: 'keep', is: false, say: 'release' }] },
  output_list: { about: ['text'], tags: ['tool'] },
  output_schema: { about: ['output_handle'] },
  recipe_search: { about: ['query'] },
  recipe_get: { about: ['name'] },
  recipe_run: { about: ['name'] },
  recipe_save: { tags: [{ of: 'replace', is: true, say: 'replaces' }] },
  recipe_export: { about: ['name'], tags: ['as'] },
  recipe_delete: { about: ['name'] },
  request_human_input: { about: ['message', 'tab'], tags: [{ wordOf: 'type' }], awaits: 'waiting' },
  resume_call: { about: ['id'] },
  run_status: RUN,
  run_output: { about: ['run_id'], tags: [{ of: 'offset', say: 'from' }], streams: true },
  run_cancel: RUN,
  run_resume: { ...RUN, streams: true },
  run_list: { about: ['status'] },
  run_log: { about: ['run_id'], tags: ['since'] },
  script: { line: ({ args: { code } }) => ({ about: [typeof code === 'string' && firstLine(code)] }) },
  page_tools: { about: ['tab'] },
  page_tool_call: { about: ['name', 'tab'] },
  evaluate: { line: ({ args: { code } }) => ({ about: [typeof code === 'string' && firstLine(code)] }) },
  page_pdf: { about: ['pages', 'tab'], tags: ['paper'] },
  emulate: { about: ['device', 'tab'], tags: ['color_scheme', 'locale', 'timezone', 'network'] },
  storage: { about: ['name', 'area', 'tab'], tags: ['action'] },
  intercept: { about: ['url', 'tab'], tags: ['action'] },
  downloads: { about: ['save_as', 'tab'], tags: ['action'] },
  clipboard: { about: ['text', 'tab'], tags: ['action'] },
  trace: { about: ['action', 'tab'], tags: ['cache'] },
  audit: { about: ['scope', 'tab'], tags: ['level'] },
  picked: { about: ['picture'] },
  record_video: { about: ['action', 'tab'], tags: ['format'] },
  inspect: { about: ['ref', 'request', 'tab'] },
} satisfies Rows;
