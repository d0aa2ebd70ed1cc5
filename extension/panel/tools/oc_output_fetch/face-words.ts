import type { InEach, Texts } from '../../../words/languages.ts';

const english = {
  items: (first: string, last: string, all: string) => `items ${first} to ${last} of ${all}`,
  bytes: (first: string, last: string, all: string) => `bytes ${first} to ${last} of ${all}`,
  nothing: 'Nothing: this is past the end.',
  end: 'Complete',
  more: 'There is more',
  text: 'Text',
  base64: 'Bytes, in base64',
  open: 'Open output',
};

const chinese: Texts<typeof english> = {
  items: (first, last, all) => `第 ${first} 至 ${last} 条，共 ${all} 条`,
  bytes: (first, last, all) => `第 ${first} 至 ${last} 字节，共 ${all} 字节`,
  nothing: '没有内容：已超过末尾。',
  end: '已到末尾',
  more: '后面还有',
  text: '文字',
  base64: '字节（base64）',
  open: '打开输出',
};

export const words: InEach<Texts<typeof english>> = { en: english, 'zh-CN': chinese };
