import type { InEach, Texts } from '../../../words/languages.ts';
import type { BuiltinWords } from '../face.ts';

const en = {
  title: 'Schema of stored output',
  apiName: { output_schema: 'Infer schema' },
  inspector: {},
} as const satisfies BuiltinWords;

export const words: InEach<Texts<typeof en>> = {
  en,
  'zh-CN': {
    title: '已存储输出的结构',
    apiName: { output_schema: '推断结构' },
    inspector: {},
  },
};
