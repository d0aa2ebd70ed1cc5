import { catalogue, type Texts } from '../../ui/words/languages.ts';
import '../../ui/words/zh-CN/components.ts';
import '../../ui/words/zh-CN/faces.ts';

const english = {
  /** Tools with a widget; others are shown by name. */
  tools: {
    crawl: 'Crawl',
    extract_data: 'Extract data',
    network: 'Network requests',
    oc_output_fetch: 'Stored output',
    read_page: 'Page',
    recipe_get: 'Recipe',
    recipe_run: 'Recipe run',
    recipe_search: 'Recipes',
    run_resume: 'Resume run',
    run_status: 'Run',
    other: 'Result',
  },
  notConnected: 'Not connected',
  waiting: 'Waiting',
  waitingForApproval: 'Waiting for approval',
  answered: 'Answered',
  disconnected: 'Disconnected',
  paused: 'Updates paused',
  said: (tool: string, status: string) => `${tool}: ${status}`,
  saidItems: (range: string) => `Items ${range}`,
  saidFailed: (message: string) => `Failed: ${message}`,
  range: (first: string, last: string, total: string) => `${first}–${last} of ${total}`,
  cancel: 'Cancel',
  cancelling: 'Cancelling…',
  cancelQuestion: 'Cancel this run? Its items stay readable.',
  keepRunning: 'Keep running',
  cancelRun: 'Cancel the run',
  retry: 'Try again',
  question: 'Question',
  arguments: 'Arguments',
  nothingDone: 'Nothing has been done yet. The call runs after it is allowed.',
  inConversation: 'The result of this call is in the conversation.',
  interrupted: 'The server that worked on this run has stopped. No items were lost: ask to resume the run.',
  noHost: 'No host responded. This page shows Spillway results only inside a conversation.',
  closed: 'Updates have stopped: the host closed this view.',
  lost: 'Disconnected: this is the last state that Spillway reported.',
  noCalls: (tool: string) =>
    `This host does not let widgets request updates: this is the state of “${tool}” when the call returned. Ask for its progress and items in the conversation.`,
  errors: {
    unreached:
      'The call did not reach Spillway. Try again; if the problem persists, ask for it in the conversation.',
    pending: 'The call is waiting for approval.',
    unknown: 'The call failed, and no reason was given.',
    link: (href: string) => `The host did not open ${href}`,
  },
  more: (size: string) => `Read more, ${size} left`,
  reading: 'Reading…',
} as const;

export type WidgetWords = Texts<typeof english>;

export const texts = catalogue<WidgetWords>(english);

texts.teach('zh-CN', {
  tools: {
    crawl: '爬取',
    extract_data: '提取数据',
    network: '网络请求',
    oc_output_fetch: '已存储的输出',
    read_page: '页面',
    recipe_get: '配方',
    recipe_run: '配方运行',
    recipe_search: '配方列表',
    run_resume: '恢复运行',
    run_status: '运行',
    other: '结果',
  },
  notConnected: '未连接',
  waiting: '等待中',
  waitingForApproval: '等待批准',
  answered: '已回答',
  disconnected: '连接已断开',
  paused: '更新已暂停',
  said: (tool, status) => `${tool}的状态：${status}`,
  saidItems: (range) => `条目${range}`,
  saidFailed: (message) => `失败：${message}`,
  range: (first, last, total) => `第 ${first}–${last} 条，共 ${total} 条`,
  cancel: '取消',
  cancelling: '正在取消…',
  cancelQuestion: '取消此次运行？其条目仍可读取。',
  keepRunning: '继续运行',
  cancelRun: '取消运行',
  retry: '重试',
  question: '问题',
  arguments: '参数',
  nothingDone: '尚未执行任何操作。批准后才会执行此调用。',
  inConversation: '此调用的结果在对话中。',
  interrupted: '执行此运行的服务器已停止。条目没有丢失：可要求恢复运行。',
  noHost: '没有宿主响应。此页面只在对话中显示 Spillway 的结果。',
  closed: '更新已停止：宿主关闭了此视图。',
  lost: '连接已断开：这是 Spillway 最后报告的状态。',
  noCalls: (tool) =>
    `此宿主不允许小组件请求更新：这是调用返回时“${tool}”的状态。请在对话中询问其进度和条目。`,
  errors: {
    unreached: '调用未到达 Spillway。请重试；如果仍有问题，请在对话中询问。',
    pending: '此调用正在等待批准。',
    unknown: '调用失败，没有给出原因。',
    link: (href) => `宿主没有打开 ${href}`,
  },
  more: (size) => `继续读取，剩余 ${size}`,
  reading: '正在读取…',
});

/** The title of a tool, or its name as words (`run_log` is `Run log`). */
export function toolTitle(name: string | null, { tools }: WidgetWords): string {
  if (name === null) return tools.other;
  const known = Object.entries(tools).find(([tool]) => tool === name);
  if (known !== undefined) return known[1];
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
