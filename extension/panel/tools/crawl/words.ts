import type { InEach, Texts } from '../../../words/languages.ts';
import type { BuiltinWords } from '../face.ts';

const en = {
  title: 'Crawl',
  apiName: { crawl: 'Crawl' },
  inspector: {},
} as const satisfies BuiltinWords;

export const words: InEach<Texts<typeof en>> = {
  en,
  'zh-CN': {
    title: '爬取',
    apiName: { crawl: '爬取' },
    inspector: {},
  },
};
