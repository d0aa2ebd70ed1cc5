import type { InEach, Texts } from '../../../words/languages.ts';
import type { BuiltinWords } from '../face.ts';

const en = {
  title: 'Documentation',
  apiName: { docs_search: 'Search documentation', docs_fetch: 'Read documentation' },
  inspector: { nothing: 'No section fits.' },
} as const satisfies BuiltinWords;

export const words: InEach<Texts<typeof en>> = {
  en,
  'zh-CN': {
    title: '文档',
    apiName: { docs_search: '搜索文档', docs_fetch: '阅读文档' },
    inspector: { nothing: '没有合适的章节。' },
  },
};
