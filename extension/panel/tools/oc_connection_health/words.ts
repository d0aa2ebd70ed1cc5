import type { InEach, Texts } from '../../../words/languages.ts';
import type { BuiltinWords } from '../face.ts';

const en = {
  title: 'Connection health',
  apiName: { oc_connection_health: 'Connection health' },
  inspector: {},
} as const satisfies BuiltinWords;

export const words: InEach<Texts<typeof en>> = {
  en,
  'zh-CN': {
    title: '连接状况',
    apiName: { oc_connection_health: '连接状况' },
    inspector: {},
  },
};
