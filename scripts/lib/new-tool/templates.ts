import type { NewTool } from './options.ts';

/*
 * The files of a new tool, plain but complete: the tool returns its text along the
 * path that its options choose. They are formatted when they are written.
 */
type Template = (tool: NewTool) => string;

const lines = (...parts: (string | false)[]): string =>
  `${parts.filter((part) => part !== false).join('\n')}\n`;

/** The capability of a tool by itself: `mill_count` → `mill-count`. */
export const folderOf = (name: string): string => name.replaceAll('_', '-');

/** `mill_count` → `Mill count`. */
const titleOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

export const readmeFile: Template = ({ name }) =>
  lines(`# server/${folderOf(name)}`, '', `${titleOf(name)}.`, '', `- Start with: \`${name}.runtime.ts\`.`);

export const manifestFile: Template = ({ name, category, tier, extension, runs, spills }) =>
  lines(
    `import { z } from 'zod';`,
    `import { ${runs ? 'RunAnswerFields, ' : ''}defineTool } from '../core/tools/manifest.ts';`,
    '',
    `export const manifest = defineTool({`,
    `  name: '${name}',`,
    `  title: '${titleOf(name)}',`,
    `  category: '${category}',`,
    `  tier: ${tier},`,
    `  risk: 'none',`,
    `  does: 'Returns the text that it was given${extension ? ', through the browser' : ''}.',`,
    `  use: 'Use it to check that it can be reached.',`,
    `  avoid: 'Not for reading pages: use read_page.',`,
    `  input: z.strictObject({`,
    `    text: z.string().min(1).max(10_000).describe('Text to return'),`,
    runs && `    async: z.boolean().optional().describe('Return the run_id immediately'),`,
    `  }),`,
    runs && `  output: RunAnswerFields,`,
    `  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: ${!runs}, openWorldHint: false },`,
    spills && `  spills: true,`,
    runs && `  runs: true,`,
    extension && `  faces: { extension: true },`,
    `});`,
    '',
    `export const manifests = [manifest] as const;`,
  );

export const methodsFile: Template = ({ name }) =>
  lines(
    `import { z } from 'zod';`,
    `import { unjudged } from '../core/policy/risks.ts';`,
    '',
    `export const methods = {`,
    `  /** Returns its text, which shows that the worker can be reached. */`,
    `  '${name}.echo': unjudged(z.object({ text: z.string() }), z.object({ text: z.string() })),`,
    `} as const;`,
  );

export const handlerFile: Template = ({ name }) =>
  lines(
    `import type { Handlers } from '../../core/handler.ts';`,
    '',
    `/** The methods of \`${name}\`. */`,
    `export function createHandlers(): Pick<Handlers, '${name}.echo'> {`,
    `  return { '${name}.echo': ({ text }) => Promise.resolve({ text }) };`,
    `}`,
  );

export const runtimeFile: Template = (tool) => (tool.runs ? runStarter(tool) : answerer(tool));

const answerer: Template = ({ name, extension }) =>
  lines(
    `import { each } from '../../shared/base/queue.ts';`,
    `import { MIME } from '../../shared/base/mime.ts';`,
    `import type { z } from 'zod';`,
    `import type { manifest } from '../../shared/${folderOf(name)}/${name}.manifest.ts';`,
    `import type { ToolRuntimes } from '../core/registry/definition.ts';`,
    extension && `import type { Bridge } from '../core/services.ts';`,
    extension && `import { resolveBrowser } from '../core/targets.ts';`,
    '',
    `/** \`${name}\`: returns the text that it was given${extension ? ', through the browser' : ''}. */`,
    extension
      ? `export const createRuntimes = ({ bridge }: { readonly bridge: Bridge }): ToolRuntimes => ({`
      : `export const createRuntimes = (): ToolRuntimes => ({`,
    `  ${name}: async (args: z.output<typeof manifest.input>${extension ? ', context' : ''}) => {`,
    extension && `    const browser = await resolveBrowser(bridge, undefined, context.signal);`,
    extension
      ? `    const { text } = await bridge.request(browser, '${name}.echo', { text: args.text }, context);`
      : `    const { text } = args;`,
    `    return {`,
    `      payload: { kind: 'text', mimeType: MIME.text, chunks: each([text]) },`,
    `      outcome: () => ({ state: {}, coverage: [] }),`,
    `    };`,
    `  },`,
    `});`,
  );

