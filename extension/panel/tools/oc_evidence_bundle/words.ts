import type { InEach, Texts } from '../../../words/languages.ts';
import type { BuiltinWords } from '../face.ts';

const en = {
  title: 'Evidence bundle',
  apiName: { oc_evidence_bundle: 'Evidence bundle' },
  inspector: { reload: 'reload' },
} as const satisfies BuiltinWords;

export const words: InEach<Texts<typeof en>> = {
  en,
  'zh-CN': {
    title: '证据包',
    apiName: { oc_evidence_bundle: '证据包' },
    inspector: { reload: '重新加载' },
  },
};
