import type { InEach, Texts } from '../../../words/languages.ts';
import type { BuiltinWords } from '../face.ts';

const en = {
  title: 'Find tools',
  apiName: { find_tools: 'Find tools' },
  inspector: {
    matches: 'Tools that fit',
    selected: 'Selected tools',
    added: 'Added to the list',
    listed: 'listed',
    nothing: 'No tool fits.',
  },
} as const satisfies BuiltinWords;

export const words: InEach<Texts<typeof en>> = {
  en,
  'zh-CN': {
    title: '查找工具',
    apiName: { find_tools: '查找工具' },
    inspector: {
      matches: '合适的工具',
      selected: '选中的工具',
      added: '已加入列表',
      listed: '已列出',
      nothing: '没有合适的工具。',
    },
  },
};
export type FindToolsWords = Texts<typeof en>['inspector'];
