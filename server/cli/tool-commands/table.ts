import { type ErrorCode, invalidArgument } from '../../../shared/base/errors.ts';
import { tabField } from '../../../shared/core/tools/manifest.ts';
import { MANIFESTS, type ToolName } from '../../../shared/core/tools/index.ts';
import { commandName } from '../session/note.ts';
import { operandOf, operandValue, requiredParameter, type ArgumentsByTool } from './parameters.ts';

export interface PlannedCall {
  readonly tool: ToolName;
  readonly args: Readonly<Record<string, unknown>>;
  /** Shown in a terminal while the call works. */
  readonly label: string;
  /** A failure with this code becomes a note, and the next call follows. */
  readonly passes?: ErrorCode;
}

export interface CommandPlan {
  readonly calls: readonly PlannedCall[];
  /** It closes the tabs that it opens. */
  readonly inOwnTab: boolean;
}

/** A terminal command made from tools. Its options are their parameters. */
export interface ToolCommand {
  readonly name: string;
  readonly summary: string;
  /** The argument in commander's form, and its help; null for a command without one. */
  readonly operand: readonly [syntax: string, help: string] | null;
  /** The tools whose parameters are options; the last one answers. */
  readonly tools: readonly {
    readonly tool: ToolName;
    /** Parameters that the argument gives, or that a command has no use for. */
    readonly without: readonly string[];
  }[];
  /**
   * @param hasTab the session has a current tab
   * @throws SpillwayError `invalid_argument` for an option that the argument has no use for
   */
  readonly plan: (operands: readonly string[], given: ArgumentsByTool, hasTab: boolean) => CommandPlan;
}

const only = (tool: ToolName, label: string, args: PlannedCall['args']): CommandPlan => ({
  calls: [{ tool, label, args }],
  inOwnTab: false,
});

const readCommand: ToolCommand = {
  name: 'read',
  summary: 'print a page: its Markdown, text, HTML, outline or elements',
  operand: [
    '[target]',
    'an address, which is opened in a new background tab that is closed afterwards; the id of a tab, such as b1:42; default: the current tab of the session, else the one in front, which you are asked to lend',
  ],
  tools: [
    { tool: 'navigate', without: ['url', 'action', 'tab', 'wait_for'] },
    { tool: 'read_page', without: ['tab'] },
  ],
  plan([target], { navigate, read_page: args }, hasTab) {
    const isTab = target === undefined || tabField.safeParse(target).success;
    const tab = target ?? (hasTab ? undefined : 'active');
    const reading = {
      tool: 'read_page',
      label: 'Reading',
      args: { ...args, ...(isTab && tab !== undefined ? { tab } : {}) },
    } as const;
    if (!isTab) {
      const loading = {
        tool: 'navigate',
        label: `Loading ${target}`,
        args: { ...navigate, url: target },
      } as const;
      // A page that is still loading can be read as far as it has loaded.
      return { calls: [{ ...loading, passes: 'navigation_timeout' }, reading], inOwnTab: true };
    }
    const [idle] = Object.keys(navigate ?? {});
    if (idle === undefined) return { calls: [reading], inOwnTab: false };
    throw invalidArgument(`read: ${idle} goes with an address, not with a tab.`);
  },
};

const fetch: ToolCommand = {
  name: 'fetch',
  summary: 'print a file, or write it to a file with > FILE',
  operand: ['<url>', 'an http(s) address, or one relative to --tab'],
  tools: [{ tool: 'fetch', without: ['url'] }],
  plan: ([url = ''], { fetch: args }) => only('fetch', `Fetching ${url}`, { ...args, url }),
};

const crawl: ToolCommand = {
  name: 'crawl',
  summary: 'read linked pages, wait until all are read, and print them',
  operand: ['[urls...]', 'the pages to start from; none with --sitemap or --resume'],
  tools: [{ tool: 'crawl', without: ['url', 'urls', 'async'] }],
  plan([url, ...more], { crawl: args }) {
    const start = url === undefined ? {} : more.length === 0 ? { url } : { urls: [url, ...more] };
    return only('crawl', 'Crawling', { ...args, ...start });
  },
};

/** The parameter that becomes a command's argument, if it is not the one that its tool requires. */
const OPERANDS: Readonly<Partial<Record<ToolName, string>>> = {
  tabs: 'action',
  navigate: 'url',
  find: 'query',
  interact: 'steps',
  network: 'action',
  find_tools: 'query',
  oc_journal: 'action',
  docs_fetch: 'page',
  recipe_search: 'query',
  recipe_save: 'definition',
  request_human_input: 'message',
};

/** A tool as a command: one parameter is its argument, and the others are options. */
function commandOf(manifest: (typeof MANIFESTS)[number]): ToolCommand {
  const { name: tool, title, does: summary } = manifest;
  const { shape } = manifest.input;
  const required = requiredParameter(manifest);
  const operand = OPERANDS[tool] ?? required;
  return {
    name: commandName(tool),
    summary,
    operand: operand === undefined ? null : operandOf(shape, operand, required === operand),
    tools: [{ tool, without: operand === undefined ? [] : [operand] }],
    plan: (words, { [tool]: args }) =>
      only(tool, title, { ...args, ...(operand !== undefined && operandValue(shape, operand, words)) }),
  };
}

/** Tools that people and scripts can call, each as a command. */
export const TOOL_COMMANDS: readonly ToolCommand[] = [
  readCommand,
  fetch,
  crawl,
  ...MANIFESTS.filter(({ name, flags }) => !flags.hidden && name !== 'fetch' && name !== 'crawl').map(
    commandOf,
  ),
];
