import type { InEach, Texts } from '../../../words/languages.ts';

const english = {
  intervention: {
    step: (at: number) => `Step ${at}`,
    remove: (at: number) => `Leave out step ${at}`,
    add: 'Add a step',
  },
};

const chinese: Texts<typeof english> = {
  intervention: {
    step: (at: number) => `步骤 ${at}`,
    remove: (at: number) => `去掉步骤 ${at}`,
    add: '添加步骤',
  },
};

export const words: InEach<Texts<typeof english>> = { en: english, 'zh-CN': chinese };
