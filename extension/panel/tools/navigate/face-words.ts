import type { InEach, Texts } from '../../../words/languages.ts';

const english = {
  intervention: {
    url: 'Address',
  },
};

const chinese: Texts<typeof english> = {
  intervention: {
    url: '地址',
  },
};

export const words: InEach<Texts<typeof english>> = { en: english, 'zh-CN': chinese };
