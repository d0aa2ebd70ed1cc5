import type { InEach, Texts } from '../../../words/languages.ts';
import type { BuiltinWords } from '../face.ts';

const en = {
  title: 'Browser tabs',
  apiName: { tabs: 'Tabs' },
  inspector: {
    none: 'No tab is open.',
    done: {
      opened: (tab: string) => `opened ${tab}`,
      closed: (tab: string) => `closed ${tab}`,
      activated: (tab: string) => `${tab} is in front`,
    },
    marks: { current: 'current', active: 'in front', loading: 'loading', discarded: 'asleep' },
    list: 'list',
    open: 'open',
    close: 'close',
    activate: 'bring to the front',
  },
} as const satisfies BuiltinWords;

export const words: InEach<Texts<typeof en>> = {
  en,
  'zh-CN': {
    title: '标签页',
    apiName: { tabs: '标签页' },
    inspector: {
      none: '没有打开的标签页。',
      done: {
        opened: (tab) => `已打开 ${tab}`,
        closed: (tab) => `已关闭 ${tab}`,
        activated: (tab) => `${tab} 已在前台`,
      },
      marks: { current: '当前', active: '前台', loading: '加载中', discarded: '已休眠' },
      list: '列出',
      open: '打开',
      close: '关闭',
      activate: '切换到前台',
    },
  },
};
export type TabsWords = Texts<typeof en>['inspector'];
