import { plural, type InEach, type Texts } from '../../words/languages.ts';

const generalEnglish = {
  arriving: 'Waiting for the answer',
  empty: 'It answered nothing.',
  noArguments: 'It was given nothing.',
  hint: 'What to do',
  body: 'Details',
  state: 'What there was until then',
  stored: 'Stored as',
  size: 'Size',
  type: 'Type',
  items: 'Items',
  keptUntil: 'Kept until',
  preview: 'Beginning',
  open: 'Open stored output',
  notes: 'Notes',
  json: 'JSON',
  picture: 'Picture that the call answered',
  wholeNumber: (least: number, most: number) => `This takes a whole number from ${least} to ${most}.`,
  progress: (done: string, total: string) => `${done} of ${total}`,
} as const;

/** What the general faces say. */
type GeneralWords = Texts<typeof generalEnglish>;

const generalChinese: GeneralWords = {
  arriving: '正在等待结果',
  empty: '没有返回内容。',
  noArguments: '没有参数。',
  hint: '应对方法',
  body: '详细信息',
  state: '失败前已有的内容',
  stored: '存储为',
  size: '大小',
  type: '类型',
  items: '条目',
  keptUntil: '保留至',
  preview: '开头',
  open: '打开已存储的输出',
  notes: '说明',
  json: 'JSON 文本',
  picture: '调用返回的图片',
  wholeNumber: (least, most) => `这里需要 ${least} 到 ${most} 之间的整数。`,
  progress: (done, total) => `已完成 ${done} / ${total}`,
};

export const generalTexts: InEach<GeneralWords> = { en: generalEnglish, 'zh-CN': generalChinese };

const runEnglish = {
  status: {
    queued: 'Queued',
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
  perSecond: (rate: string) => `${rate}/s`,
  perMinute: (rate: string) => `${rate}/min`,
  elapsed: 'Elapsed',
  size: 'Size',
  storedAs: 'Stored as',
  openRun: 'Open run',
  openOutput: 'Open output',
  progress: 'Progress',
  done: (done: string, all: string) => `${done} of ${all}`,
  doneSoFar: (done: string) => `${done} done`,
  alsoFailed: (text: string, failed: string) => `${text}, ${failed} failed`,
  finished: 'Done',
  total: (count: number, shown: string) => plural(count, { one: '1 run', other: `${shown} runs` }),
  noRuns: 'There are no runs.',
  list: 'Runs',
  log: 'Log',
  noLines: 'The log is empty so far.',
  moreToCome: 'More items may come.',
  noItems: 'No items so far.',
  newest: 'Newest items',
} as const;

type RunWords = Texts<typeof runEnglish>;

const runChinese: RunWords = {
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
  perSecond: (rate) => `${rate}/秒`,
  perMinute: (rate) => `${rate}/分钟`,
  elapsed: '已用时',
  size: '大小',
  storedAs: '存储为',
  openRun: '打开运行',
  openOutput: '打开输出',
  progress: '进度',
  done: (done, all) => `已完成 ${done}，共 ${all}`,
  doneSoFar: (done) => `已完成 ${done}`,
  alsoFailed: (text, failed) => `${text}，失败 ${failed}`,
  finished: '完成',
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
export const runWords: InEach<RunWords> = { en: runEnglish, 'zh-CN': runChinese };
