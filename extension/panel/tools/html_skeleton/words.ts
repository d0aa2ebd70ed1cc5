import type { InEach, Texts } from '../../../words/languages.ts';
import type { BuiltinWords } from '../face.ts';

const en = {
  title: 'HTML skeleton',
  apiName: { html_skeleton: 'HTML skeleton' },
  inspector: { structure: 'Structure of the page' },
} as const satisfies BuiltinWords;

export const words: InEach<Texts<typeof en>> = {
  en,
  'zh-CN': {
    title: 'HTML 骨架',
    apiName: { html_skeleton: 'HTML 骨架' },
    inspector: { structure: '页面结构' },
  },
};
