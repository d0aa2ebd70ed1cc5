import type { InEach, Texts } from '../../../words/languages.ts';
import type { BuiltinWords } from '../face.ts';

const en = {
  title: 'List stored outputs',
  apiName: { output_list: 'List outputs' },
  inspector: {},
} as const satisfies BuiltinWords;

export const words: InEach<Texts<typeof en>> = {
  en,
  'zh-CN': {
    title: '列出已存储的输出',
    apiName: { output_list: '列出输出' },
    inspector: {},
  },
};
