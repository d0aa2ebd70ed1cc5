import { useContext } from 'preact/hooks';
import type { InEach, Texts } from '../../words/languages.ts';
import { NOTES } from '../../words/zh-CN/notes.ts';
import { WordsContext } from '../../words/use-texts.ts';

const generalEnglish = {
  arriving: 'Waiting for the answer',
  empty: 'The answer is empty.',
  noArguments: 'No arguments.',
  hint: 'What to do',
  body: 'Details',
  state: 'Partial result',
  stored: 'Stored as',
  size: 'Size',
  type: 'Type',
  items: 'Items',
  keptUntil: 'Kept until',
  preview: 'Beginning',
  open: 'Open stored output',
  notes: 'Notes',
  noteOf: (_note: string, english: string): string => english,
  json: 'JSON',
  picture: 'Returned picture',
  wholeNumber: (least: number, most: number) => `Enter a whole number from ${least} to ${most}.`,
} as const;

type GeneralWords = Texts<typeof generalEnglish>;

const generalChinese: GeneralWords = {
  arriving: '正在等待结果',
  empty: '没有返回内容。',
  noArguments: '没有参数。',
  hint: '应对方法',
  body: '详细信息',
  state: '失败前已有的内容',
  stored: '存储为',
  size: '大小',
  type: '类型',
  items: '条目',
  keptUntil: '保留至',
  preview: '开头',
  open: '打开已存储的输出',
  notes: '说明',
  noteOf: (note, english) => NOTES[note] ?? english,
  json: 'JSON 文本',
  picture: '调用返回的图片',
  wholeNumber: (least, most) => `这里需要 ${least} 到 ${most} 之间的整数。`,
};

export const generalTexts: InEach<GeneralWords> = { en: generalEnglish, 'zh-CN': generalChinese };

export const useGeneralWords = (): GeneralWords => generalTexts[useContext(WordsContext)];
