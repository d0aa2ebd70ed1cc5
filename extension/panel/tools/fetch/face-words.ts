import type { InEach, Texts } from '../../../words/languages.ts';

const english = {
  intervention: {
    url: 'Address',
    pages: 'Pages of a PDF',
    maxBytes: 'At most this many bytes',
    number: (least: number, most: number) => `This takes a whole number from ${least} to ${most}.`,
  },
};

const chinese: Texts<typeof english> = {
  intervention: {
    url: '地址',
    pages: 'PDF 的页码',
    maxBytes: '最多字节数',
    number: (least: number, most: number) => `这里需要 ${least} 到 ${most} 之间的整数。`,
  },
};

export const words: InEach<Texts<typeof english>> = { en: english, 'zh-CN': chinese };
