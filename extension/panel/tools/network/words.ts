import type { InEach, Texts } from '../../../words/languages.ts';
import type { BuiltinWords } from '../face.ts';

const en = {
  title: 'Network capture',
  apiName: { network: 'Network' },
  inspector: { start: 'start', stop: 'stop', slice: 'requests', clear: 'clear', status: 'status' },
} as const satisfies BuiltinWords;

export const words: InEach<Texts<typeof en>> = {
  en,
  'zh-CN': {
    title: '网络捕获',
    apiName: { network: '网络' },
    inspector: { start: '开始', stop: '停止', slice: '请求', clear: '清除', status: '状态' },
  },
};
