import type { InEach, Texts } from '../../../words/languages.ts';
import type { BuiltinWords } from '../face.ts';

const en = {
  title: 'Query stored output',
  apiName: { oc_output_query: 'Query output' },
  inspector: {
    schema: 'schema',
    stats: 'statistics',
    diff: 'differences',
    sortedBy: (key: string) => `by ${key}`,
  },
} as const satisfies BuiltinWords;

export const words: InEach<Texts<typeof en>> = {
  en,
  'zh-CN': {
    title: '查询已存储的输出',
    apiName: { oc_output_query: '查询输出' },
    inspector: {
      schema: '结构',
      stats: '统计',
      diff: '差异',
      sortedBy: (key) => `按 ${key}`,
    },
  },
};
