import type { InEach, Texts } from '../../../words/languages.ts';
import type { BuiltinWords } from '../face.ts';

const en = {
  title: 'Interact',
  apiName: { interact: 'Interact' },
  inspector: {
    done: (count: number) => `${count} done`,
    parts: {
      step: 'Steps',
      page: 'Page',
      dialog: 'Dialog',
      opened: 'Opened tabs',
      download: 'Downloads',
      requests: 'Requests',
      error: 'Errors of the page',
      untried: 'Not tried',
      change: 'What changed',
    },
    snapshot: 'then a snapshot',
  },
} as const satisfies BuiltinWords;

export const words: InEach<Texts<typeof en>> = {
  en,
  'zh-CN': {
    title: '操作页面',
    apiName: { interact: '操作页面' },
    inspector: {
      done: (count) => `完成 ${count} 步`,
      parts: {
        step: '步骤',
        page: '页面',
        dialog: '对话框',
        opened: '打开的标签页',
        download: '下载',
        requests: '请求',
        error: '页面错误',
        untried: '未尝试',
        change: '变化',
      },
      snapshot: '随后生成快照',
    },
  },
};
export type InteractWords = Texts<typeof en>['inspector'];
