import type { InEach, Texts } from '../../../words/languages.ts';
import type { BuiltinWords } from '../face.ts';

const en = {
  title: 'Answer a dialog',
  apiName: { dialog: 'Answer dialog' },
  inspector: {
    dialog: 'dialog',
    accepted: 'accepted',
    dismissed: 'dismissed',
    next: 'The page opened another one:',
    changes: 'What changed',
    accept: 'accept',
    dismiss: 'dismiss',
  },
} as const satisfies BuiltinWords;

export const words: InEach<Texts<typeof en>> = {
  en,
  'zh-CN': {
    title: '回应对话框',
    apiName: { dialog: '回应对话框' },
    inspector: {
      dialog: '对话框',
      accepted: '已接受',
      dismissed: '已取消',
      next: '页面又打开了一个：',
      changes: '变化',
      accept: '接受',
      dismiss: '取消',
    },
  },
};
export type DialogWords = Texts<typeof en>['inspector'];
