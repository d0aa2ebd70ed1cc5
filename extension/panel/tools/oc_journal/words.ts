import type { InEach, Texts } from '../../../words/languages.ts';
import type { BuiltinWords } from '../face.ts';

const en = {
  title: 'Journal',
  apiName: { oc_journal: 'Journal' },
  inspector: { summary: 'summary', recent: 'recent calls' },
} as const satisfies BuiltinWords;

export const words: InEach<Texts<typeof en>> = {
  en,
  'zh-CN': {
    title: '日志',
    apiName: { oc_journal: '日志' },
    inspector: { summary: '摘要', recent: '最近的调用' },
  },
};
