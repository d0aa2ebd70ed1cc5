import type { InEach, Texts } from '../../../words/languages.ts';
import type { BuiltinWords } from '../face.ts';

const en = {
  title: 'Console messages',
  apiName: { console: 'Console' },
  inspector: {
    silent: 'The page has said nothing.',
    stack: 'Stack',
    levels: { debug: 'debug', info: 'info', warning: 'warning', error: 'error' } as Readonly<
      Record<string, string>
    >,
    info: 'info and above',
    warning: 'warnings and errors',
    error: 'errors',
  },
} as const satisfies BuiltinWords;

export const words: InEach<Texts<typeof en>> = {
  en,
  'zh-CN': {
    title: '控制台消息',
    apiName: { console: '控制台' },
    inspector: {
      silent: '页面没有输出消息。',
      stack: '调用栈',
      levels: { debug: '调试', info: '信息', warning: '警告', error: '错误' },
      info: '信息及以上',
      warning: '警告和错误',
      error: '错误',
    },
  },
};
export type ConsoleWords = Texts<typeof en>['inspector'];
