import { plural, type InEach, type Texts } from '../../../words/languages.ts';

const english = {
  status: {
    queued: 'Waits',
    running: 'Running',
    completed: 'Completed',
    failed: 'Failed',
    cancelled: 'Cancelled',
    interrupted: 'Interrupted',
  },
  run: 'Run',
  tool: 'Tool',
  started: 'Started',
  took: 'Took',
  items: 'Items',
  failures: 'Failed',
  rate: 'Speed',
  perSecond: (rate: string) => `${rate} a second`,
  openRun: 'Open run',
  openOutput: 'Open output',
  progress: 'Progress',
  done: (done: string, all: string) => `${done} of ${all}`,
  total: (count: number, shown: string) => plural(count, { one: '1 run', other: `${shown} runs` }),
  noRuns: 'There are no runs.',
  list: 'Runs',
  log: 'Log',
  noLines: 'The log is empty so far.',
  moreToCome: 'More items may come.',
  noItems: 'No items so far.',
  newest: 'Newest items',
} as const;

type RunWords = Texts<typeof english>;

const chinese: RunWords = {
  status: {
    queued: '排队中',
    running: '运行中',
    completed: '已完成',
    failed: '失败',
    cancelled: '已取消',
    interrupted: '已中断',
  },
  run: '运行',
  tool: '工具',
  started: '开始时间',
  took: '用时',
  items: '条目',
  failures: '失败',
  rate: '速度',
  perSecond: (rate) => `每秒 ${rate} 个`,
  openRun: '打开运行',
  openOutput: '打开输出',
  progress: '进度',
  done: (done, all) => `已完成 ${done}，共 ${all}`,
  total: (_count, shown) => `${shown} 个运行`,
  noRuns: '没有运行。',
  list: '运行列表',
  log: '日志',
  noLines: '日志目前为空。',
  moreToCome: '可能还会有更多条目。',
  noItems: '目前没有条目。',
  newest: '最新条目',
};

/** What faces say of runs. */
export const runWords: InEach<RunWords> = { en: english, 'zh-CN': chinese };
