import type { InEach, Texts } from '../../../words/languages.ts';
import type { BuiltinWords } from '../face.ts';

const en = {
  title: 'Screenshot',
  apiName: { screenshot: 'Screenshot' },
  inspector: {
    shown: 'What the page showed',
    notRedacted: 'Pictures cannot be redacted: this one shows what the page shows.',
    full_page: 'full page',
    tiles: 'tiles',
    handle: 'stored',
  },
} as const satisfies BuiltinWords;

export const words: InEach<Texts<typeof en>> = {
  en,
  'zh-CN': {
    title: '截图',
    apiName: { screenshot: '截图' },
    inspector: {
      shown: '页面当时的画面',
      notRedacted: '图片无法脱敏：这张图片显示页面上的全部内容。',
      full_page: '整页',
      tiles: '分块',
      handle: '存储',
    },
  },
};
