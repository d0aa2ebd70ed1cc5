import { SpillwayError, type ErrorCode } from '../../../shared/errors.ts';
import { tabField } from '../../../shared/tools/fields.ts';
import type { ToolName } from '../../../shared/tools/index.ts';
import type { ArgumentsByTool } from './parameters.ts';

export interface PlannedCall {
  readonly tool: ToolName;
  readonly args: Readonly<Record<string, unknown>>;
  /** Shown in a terminal while the call works. */
  readonly label: string;
  /** A failure with this code is a note, and the next call is made. */
  readonly passes?: ErrorCode;
}

/** A command of the terminal that is made from tools. Its options are their parameters. */
export interface ToolCommand {
  readonly name: string;
  readonly summary: string;
  /** The argument in commander's form, and its help. */
  readonly operand: readonly [syntax: string, help: string];
  /** The tools whose parameters are options; the last one answers. */
  readonly tools: readonly {
    readonly tool: ToolName;
    /** Parameters that the argument says, or that a command has no use for. */
    readonly without: readonly string[];
  }[];
  /** @throws SpillwayError `invalid_argument` for an option that the argument has no use for */
  readonly plan: (operands: readonly string[], given: ArgumentsByTool) => readonly PlannedCall[];
}

const read: ToolCommand = {
  name: 'read',
  summary: 'print a page: its Markdown, text, HTML, outline or elements',
  operand: [
    '[target]',
    'an address, which is opened in a new background tab that is closed afterwards; the id of a tab, such as b1:42; default: the active tab',
  ],
  tools: [
    { tool: 'navigate', without: ['url', 'action', 'tab', 'wait_for'] },
    { tool: 'read_page', without: ['tab'] },
  ],
  plan([target = 'active'], { navigate, read_page: args }) {
    const isTab = tabField.safeParse(target).success;
    const reading = {
      tool: 'read_page',
      label: 'Reading',
      args: { ...args, ...(isTab ? { tab: target } : {}) },
    } as const;
    if (!isTab) {
      const loading = {
        tool: 'navigate',
        label: `Loading ${target}`,
        args: { ...navigate, url: target },
      } as const;
      // A page that is still loading can be read as far as it has come.
      return [{ ...loading, passes: 'navigation_timeout' }, reading];
    }
    const [idle] = Object.keys(navigate ?? {});
    if (idle === undefined) return [reading];
    throw new SpillwayError('invalid_argument', `read: ${idle} goes with an address, not with a tab.`);
  },
};

const fetch: ToolCommand = {
  name: 'fetch',
  summary: 'print a file, or write it to a file with > FILE',
  operand: ['<url>', 'an http(s) address, or one that is relative to --tab'],
  tools: [{ tool: 'fetch', without: ['url'] }],
  plan: ([url = ''], { fetch: args }) => [
    { tool: 'fetch', label: `Fetching ${url}`, args: { ...args, url } },
  ],
};

const crawl: ToolCommand = {
  name: 'crawl',
  summary: 'read linked pages, wait until all are read, and print them',
  operand: ['[urls...]', 'the pages to start from; none with --sitemap or --resume'],
  tools: [{ tool: 'crawl', without: ['url', 'urls', 'async'] }],
  plan([url, ...more], { crawl: args }) {
    const start = url === undefined ? {} : more.length === 0 ? { url } : { urls: [url, ...more] };
    return [{ tool: 'crawl', label: 'Crawling', args: { ...args, ...start } }];
  },
};

export const TOOL_COMMANDS: readonly ToolCommand[] = [read, fetch, crawl];
