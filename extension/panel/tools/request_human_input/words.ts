import type { InEach, Texts } from '../../../words/languages.ts';
import type { BuiltinWords } from '../face.ts';

const en = {
  title: 'Request human input',
  apiName: { request_human_input: 'Ask a person' },
  inspector: { approval: 'approval', text: 'text', choice: 'choice', form: 'form', takeover: 'take over' },
} as const satisfies BuiltinWords;

export const words: InEach<Texts<typeof en>> = {
  en,
  'zh-CN': {
    title: '请求人工输入',
    apiName: { request_human_input: '询问用户' },
    inspector: { approval: '批准', text: '文本', choice: '选择', form: '表单', takeover: '接管' },
  },
};
