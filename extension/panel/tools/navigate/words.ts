import type { InEach, Texts } from '../../../words/languages.ts';
import type { BuiltinWords } from '../face.ts';

const en = {
  title: 'Navigate',
  apiName: { navigate: 'Navigate' },
  inspector: {
    status: (code: number) => `HTTP ${code}`,
    tab: 'Tab',
    waited: 'Waited',
    redirects: (count: string) => `Redirects (${count})`,
    back: 'back',
    forward: 'forward',
    reload: 'reload',
  },
} as const satisfies BuiltinWords;

export const words: InEach<Texts<typeof en>> = {
  en,
  'zh-CN': {
    title: '导航',
    apiName: { navigate: '导航' },
    inspector: {
      status: (code) => `HTTP 状态 ${code}`,
      tab: '标签页',
      waited: '等待了',
      redirects: (count) => `重定向（${count}）`,
      back: '后退',
      forward: '前进',
      reload: '重新加载',
    },
  },
};
