import { catalogue, type Texts } from '../languages.ts';

/** The words of each tool: its title, and the lines of its apis. */
const tools = {
  console: {
    apiName: { console: 'Console' },
    inspector: { info: 'info and above', warning: 'warnings and errors', error: 'errors' },
  },
  crawl: {
    apiName: { crawl: 'Crawl' },
    form: {
      url: 'Start address',
      urls: 'Start addresses, one per line',
      sitemap: 'Sitemap',
      maxPages: 'Maximum pages',
      maxDepth: 'Maximum links from the start',
      scope: 'What it may reach',
      origin: 'The sites that it starts at',
      host: 'These sites and their subdomains',
      scopeGlob: 'It may reach addresses like',
      include: 'Only addresses like these, one per line',
      exclude: 'No addresses like these, one per line',
      robots: 'Skip pages that robots.txt asks programs not to read',
    },
  },
  dialog: {
    apiName: { dialog: 'Answer dialog' },
    inspector: { accept: 'accept', dismiss: 'dismiss' },
    form: { action: 'Button', accept: 'OK', dismiss: 'Cancel', text: 'Text to type' },
  },
  docs: { apiName: { docs_search: 'Search documentation', docs_fetch: 'Read documentation' } },
  extract_data: {
    apiName: { extract_data: 'Extract data' },
    form: {
      run: 'The crawl whose pages are read',
      scope: 'Part of the page',
      multiple: 'All records, not only one',
      maxPages: 'Maximum pages',
    },
  },
  fetch: {
    apiName: { fetch: 'Fetch file' },
    inspector: { pages: (pages: string) => `pages ${pages}`, bytes: 'as bytes' },
    form: { url: 'Address', pages: 'Pages of a PDF', maxBytes: 'Maximum bytes' },
  },
  find: { apiName: { find: 'Find elements' } },
  find_tools: { apiName: { find_tools: 'Find tools' } },
  html_skeleton: { apiName: { html_skeleton: 'HTML skeleton' } },
  interact: {
    apiName: { interact: 'Interact' },
    inspector: {
      verbs: {
        click: 'Click',
        double_click: 'Double-click',
        right_click: 'Right-click',
        tap: 'Tap',
        hover: 'Point at',
        fill: 'Fill',
        type: 'Type into',
        press: 'Press keys in',
        select: 'Choose in',
        check: 'Check',
        uncheck: 'Uncheck',
        drag: 'Drag',
        scroll: 'Scroll',
        wheel: 'Turn the wheel over',
        pinch: 'Pinch',
        upload: 'Upload to',
        focus: 'Focus',
        clear: 'Clear',
        submit: 'Submit',
        wait: 'Wait',
        dialog: 'Answer the dialog:',
      },
      verbsAlone: { press: 'Press keys', wheel: 'Turn the wheel' },
      snapshot: 'then a snapshot',
    },
    form: {
      step: (at: number) => `Step ${at}`,
      remove: (at: number) => `Remove step ${at}`,
      add: 'Add a step',
    },
  },
  navigate: {
    apiName: { navigate: 'Navigate' },
    inspector: { back: 'back', forward: 'forward', reload: 'reload' },
    form: { url: 'Address' },
  },
  network: {
    apiName: { network: 'Network' },
    inspector: { start: 'start', stop: 'stop', slice: 'requests', clear: 'clear', status: 'status' },
    form: {
      bodies: 'Bodies to keep',
      none: 'Nothing',
      text: 'Text, such as JSON and forms',
      all: 'Everything, including files and pictures',
    },
  },
  oc_connection_health: { apiName: { oc_connection_health: 'Connection health' } },
  oc_evidence_bundle: { apiName: { oc_evidence_bundle: 'Evidence bundle' }, inspector: { reload: 'reload' } },
  oc_journal: {
    apiName: { oc_journal: 'Journal' },
    inspector: { summary: 'summary', recent: 'recent calls' },
  },
  oc_output_fetch: {
    apiName: { oc_output_fetch: 'Fetch output' },
    inspector: { from: (offset: string) => `from ${offset}` },
  },
  oc_output_query: {
    apiName: { oc_output_query: 'Query output' },
    inspector: {
      schema: 'schema',
      stats: 'statistics',
      diff: 'differences',
      sortedBy: (key: string) => `by ${key}`,
    },
  },
  output_keep: { apiName: { output_keep: 'Keep an output' }, inspector: { release: 'let it expire' } },
  output_list: { apiName: { output_list: 'List outputs' } },
  output_schema: { apiName: { output_schema: 'Infer schema' } },
  read_page: {
    apiName: { read_page: 'Read page' },
    inspector: {
      text: 'text',
      html: 'HTML',
      snapshot: 'snapshot',
      nodes: 'nodes',
      main: 'main content',
      controls: 'controls only',
      changes: 'changes',
    },
  },
  recipes: {
    apiName: {
      recipe_search: 'Search recipes',
      recipe_get: 'Show recipe',
      recipe_run: 'Run recipe',
      recipe_save: 'Save recipe',
      recipe_delete: 'Delete recipe',
    },
    inspector: { replaces: 'replaces' },
  },
  request_human_input: {
    apiName: { request_human_input: 'Ask a person' },
    inspector: {
      waiting: 'Waiting for a person',
      approval: 'approval',
      text: 'text',
      choice: 'choice',
      form: 'form',
      takeover: 'take over',
    },
  },
  resume_call: { apiName: { resume_call: 'Resume call' } },
  runs: {
    apiName: {
      run_status: 'Run status',
      run_output: 'Run output',
      run_cancel: 'Cancel run',
      run_resume: 'Resume run',
      run_list: 'List runs',
      run_log: 'Run log',
    },
    inspector: { from: (offset: string) => `from ${offset}` },
  },
  screenshot: {
    apiName: { screenshot: 'Screenshot' },
    inspector: { full_page: 'full page', tiles: 'tiles', handle: 'stored' },
  },
  script: { apiName: { script: 'Run program' } },
  tabs: {
    apiName: { tabs: 'Tabs' },
    inspector: { list: 'list', open: 'open', close: 'close', activate: 'bring to the front' },
  },
  wait_for: {
    apiName: { wait_for: 'Wait for' },
    inspector: {
      gone: 'to go away',
      load: 'loaded',
      download: 'download',
      idle: 'network idle',
      any: 'any of them',
    },
  },
  page_tools: { apiName: { page_tools: 'Page tools', page_tool_call: 'Call page tool' } },
  evaluate: { apiName: { evaluate: 'Run in page' } },
  page_pdf: { apiName: { page_pdf: 'Page as PDF' } },
  emulate: { apiName: { emulate: 'Emulate' } },
  storage: { apiName: { storage: 'Storage' } },
  intercept: { apiName: { intercept: 'Intercept' } },
  downloads: { apiName: { downloads: 'Downloads' } },
  clipboard: { apiName: { clipboard: 'Clipboard' } },
  trace: { apiName: { trace: 'Trace' } },
  audit: { apiName: { audit: 'Accessibility audit' } },
} as const;

export type ToolWords = Texts<typeof tools>;
/** `<identifier>.apiName.<api>`, `.inspector.…` and `.form.…`. */
export const toolTexts = catalogue<ToolWords>(tools);
