import type { InEach, Texts } from '../../../words/languages.ts';
import type { BuiltinWords } from '../face.ts';

const en = {
  title: 'Find',
  apiName: { find: 'Find elements' },
  inspector: {
    elements: 'Elements that were found',
    found: (count: number | null) => `${count ?? 0} found`,
    foundOf: (found: string, all: string) => `${found} of ${all}`,
  },
} as const satisfies BuiltinWords;

export const words: InEach<Texts<typeof en>> = {
  en,
  'zh-CN': {
    title: '查找',
    apiName: { find: '查找元素' },
    inspector: {
      elements: '找到的元素',
      found: (count) => `找到 ${count ?? 0} 个`,
      foundOf: (found, all) => `${found} 个，共 ${all} 个`,
    },
  },
};
