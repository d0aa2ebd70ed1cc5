import type { InEach, Texts } from '../../../words/languages.ts';

const english = {
  intervention: {
    action: 'Button',
    accept: 'OK',
    dismiss: 'Cancel',
    text: 'What is typed into it',
  },
};

const chinese: Texts<typeof english> = {
  intervention: {
    action: '按钮',
    accept: '“确定”',
    dismiss: '“取消”',
    text: '填入的文字',
  },
};

export const words: InEach<Texts<typeof english>> = { en: english, 'zh-CN': chinese };
