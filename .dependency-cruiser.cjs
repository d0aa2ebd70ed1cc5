/**
 * The arrows of ARCHITECTURE.md as rules. `npm run lint:tier` prints a broken rule's comment, which
 * says what to do instead.
 * @type {import('dependency-cruiser').IConfiguration}
 */
/** Folders that every capability may import: they know none. */
const KERNEL = 'base|core|dom|libraries|platform|ui';
/** Capabilities, and those that each needs. */
const NEEDS = {
  act: 'files find people point read tabs wait',
  activity: 'act ledger outputs people point programs recipes tabs',
  audit: 'read',
  crawl: 'extract files read tabs',
  'docs-search': 'find-tools programs',
  doctor: 'install',
  evidence: 'network read',
  extract: 'crawl read',
  files: 'outputs wait',
  find: 'act read',
  'find-tools': '',
  flows: 'act',
  inspect: 'people read',
  install: 'people',
  ledger: 'people',
  network: '',
  outputs: '',
  people: 'act ledger wait',
  pictures: 'act files find',
  point: 'act find people pictures read',
  programs: 'people runs',
  queue: 'crawl people',
  read: 'act find wait',
  recipes: 'act find-tools programs read wait',
  remote: '',
  runs: 'activity programs',
  tabs: 'act people wait',
  trace: 'tabs',
  upstreams: 'doctor',
  wait: 'act files find tabs',
};
/** Puts the capabilities together; of the rest of the kernel, the last line still knows some. */
const COMPOSITION = [
  '^extension/core/(?:handler\\.ts$|worker/|page/content\\.ts$|offscreen/)',
  '^server/core/(?:app|compose|index|settings|(?:doctor-hops|runtimes|settings)\\.generated)\\.ts$',
  '^shared/core/(?:tools/.*\\.generated|bridge/(?:methods|server-methods|answers))\\.ts$',
  '^extension/ui/(?:faces|frame|words)/',
  '^(?:extension/(?:core/(?:link/call-guards|pages/channels|ports/page-messages)|platform/chromium/cookies)|server/core/file-stream|shared/core/policy/call-risks)\\.ts$',
];

/** The service worker's side: it has no document. */
const WORKER_SIDE =
  '^extension/(?:[^/]+/worker/|core/(?:link|navigation|pages|policy|tabs)/|core/[^/]+\\.ts$|platform/)';
/** Code of content scripts. */
const PAGE_SIDE = '^extension/(?:(?!widgets/)[^/]+/page/|dom/)';
/** Schemas and types of messages, which both ends of a port know. */
const PORTS = '^extension/(?:core/ports/|[^/]+/(?:[^/]+-port|protocol)\\.ts$|ui/frame/feed-port\\.ts$)';
/** They draw a tool's calls and answers. */
const FACES = '^extension/(?:[^/]+/panel/(?:face|face-steps|views?)\\.tsx?$|ui/(?:faces/|[^/]+\\.tsx?$))';

/** Who may mark a value as clean, in addition to the redactor. */
const VOUCHERS = [
  // They give back what their own writers, which take clean values only, have stored.
  '^server/core/output/(format|pager|policy|records|serialise)\\.ts$',
  '^server/outputs/query/index\\.ts$',
  '^server/runs/(active-run|records|run-store|view)\\.ts$',
  '^server/network/client-captures\\.ts$',
  '^server/people/kept-calls\\.ts$',
  // They write clean entries and files in another form.
  '^server/network/(har-log|curl)\\.ts$',
  '^server/evidence/(deliver|mhtml)\\.ts$',
  // A picture is bytes, which no redactor reads.
  '^server/pictures/tiles\\.ts$',
  // Their text is Spillway's own.
  '^server/(docs-search/docs|find-tools/find_tools)\\.runtime\\.ts$',
];

