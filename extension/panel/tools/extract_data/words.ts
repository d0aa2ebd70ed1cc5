import type { InEach, Texts } from '../../../words/languages.ts';
import type { BuiltinWords } from '../face.ts';

const en = {
  title: 'Extract data',
  apiName: { extract_data: 'Extract data' },
  inspector: {},
} as const satisfies BuiltinWords;

export const words: InEach<Texts<typeof en>> = {
  en,
  'zh-CN': {
    title: '提取数据',
    apiName: { extract_data: '提取数据' },
    inspector: {},
  },
};
