/**
 * The arrows of ARCHITECTURE.md as rules. `npm run lint:tier` prints a broken rule's comment, which
 * says what to do instead.
 * @type {import('dependency-cruiser').IConfiguration}
 */
const SERVICES =
  'bridge|feed|flows|inputs|journal|ledger|network|output|people|recipes|redact|runs|scale|upstream';

/** Who may mark a value as clean, in addition to the redactor. */
const VOUCHERS = [
  // They give back what their own writers, which take clean values only, have stored.
  '^server/output/(format|pager|policy|records|serialise|query/index)\\.ts$',
  '^server/runs/(active-run|records|run-store|view)\\.ts$',
  '^server/network/client-captures\\.ts$',
  '^server/people/kept-calls\\.ts$',
  // They write clean entries and files in another form.
  '^server/network/har-log\\.ts$',
  '^server/network/curl\\.ts$',
  '^server/tools/oc_evidence_bundle/(deliver|mhtml)\\.ts$',
  // A picture is bytes, which no redactor reads.
  '^server/pictures/tiles\\.ts$',
  // Their text is Spillway's own.
  '^server/tools/(docs|find_tools)/runtime\\.ts$',
];

module.exports = {
  forbidden: [
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
        'extension/worker puts the service worker together and is imported by nothing: move what is shared to background/.',
      severity: 'error',
      from: { path: '^extension/', pathNot: '^extension/worker/' },
      to: { path: '^extension/worker/' },
    },
    {
      name: 'background-knows-no-tool',
      comment:
        'page <- background <- tools <- worker: pass the tool in from worker/, or move what background/ needs of it to background/.',
      severity: 'error',
      from: { path: '^extension/(background|platform)/' },
      to: { path: '^extension/tools/' },
    },
    {
      name: 'worker-side-meets-a-page-in-its-protocol',
      comment:
        'The service worker has no document: of page/, offscreen/, popup/, approve/, panel/ and rules/ it imports protocol.ts, types, page/in-page (functions that scripting.executeScript injects) and the pure crawl-lines.ts.',
      severity: 'error',
      from: { path: '^extension/(worker|background|platform|tools)/' },
      to: {
        path: '^extension/(page|offscreen|popup|approve|panel|rules)/',
        pathNot: ['/(feed-)?protocol\\.ts$', '^extension/page/(in-page/|crawl-lines\\.ts$)'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'input-passes-the-gate',
      comment:
        'Only act/gate.ts gives input: call Gate.send, which asks the ledger, the rules and the tab before each event.',
      severity: 'error',
      from: { path: '^extension/', pathNot: '^extension/act/worker/gate\\.ts$' },
      to: { path: '^extension/platform/[^/]+/device\\.ts$' },
    },
    {
      name: 'page-knows-shared-only',
      comment: 'page/ runs in any document, parsed ones too: pass in what it needs of the extension.',
      severity: 'error',
      from: { path: '^extension/page/' },
      to: {
        path: '^extension/',
        // Of messages the types alone, which are those of the schemas that the worker parses with.
        pathNot: ['^extension/page/', '^extension/ports/page-(messages|answers|recorded)\\.ts$'],
      },
    },
    {
      name: 'page-dom-knows-itself',
      comment:
        'page/dom is what all rooms of page/ ask about elements: move what is common there, or pass in what it needs.',
      severity: 'error',
      from: { path: '^extension/page/dom/' },
      to: { path: '^extension/page/', pathNot: '^extension/page/(dom/|doorway\\.ts$)' },
    },
    {
      name: 'page-aria-knows-dom',
      comment: 'Writers ask page/aria for names and roles, never the other way.',
      severity: 'error',
      from: { path: '^extension/page/aria/' },
      to: { path: '^extension/page/', pathNot: '^extension/page/(aria|dom)/' },
    },
    {
      name: 'page-walk-before-writers',
      comment: 'page/walk calls a writer by the interface of write/out.ts, and page/write knows no walk.',
      severity: 'error',
      from: { path: '^extension/page/write/' },
      to: { path: '^extension/page/(walk|identity|skeleton|find|locate)/' },
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
        'A content script is injected into pages: parse its messages in extension/background/pages, and take types only.',
      severity: 'error',
      from: { path: '^extension/page/' },
      to: { path: '^node_modules/zod/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'ports-know-shared-only',
      comment: 'ports/ is what every end of a port that parses shares: pass the schema in.',
      severity: 'error',
      from: { path: '^extension/ports/' },
      to: { path: '^extension/', pathNot: '^extension/ports/' },
    },
    {
      name: 'words-know-themselves',
      comment: 'words/ is what every page that a person sees shares: pass in what it needs.',
      severity: 'error',
      from: { path: '^extension/words/' },
      to: { path: '^(extension|shared)/', pathNot: '^extension/(words/|ports/stored\\.ts$)' },
    },
    {
      name: 'theme-knows-itself',
      comment: 'theme/ is what every page that a person sees shares, and runs before it is painted.',
      severity: 'error',
      from: { path: '^extension/theme/' },
      to: { path: '^(extension|shared)/', pathNot: '^extension/(theme/|ports/stored\\.ts$)' },
    },
    {
      name: 'offscreen-knows-page-only',
      comment:
        'offscreen/ uses the walker of page/ and talks to the worker over a port: share a protocol.ts.',
      severity: 'error',
      from: { path: '^extension/offscreen/' },
      to: { path: '^extension/', pathNot: '^extension/(offscreen|page|ports)/' },
    },
    {
      name: 'popup-knows-shared-only',
      comment: 'popup/ talks to the worker over a port: share popup/protocol.ts.',
      severity: 'error',
      from: { path: '^extension/popup/' },
      to: { path: '^extension/', pathNot: '^extension/(popup|ports|words|theme)/' },
    },
    {
      name: 'approve-knows-shared-only',
      comment:
        'approve/ talks to the worker over a port: share approve/protocol.ts. It shows the cards of panel/ask.',
      severity: 'error',
      from: { path: '^extension/approve/' },
      to: {
        path: '^extension/',
        pathNot: '^extension/(approve|ports|words|theme|panel/(ask|components))/',
      },
    },
    {
      name: 'panel-knows-no-other-page',
      comment:
        'panel/ shows what is asked, and settings that the popup has, too. It talks to the worker over ports: share protocol.ts.',
      severity: 'error',
      from: { path: '^extension/panel/' },
      to: {
        path: '^extension/',
        pathNot: '^extension/((panel|ports|words|theme)/|(popup|approve)/(protocol\\.ts$|words/))',
      },
    },
    {
      name: 'faces-know-what-they-are-given',
      comment:
        'A face runs in the panel and in widgets of hosts: it imports what draws, words and the types and guards of shared/. What it needs of the panel or of a server is in its props (tools/face.ts).',
      severity: 'error',
      from: { path: '^extension/panel/(tools|components)/' },
      to: {
        pathNot: [
          '^extension/panel/(tools|components)/',
          '^extension/words/',
          '^shared/((csv|json|errors|cut|message-of|mime|notes)\\.ts$|policy/reveal\\.ts$|tools/names(\\.generated)?\\.ts$)',
          // How a step is written, and bounds of arguments: what a person changes is checked as they write.
          '^shared/(act/parse-step\\.ts$|tools/[^/]+/limits\\.ts$)',
          '^node_modules/(preact|@preact/signals|lucide-preact|mdast-util-(from-markdown|gfm)|micromark-extension-gfm)/',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'faces-are-found',
      comment:
        'Faces are found by their rows: ask faces.tsx, so that a tool is added by a row. Widgets are of one tool, and name its faces.',
      severity: 'error',
      from: { path: '^extension/', pathNot: '^extension/(panel/tools|widgets)/' },
      to: { path: '^extension/panel/tools/(?!words/)[^/]+/' },
    },
    {
      name: 'tools-import-no-ui',
      comment:
        'Manifests and runtimes say what a tool does: what people see of it is in extension/panel/tools/.',
      severity: 'error',
      from: { path: '^(shared|server)/' },
      to: { path: ['^node_modules/(preact|@preact|lucide-preact)/', '\\.(tsx|css)$', '^extension/panel/'] },
    },
    {
      name: 'rules-know-shared-only',
      comment:
        'rules/ changes what is stored, and the worker reads it: share shared/policy/. Of the panel it has parts that know nothing.',
      severity: 'error',
      from: { path: '^extension/rules/' },
      to: {
        path: '^extension/',
        pathNot: '^extension/((rules|ports|words|theme)/|panel/components/(select|save)\\.tsx?$)',
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
      name: 'core-imports-shared-only',
      comment:
        'core/ gets the services of other rooms passed in, and imports their types: let compose.ts pass the implementation in.',
      severity: 'error',
      from: { path: '^server/core/' },
      to: {
        pathNot: ['^server/core/', '^server/redact/(clean|mark)\\.ts$', '^shared/', '^node_modules/zod/'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'calls-on-top-of-core',
      comment:
        'core/calls/ uses core/registry/ and the types next to both; nothing else in core/ uses calls/. Move what both need to core/.',
      severity: 'error',
      from: { path: '^server/core/', pathNot: '^server/core/calls/' },
      to: { path: '^server/core/calls/', reachable: true },
    },
    {
      name: 'service-knows-core-only',
      comment:
        'A service imports core/ and itself, and the types of other services: let compose.ts pass the implementation in.',
      severity: 'error',
      // The native host is a program of its own, which has to redact what it notes.
      from: { path: `^server/(${SERVICES})/`, pathNot: '^server/core/bridge/host/note\\.ts$' },
      to: {
        path: '^server/',
        pathNot: [
          '^server/core/',
          '^server/redact/(clean|mark)\\.ts$',
          '^server/toolkit/',
          '^server/machine/',
          '^server/home/',
          '^server/$1/',
        ],
        dependencyTypesNot: ['type-only'],
      },
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
      from: { pathNot: ['^server/redact/', '^tests/', ...VOUCHERS] },
      to: { path: '^server/libraries/redaction/mark\\.ts$' },
    },
    {
      name: 'machine-knows-core-only',
      comment: 'machine/ is what the operating system tells: it imports core/ and no service.',
      severity: 'error',
      from: { path: '^server/machine/' },
      to: { path: '^server/', pathNot: ['^server/core/', '^server/machine/'] },
    },
    {
      name: 'toolkit-knows-core-only',
      comment:
        'toolkit/ is what several tools and services share and the path of a call does not need: it imports core/, and of services the types.',
      severity: 'error',
      from: { path: '^server/toolkit/' },
      to: {
        path: '^server/',
        pathNot: ['^server/core/', '^server/redact/(clean|mark)\\.ts$', '^server/toolkit/'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'tool-reaches-services-through-core',
      comment:
        'A tool gets its services injected: import the type, and name it in createRuntimes. What a system error means is not a service.',
      severity: 'error',
      from: { path: '^server/tools/' },
      to: {
        path: '^server/',
        pathNot: [
          '^server/core/',
          '^server/core/machine/errno\\.ts$',
          '^server/redact/(clean|mark)\\.ts$',
          '^server/toolkit/',
          '^server/tools/',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'tool-imports-no-other-tool',
      comment: 'Tools are added and removed alone: move what two of them need to toolkit/ or shared/.',
      severity: 'error',
      from: { path: '^(server|shared|extension)/tools/([^/]+)/' },
      to: { path: '^$1/tools/[^/]+/', pathNot: '^$1/tools/$2/' },
    },
    {
      name: 'mode-not-to-adapter',
      comment:
        'A mode is a table that knows no wire: move the difference to the adapter, or the fact to the table.',
      severity: 'error',
      from: { path: '^server/modes/' },
      to: { path: '^server/(adapters|cli)/' },
    },
    {
      name: 'modes-by-their-loader',
      comment:
        'Which mode is on is decided once, by server/core/modes/loader.ts: ask the definition for the fact that its row gave it.',
      severity: 'error',
      from: { pathNot: '^server/modes/' },
      to: { path: '^server/modes/', pathNot: '^server/modes/(loader|names\\.generated)\\.ts$' },
    },
    {
      name: 'modes-know-no-mode',
      comment: 'Modes are independent: what several of them share is in server/core/modes/widgets.ts.',
      severity: 'error',
      from: { path: '^server/modes/', pathNot: '^server/modes/(loader|modes\\.generated)\\.ts$' },
      to: { path: '^server/modes/', pathNot: '^server/core/modes/widgets\\.ts$' },
    },
    {
      name: 'loader-starts-servers-only',
      comment: 'server/core/app.ts loads the mode: any other importer would branch on it at call time.',
      severity: 'error',
      from: { path: '^(server|shared|extension)/', pathNot: '^server/(modes/|app\\.ts$)' },
      to: { path: '^server/modes/', pathNot: '^server/modes/names\\.generated\\.ts$' },
    },
    {
      name: 'mode-names-for-settings',
      comment: 'Settings list the names of the modes in their help. Nothing else compares them.',
      severity: 'error',
      from: { path: '^(server|shared|extension)/', pathNot: '^server/core/settings\\.ts$' },
      to: { path: '^server/modes/names\\.generated\\.ts$' },
    },
    {
      name: 'nothing-imports-cli',
      comment: 'cli/ is the end of the server: move what is useful elsewhere to the room it belongs to.',
      severity: 'error',
      from: { path: '^server/', pathNot: '^server/cli/' },
      to: { path: '^server/cli/' },
    },
    {
      name: 'doctor-is-a-command',
      comment: 'doctor/ looks at every room from outside: no room looks at it, cli/ alone starts it.',
      severity: 'error',
      from: { path: '^server/', pathNot: '^server/(cli|doctor)/' },
      to: { path: '^server/doctor/' },
    },
    {
      name: 'agent-sdk-in-its-adapter-only',
      comment:
        'Only server/adapters/mcp speaks MCP with clients, and server/upstream/mcp with other servers: the rest of the server deals in ToolResult, so that another revision is another adapter.',
      severity: 'error',
      from: {
        path: '^(server|shared|extension)/',
        pathNot: ['^server/adapters/mcp/', '^server/upstream/mcp/', '^extension/widgets/[^/]+/host\\.ts$'],
      },
      to: { path: '^node_modules/@modelcontextprotocol/' },
    },
    {
      name: 'eras-of-mcp-apart',
      comment:
        'Each era of MCP has a folder that can be deleted: what both need lives in server/adapters/mcp, where stdio.ts and http/serve.ts alone choose.',
      severity: 'error',
      from: {
        path: '^server/adapters/mcp/(?:era-(\\d+)/|)',
        pathNot: '^server/adapters/mcp/(stdio|http/serve)\\.ts$',
      },
      to: { path: '^server/adapters/mcp/era-', pathNot: '^server/adapters/mcp/era-$1/' },
    },
    {
      name: 'sdk-of-sessions-in-its-era-only',
      comment: 'The 1.x SDK of MCP goes with server/adapters/mcp/era-2025.',
      severity: 'error',
      from: { path: '^server/adapters/mcp/', pathNot: '^server/adapters/mcp/era-2025/' },
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
          '^extension/(panel/components|words)/',
          // Of a tool its Render, and what Renders are.
          '^extension/panel/tools/((own|views)/[^/]+\\.tsx?|face\\.ts|blocks\\.tsx)$',
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
      to: { path: '^extension/panel/tools/[^/]+/' },
    },
    {
      name: 'widget-reaches-no-extension',
      comment:
        'A widget runs in a host, without the extension: what a Render needs of the worker or of the panel is in its props (extension/ui/faces/face.ts).',
      severity: 'error',
      from: { path: '^extension/widgets/' },
      to: {
        path: [
          '^extension/(?!widgets/|panel/(components|tools)/|words/)',
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
      comment: 'Only server/adapters/anthropic knows the Anthropic SDK: deal in CallResult elsewhere.',
      severity: 'error',
      from: { path: '^(server|shared|extension)/', pathNot: '^server/adapters/anthropic/' },
      to: { path: '^node_modules/@anthropic-ai/' },
    },
    {
      name: 'ai-sdk-in-its-adapter-only',
      comment: 'Only server/adapters/ai-sdk knows the AI SDK: deal in CallResult elsewhere.',
      severity: 'error',
      from: { path: '^(server|shared|extension)/', pathNot: '^server/adapters/ai-sdk/' },
      to: { path: '^node_modules/(ai|@ai-sdk)/' },
    },
    {
      name: 'library-knows-no-adapter',
      comment: 'Adapters are made from a session of the library: move what both need to library/.',
      severity: 'error',
      from: { path: '^server/library/' },
      to: { path: '^server/(adapters|cli)/' },
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
