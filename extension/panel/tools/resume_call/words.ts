import type { InEach, Texts } from '../../../words/languages.ts';
import type { BuiltinWords } from '../face.ts';

const en = {
  title: 'Resume call',
  apiName: { resume_call: 'Resume call' },
  inspector: {},
} as const satisfies BuiltinWords;

export const words: InEach<Texts<typeof en>> = {
  en,
  'zh-CN': {
    title: '恢复调用',
    apiName: { resume_call: '恢复调用' },
    inspector: {},
  },
};
