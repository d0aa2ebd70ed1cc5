import type { InEach, Texts } from '../../../words/languages.ts';
import type { BuiltinWords } from '../face.ts';

const en = {
  title: 'Keep a stored output',
  apiName: { output_keep: 'Keep an output' },
  inspector: { release: 'let it expire' },
} as const satisfies BuiltinWords;

export const words: InEach<Texts<typeof en>> = {
  en,
  'zh-CN': {
    title: '保留已存储的输出',
    apiName: { output_keep: '保留输出' },
    inspector: { release: '允许过期' },
  },
};
