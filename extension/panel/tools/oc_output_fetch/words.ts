import type { InEach, Texts } from '../../../words/languages.ts';
import type { BuiltinWords } from '../face.ts';

const en = {
  title: 'Fetch stored output',
  apiName: { oc_output_fetch: 'Fetch output' },
  inspector: { from: (offset: string) => `from ${offset}` },
} as const satisfies BuiltinWords;

export const words: InEach<Texts<typeof en>> = {
  en,
  'zh-CN': {
    title: '读取已存储的输出',
    apiName: { oc_output_fetch: '读取输出' },
    inspector: { from: (offset) => `从 ${offset} 起` },
  },
};