const runStarter: Template = ({ name }) =>
  lines(
    `import type { z } from 'zod';`,
    `import type { manifest } from '../../shared/${folderOf(name)}/${name}.manifest.ts';`,
    `import { answerRun } from '../core/calls/produce.ts';`,
    `import type { Runs } from '../core/runs.ts';`,
    `import type { ToolRuntimes } from '../core/registry/definition.ts';`,
    '',
    `/** \`${name}\`: starts a run, and waits for it as long as a call can. */`,
    `export const createRuntimes = ({ runs }: { readonly runs: Runs }): ToolRuntimes => ({`,
    `  ${name}: async ({ text, async }: z.output<typeof manifest.input>, context) => {`,
    `    const { session, output } = context;`,
    `    const view = await runs.start({`,
    `      tool: '${name}',`,
    `      args: { text },`,
    `      source: '${name}',`,
    `      session,`,
    `      output,`,
    `    });`,
    `    return answerRun(runs, view, { async, context });`,
    `  },`,
    `});`,
  );

export const workFile: Template = ({ name, extension }) =>
  lines(
    `import { manifest } from '../../shared/${folderOf(name)}/${name}.manifest.ts';`,
    `import type { RunWorker } from '../core/runs.ts';`,
    extension && `import type { Bridge } from '../core/services.ts';`,
    extension && `import { resolveBrowser } from '../core/targets.ts';`,
    '',
    `/** The work of the runs of \`${name}\`: one item, committed once. */`,
    extension
      ? `export function createWorker({ bridge }: { readonly bridge: Bridge }): RunWorker {`
      : `export function createWorker(): RunWorker {`,
    `  return {`,
    `    async run(stored, scope) {`,
    `      const args = manifest.input.parse(stored);`,
    `      scope.signal.throwIfAborted();`,
    extension && `      const browser = await resolveBrowser(bridge, undefined, scope.signal);`,
    extension
      ? `      const { text } = await bridge.request(browser, '${name}.echo', { text: args.text }, scope);`
      : `      const { text } = args;`,
    `      // A resumed run already has the items that it committed before.`,
    `      if (scope.state.get(['done']) === undefined)`,
    `        await scope.commit({ items: [{ text }], change: (change) => change.put(['done'], true) });`,
    `      scope.progress({ done: 1, queued: 0, failed: 0 });`,
    `      return { state: {}, coverage: [] };`,
    `    },`,
    `  };`,
    `}`,
  );

/** Its row in the panel: its answer is shown by kind until the row says more. */
export const rowText: Template = ({ name }) => `  ${name}: { about: ['text'] },\n`;

export const wordsText: Template = ({ name }) => `  ${name}: '${titleOf(name)}',\n`;

/** A test asks for Chinese words. */
export const translationText: Template = ({ name }) => `    "names.${name}": "工具 ${titleOf(name)}",\n`;

export const casesFile: Template = ({ name, extension, runs }) =>
  lines(
    extension && `import type { BridgeHandlers } from '../../support/bridge-handlers.ts';`,
    `import { fails, ok, ${runs ? 'type OutputCase, ' : ''}type ToolCase } from '../../support/tool-cases.ts';`,
    '',
    `export const adapterCases: readonly ToolCase[] = [`,
    `  ok('${name}', 'returns its text', { text: 'four sails'${runs ? ', async: false' : ''} }),`,
    `  fails('${name}', 'invalid_argument', { text: '' }),`,
    `];`,
    runs && '',
    runs && `export const outputCases: readonly OutputCase[] = [`,
    runs && `  { tool: '${name}', args: { text: 'four sails' }, has: 'items' },`,
    runs && `];`,
    extension && '',
    extension && `export const fakeHandlers: BridgeHandlers = {`,
    extension && `  '${name}.echo': async ({ text }) => ({ text }),`,
    extension && `};`,
  );
