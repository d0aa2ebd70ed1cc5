import type { InEach, Texts } from '../../../words/languages.ts';
import type { BuiltinWords } from '../face.ts';

const en = {
  title: 'Read page',
  apiName: { read_page: 'Read page' },
  inspector: {
    text: 'text',
    html: 'HTML',
    snapshot: 'snapshot',
    nodes: 'nodes',
    main: 'main content',
    controls: 'controls only',
    changes: 'changes',
  },
} as const satisfies BuiltinWords;

export const words: InEach<Texts<typeof en>> = {
  en,
  'zh-CN': {
    title: '读取页面',
    apiName: { read_page: '读取页面' },
    inspector: {
      text: '文本',
      html: 'HTML 源码',
      snapshot: '快照',
      nodes: '节点',
      main: '正文',
      controls: '仅控件',
      changes: '变化',
    },
  },
};
export type ReadPageWords = Texts<typeof en>['inspector'];
