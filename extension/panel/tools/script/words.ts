import type { InEach, Texts } from '../../../words/languages.ts';
import type { BuiltinWords } from '../face.ts';

const en = {
  title: 'Programs',
  apiName: { script: 'Run program' },
  inspector: {},
} as const satisfies BuiltinWords;

export const words: InEach<Texts<typeof en>> = {
  en,
  'zh-CN': { title: '程序', apiName: { script: '运行程序' }, inspector: {} },
};