/** A rule for each capability. */
const needs = Object.entries(NEEDS).map(([capability, needed]) => ({
  name: `${capability}-imports-what-it-needs`,
  comment: `A capability imports the kernel and what it needs: add a need of ${capability} to NEEDS, or pass the value in.`,
  severity: 'error',
  from: { path: `^(server|shared|extension)/${capability}/` },
  to: {
    path: '^(server|shared|extension)/[^/]+/',
    pathNot: `^(server|shared|extension)/(${[capability, ...needed.split(' ').filter((name) => name !== ''), KERNEL].join('|')})/`,
  },
}));

module.exports = {
  forbidden: [
    ...needs,
    {
      name: 'a-new-capability-has-its-needs',
      comment: 'Add a row to NEEDS: until then the capability may import the kernel only.',
      severity: 'error',
      from: {
        path: `^(server|shared|extension)/(?!(?:${Object.keys(NEEDS).join('|')}|${KERNEL}|cli|library|mcp|widgets)/)([^/]+)/`,
      },
      to: {
        path: '^(server|shared|extension)/[^/]+/',
        pathNot: `^(server|shared|extension)/($2|${KERNEL})/`,
      },
    },
    {
      name: 'shared-imports-its-libraries',
      comment:
        'shared/ is what both ends agree on: move the code to the end that needs the library, or pass the value in. Both ends judge addresses.',
      severity: 'error',
      from: { path: '^shared/' },
      to: { pathNot: ['^shared/', '^node_modules/zod/', '^package\\.json$'] },
    },
    {
      name: 'extension-imports-shared-and-its-libraries',
      comment:
        'The extension meets the rest only in shared/: put the common part there. A new library of the extension is named in this rule.',
      severity: 'error',
      from: { path: '^extension/', pathNot: '^extension/widgets/' },
      to: {
        pathNot: [
          '^extension/',
          '^shared/',
          '^node_modules/(zod|webextension-polyfill|@mozilla/readability|axe-core|gifenc|vscode-jsonrpc|p-queue|preact|@preact/signals|@tanstack/virtual-core|lucide-preact|mdast-util-(from-markdown|gfm)|micromark-extension-gfm)/',
          '^node_modules/@types/(chrome|webextension-polyfill)/',
        ],
      },
    },
    {
      name: 'worker-is-the-root',
      comment:
        'extension/core/worker puts the service worker together and is imported by nothing: move what is shared to its neighbours.',
      severity: 'error',
      from: { path: '^extension/', pathNot: '^extension/core/worker/' },
      to: { path: '^extension/core/worker/' },
    },
    {
      name: 'kernel-knows-no-capability',
      comment:
        'The kernel knows no capability: let a file of COMPOSITION pass it in, or move what the kernel needs of it to the kernel.',
      severity: 'error',
      from: { path: `^(server|shared|extension)/(${KERNEL})/`, pathNot: COMPOSITION },
      to: {
        path: '^(server|shared|extension)/[^/]+/',
        pathNot: `^(server|shared|extension)/(${KERNEL})/`,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'worker-side-meets-a-page-in-its-protocol',
      comment:
        'The service worker has no document: of page/, offscreen/, panel/ and other pages it imports protocol.ts, types, in-page/ (functions that scripting.executeScript injects) and the pure crawl-lines.ts.',
      severity: 'error',
      from: { path: WORKER_SIDE },
      to: {
        path: '^extension/(?:(?!widgets/)[^/]+/(?:page|offscreen|panel)/|dom/|ui/(?!words/)|install/(?:popup|welcome)/|people/(?:approve|rules)/)',
        pathNot: ['/(?:feed-)?protocol\\.ts$', PORTS, '^extension/crawl/page/crawl-lines\\.ts$'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'input-passes-the-gate',
      comment:
        'Only act/worker/gate.ts gives input: call Gate.send, which asks the ledger, the rules and the tab before each event.',
      severity: 'error',
      from: { path: '^extension/', pathNot: '^extension/act/worker/gate\\.ts$' },
      to: { path: '^extension/platform/[^/]+/device\\.ts$' },
    },
    {
      name: 'page-knows-shared-only',
      comment:
        'page/ and dom/ run in any document, parsed ones too: pass in what they need of the extension.',
      severity: 'error',
      from: { path: PAGE_SIDE },
      to: {
        path: '^extension/',
        // Of messages the types alone, which are those of the schemas that the worker parses with.
        pathNot: [PAGE_SIDE, PORTS],
      },
    },
    {
      name: 'dom-knows-itself',
      comment:
        'dom/ is what all code of pages asks about elements: move what is common there, or pass in what it needs.',
      severity: 'error',
      from: { path: '^extension/dom/' },
      to: { path: '^extension/', pathNot: ['^extension/dom/', PORTS, '^extension/core/page/protocol\\.ts$'] },
    },
    {
      name: 'walk-before-writers',
      comment: 'The walker calls a writer by the interface of write/out.ts, and a writer knows no walk.',
      severity: 'error',
      from: { path: '^extension/read/page/write/' },
      to: { path: '^extension/(?:read/page/(?:walker\\.ts$|identity/|skeleton/)|find/)' },
    },
    {
      name: 'json-guards-without-zod',
      comment:
        'Content scripts and the offscreen document import the guards; schemas are in shared/base/json-schema.ts.',
      severity: 'error',
      from: { path: '^shared/base/json\\.ts$' },
      to: { path: '^node_modules/zod/' },
    },
    {
      name: 'content-scripts-without-zod',
      comment:
        'A content script is injected into pages: parse its messages in extension/core/pages, and take types only.',
      severity: 'error',
      from: { path: PAGE_SIDE },
      to: { path: '^node_modules/zod/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'ports-know-shared-only',
      comment: 'Ports are what every end that parses shares: pass the schema in.',
      severity: 'error',
      from: { path: '^extension/core/ports/' },
      to: { path: '^extension/', pathNot: PORTS },
    },
    {
      name: 'words-know-themselves',
      comment: 'words/ is what every page that a person sees shares: pass in what it needs.',
      severity: 'error',
      from: { path: '^extension/ui/words/' },
      to: { path: '^(extension|shared)/', pathNot: '^extension/(ui/words/|core/ports/stored\\.ts$)' },
    },
    {
      name: 'theme-knows-itself',
      comment: 'theme/ is what every page that a person sees shares, and runs before it is painted.',
      severity: 'error',
      from: { path: '^extension/ui/theme/' },
      to: { path: '^(extension|shared)/', pathNot: '^extension/(ui/theme/|core/ports/stored\\.ts$)' },
    },
    {
      name: 'offscreen-knows-page-only',
      comment:
        'offscreen/ uses the walker of pages and talks to the worker over a port: share a protocol.ts.',
      severity: 'error',
      from: { path: '^extension/[^/]+/offscreen/' },
      to: { path: '^extension/', pathNot: ['^extension/[^/]+/offscreen/', PAGE_SIDE, PORTS] },
    },
    {
      name: 'popup-knows-shared-only',
      comment: 'popup/ talks to the worker over a port: share popup/protocol.ts.',
      severity: 'error',
      from: { path: '^extension/install/popup/' },
      to: { path: '^extension/', pathNot: ['^extension/(install/popup|ui/words|ui/theme)/', PORTS] },
    },
    {
      name: 'approve-knows-shared-only',
      comment:
        'The page of questions talks to the worker over a port: share people/protocol.ts. It shows the cards of people/panel.',
      severity: 'error',
      from: { path: '^extension/people/approve/' },
      to: {
        path: '^extension/',
        pathNot: ['^extension/(people/(approve|panel)|ui/(words|theme))/', '^extension/ui/[^/]+$', PORTS],
      },
    },
    {
      name: 'panel-knows-no-other-page',
      comment:
        'The panel shows what is asked, and settings that the popup has, too. It talks to the worker over ports: share protocol.ts.',
      severity: 'error',
      from: { path: '^extension/(?:[^/]+/panel|ui/frame)/' },
      to: {
        path: '^extension/',
        pathNot: ['^extension/(?:[^/]+/panel|ui)/', PORTS, '^extension/install/popup/protocol\\.ts$'],
      },
    },
    {
      name: 'faces-know-what-they-are-given',
      comment:
        'A face runs in the panel and in widgets of hosts: it imports what draws, words and the types and guards of shared/. What it needs of the panel or of a server is in its props (ui/faces/face.ts).',
      severity: 'error',
      from: { path: FACES },
      to: {
        pathNot: [
          FACES,
          '^extension/(?:ui/words/|act/trace-port\\.ts$)',
          '^shared/(base/(csv|json|errors|cut|message-of|mime)\\.ts$|core/(notes|policy/reveal)\\.ts$|core/tools/(names(\\.generated)?|shown)\\.ts$)',
          // How a step is written, and bounds of arguments: what a person changes is checked as they write.
          '^shared/(act/parse-step|[^/]+/[^/]*limits)\\.ts$',
          '^node_modules/(preact|@preact/signals|lucide-preact|mdast-util-(from-markdown|gfm)|micromark-extension-gfm)/',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'faces-are-found',
      comment:
        'Faces are found by their rows: ask ui/faces/faces.tsx, so that a tool is added by a row. Widgets are of one tool, and name its faces.',
      severity: 'error',
      from: { path: '^extension/', pathNot: '^extension/(?:ui/faces|widgets|[^/]+/panel)/' },
      to: { path: '^extension/[^/]+/panel/(?:face|face-steps|views?)\\.tsx?$' },
    },
    {
      name: 'tools-import-no-ui',
      comment:
        'Manifests and runtimes say what a tool does: what people see of it is in the panel/ of its capability.',
      severity: 'error',
      from: { path: '^(shared|server)/' },
      to: { path: ['^node_modules/(preact|@preact|lucide-preact)/', '\\.(tsx|css)$'] },
    },
    {
      name: 'rules-know-shared-only',
      comment:
        'The page of rules changes what is stored, and the worker reads it: share shared/people/. Of ui/ it has parts that know nothing.',
      severity: 'error',
      from: { path: '^extension/people/rules/' },
      to: {
        path: '^extension/',
        pathNot: [
          '^extension/(people/rules|ui/words|ui/theme)/',
          '^extension/ui/(select|save)\\.tsx?$',
          PORTS,
        ],
      },
    },
    {
      name: 'server-not-to-extension',
      comment: 'Server and extension meet only in shared/: put the common part there.',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^extension/' },
    },
    {
      name: 'calls-on-top-of-core',
      comment:
        'core/calls/ uses core/registry/ and the types next to both; nothing else in core/ uses calls/. Move what both need to core/.',
      severity: 'error',
      from: {
        path: '^server/core/',
        pathNot: ['^server/core/calls/', ...COMPOSITION],
      },
      to: { path: '^server/core/calls/', reachable: true },
    },
    {
      name: 'libsql-in-home-only',
      comment:
        'server/core/home/database.ts is the only module that knows libsql: it codes what SQLite refuses. Ask it for rows.',
      severity: 'error',
      from: { pathNot: '^server/core/home/database\\.ts$' },
      to: { path: '^node_modules/libsql/' },
    },
    {
      name: 'few-vouch',
      comment:
        'A value becomes clean by a redactor, or by being joined from clean parts (server/libraries/redaction/clean.ts). Only what reads a clean store back, writes clean values in another form, or ships its text with Spillway may mark a value itself.',
      severity: 'error',
      from: { pathNot: ['^server/libraries/redaction/', '^tests/', ...VOUCHERS] },
      to: { path: '^server/libraries/redaction/mark\\.ts$' },
    },
    {
      name: 'machine-knows-core-only',
      comment: 'machine/ is what the operating system tells: it imports core/ and no service.',
      severity: 'error',
      from: { path: '^server/core/machine/' },
      to: { path: '^server/', pathNot: '^server/core/' },
    },
    {
      name: 'mode-not-to-adapter',
      comment:
        'A mode is a table that knows no wire: move the difference to the adapter, or the fact to the table.',
      severity: 'error',
      from: { path: '^server/core/modes/' },
      to: { path: '^server/(mcp|library|cli)/' },
    },
    {
      name: 'modes-by-their-loader',
      comment:
        'Which mode is on is decided once, by server/core/modes/loader.ts: ask the definition for the fact that its row gave it.',
      severity: 'error',
      from: { pathNot: '^server/core/modes/' },
      to: { path: '^server/core/modes/', pathNot: '^server/core/modes/(loader|names\\.generated)\\.ts$' },
    },
    {
      name: 'modes-know-no-mode',
      comment: 'Modes are independent: what several of them share is in server/core/modes/widgets.ts.',
      severity: 'error',
      from: { path: '^server/core/modes/', pathNot: '^server/core/modes/(loader|modes\\.generated)\\.ts$' },
      to: { path: '^server/core/modes/', pathNot: '^server/core/modes/widgets\\.ts$' },
    },
    {
      name: 'loader-starts-servers-only',
      comment: 'server/core/app.ts loads the mode: any other importer would branch on it at call time.',
      severity: 'error',
      from: { path: '^(server|shared|extension)/', pathNot: '^server/core/(modes/|app\\.ts$)' },
      to: { path: '^server/core/modes/', pathNot: '^server/core/modes/names\\.generated\\.ts$' },
    },
    {
      name: 'mode-names-for-settings',
      comment: 'Settings list the names of the modes in their help. Nothing else compares them.',
      severity: 'error',
      from: { path: '^(server|shared|extension)/', pathNot: '^server/core/settings\\.ts$' },
      to: { path: '^server/core/modes/names\\.generated\\.ts$' },
    },
    {
      name: 'nothing-imports-cli',
      comment: 'cli/ is the end of the server: move what is useful elsewhere to the room it belongs to.',
      severity: 'error',
      from: { path: '^server/', pathNot: '^server/cli/' },
      to: { path: '^server/cli/' },
    },
    {
      name: 'agent-sdk-in-its-adapter-only',
      comment:
        'Only server/mcp speaks MCP with clients, and server/upstreams/mcp with other servers: the rest of the server deals in ToolResult, so that another revision is another adapter.',
      severity: 'error',
      from: {
        path: '^(server|shared|extension)/',
        pathNot: ['^server/mcp/', '^server/upstreams/mcp/', '^extension/widgets/[^/]+/host\\.ts$'],
      },
      to: { path: '^node_modules/@modelcontextprotocol/' },
    },
    {
      name: 'eras-of-mcp-apart',
      comment:
        'Each era of MCP has a folder that can be deleted: what both need lives in server/mcp, where stdio.ts and http/serve.ts alone choose.',
      severity: 'error',
      from: {
        path: '^server/mcp/(?:era-(\\d+)/|)',
        pathNot: '^server/mcp/(stdio|http/serve)\\.ts$',
      },
      to: { path: '^server/mcp/era-', pathNot: '^server/mcp/era-$1/' },
    },
    {
      name: 'sdk-of-sessions-in-its-era-only',
      comment: 'The 1.x SDK of MCP goes with server/mcp/era-2025.',
      severity: 'error',
      from: { path: '^server/mcp/', pathNot: '^server/mcp/era-2025/' },
      to: { path: '^node_modules/@modelcontextprotocol/sdk/' },
    },
    {
      name: 'widget-is-a-page',
      comment:
        'A widget runs in a host, far from the server: what both need lives in shared/, and all else is asked for through a tool.',
      severity: 'error',
      from: { path: '^extension/widgets/([^/]+)/' },
      to: {
        pathNot: [
          '^extension/widgets/$1/',
          '^extension/widgets/common/',
          '^extension/ui/(words/|[^/]+$)',
          // Of a tool its Render, and what Renders are.
          '^extension/(?:[^/]+/panel/(?:face|face-steps|views?)\\.tsx?|ui/faces/(?:face\\.ts|blocks\\.tsx))$',
          '^shared/',
          '^node_modules/(zod|preact|@preact/signals|@modelcontextprotocol/ext-apps)/',
        ],
      },
    },
    {
      name: 'widget-names-its-renders',
      comment:
        'Each main.tsx names the Renders of its own tools, so that its file has no other: common/ takes what it is given.',
      severity: 'error',
      from: { path: '^extension/widgets/common/' },
      to: { path: '^extension/[^/]+/panel/' },
    },
    {
      name: 'widget-reaches-no-extension',
      comment:
        'A widget runs in a host, without the extension: what a Render needs of the worker or of the panel is in its props (extension/ui/faces/face.ts).',
      severity: 'error',
      from: { path: '^extension/widgets/' },
      to: {
        path: [
          '^extension/(?!widgets/|ui/(?!frame/)|[^/]+/panel/(?:face|face-steps|views?)\\.tsx?$)',
          '^node_modules/webextension-polyfill/',
        ],
        reachable: true,
      },
    },
    {
      name: 'widget-is-read-not-imported',
      comment: 'The server knows a widget as a built file: readWidget of server/widgets/files.ts answers it.',
      severity: 'error',
      from: { path: '^(server|shared|extension)/', pathNot: '^extension/widgets/[^/]+/' },
      to: { path: '^extension/widgets/[^/]+/' },
    },
    {
      name: 'anthropic-sdk-in-its-adapter-only',
      comment: 'Only server/library/anthropic knows the Anthropic SDK: deal in CallResult elsewhere.',
      severity: 'error',
      from: { path: '^(server|shared|extension)/', pathNot: '^server/library/anthropic/' },
      to: { path: '^node_modules/@anthropic-ai/' },
    },
    {
      name: 'ai-sdk-in-its-adapter-only',
      comment: 'Only server/library/ai-sdk knows the AI SDK: deal in CallResult elsewhere.',
      severity: 'error',
      from: { path: '^(server|shared|extension)/', pathNot: '^server/library/ai-sdk/' },
      to: { path: '^node_modules/(ai|@ai-sdk)/' },
    },
    {
      name: 'library-knows-no-adapter',
      comment: 'Adapters are made from a session of the library: move what both need to library/.',
      severity: 'error',
      from: { path: '^server/library/', pathNot: '^server/library/(anthropic|ai-sdk)/' },
      to: { path: '^server/(mcp|cli|library/(anthropic|ai-sdk))/' },
    },
    {
      name: 'product-not-to-tests',
      comment:
        'Product code runs without tests/, fixtures/, scripts/ and bench/: move what it needs to the product.',
      severity: 'error',
      from: { path: '^(server|shared|extension)/' },
      to: { path: '^(tests|fixtures|scripts|bench)/' },
    },
    {
      name: 'nothing-imports-tests',
      comment:
        'tests/ is imported by tests, and by the programs that make pictures, start a Firefox or measure what tests check: move shared helpers of fixtures or scripts out of it.',
      severity: 'error',
      from: {
        pathNot: '^(tests|scripts/pictures)/|^scripts/start\\.mjs$|^bench/(extract|selection)/measure\\.ts$',
      },
      to: { path: '^tests/' },
    },
    {
      name: 'no-cycles',
      comment: 'Two files that import each other are one: move what both need to a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'The import leads nowhere: correct the path (with its .ts ending) or add the package.',
      severity: 'error',
      // The benchmark installs its peers itself; the consumer imports the built package by its name.
      from: { pathNot: ['^bench/', '^tests/support/consumer/'] },
      // What the build makes need not be built yet.
      to: { couldNotResolve: true, pathNot: '(^|/)dist/' },
    },
  ],
  options: {
    // They have dependencies of their own, which only the deep run installs.
    exclude: { path: '^fixtures/(?:widgets|components)/' },
    doNotFollow: { path: '^(dist/|node_modules|.*/node_modules/)' },
    tsPreCompilationDeps: true,
    preserveSymlinks: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
