import type { InEach, Texts } from '../../../words/languages.ts';
import type { BuiltinWords } from '../face.ts';

const en = {
  title: 'Wait for',
  apiName: { wait_for: 'Wait for' },
  inspector: {
    met: (name: string) => `${name} held`,
    missing: (name: string) => `${name} did not hold`,
    after: (time: string) => `after ${time}`,
    said: 'What there was',
    gone: 'to go away',
    load: 'loaded',
    download: 'download',
    idle: 'network idle',
    any: 'any of them',
  },
} as const satisfies BuiltinWords;

export const words: InEach<Texts<typeof en>> = {
  en,
  'zh-CN': {
    title: '等待',
    apiName: { wait_for: '等待' },
    inspector: {
      met: (name) => `${name} 成立`,
      missing: (name) => `${name} 未成立`,
      after: (time) => `用时 ${time}`,
      said: '当时的情况',
      gone: '消失',
      load: '加载完成',
      download: '下载',
      idle: '网络空闲',
      any: '任意一个',
    },
  },
};
