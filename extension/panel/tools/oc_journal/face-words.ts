import { plural, type InEach, type Texts } from '../../../words/languages.ts';

const english = {
  lines: 'Entries',
  none: 'No entries.',
  entries: (count: number, shown: string) => plural(count, { one: '1 entry', other: `${shown} entries` }),
  between: (from: string, to: string) => `${from} to ${to}`,
  tools: 'Tools',
  tool: 'Tool',
  calls: 'Calls',
  errors: 'Errors',
  bytes: 'Answered',
  median: 'Median',
  slow: 'Slowest 5 %',
  events: 'Events',
  ok: 'OK',
};

const chinese: Texts<typeof english> = {
  lines: '条目',
  none: '没有条目。',
  entries: (_count, shown) => `${shown} 条`,
  between: (from, to) => `${from} 至 ${to}`,
  tools: '工具',
  tool: '工具',
  calls: '调用',
  errors: '错误',
  bytes: '返回量',
  median: '中位数',
  slow: '最慢的 5 %',
  events: '事件',
  ok: '成功',
};

export const words: InEach<Texts<typeof english>> = { en: english, 'zh-CN': chinese };
