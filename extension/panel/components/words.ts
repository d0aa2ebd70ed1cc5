import { formatNumber } from '../../words/format.ts';
import { type InEach, type Texts, plural } from '../../words/languages.ts';
import { useTexts } from '../../words/use-texts.ts';

const english = {
  empty: 'empty',
  none: 'none',
  null: 'null',
  text: 'Text',
  items: 'Items',
  item: (number: string) => `Item ${number}`,
  noItems: 'No items.',
  caption: 'Items; the button of a row opens all its fields',
  all: (count: string) => `All ${count}`,
  showAll: (size: string) => `Show all, ${size}`,
  hiddenFields: (count: number) =>
    `${formatNumber(count)} more ${plural(count, { one: 'field', other: 'fields' })} in each item.`,
  requestColumns: {
    method: 'Method',
    status: 'Status',
    url: 'Address',
    type: 'Type',
    size: 'Size',
    time: 'Time',
  },
  tooLarge: (size: string) => `${size}: too large for a page`,
  tooLargeDetail: (size: string) =>
    `This item has ${size} and is too large for a page. The stored output has it in full.`,
  range: (first: string, last: string, total: string) => `${first}–${last} of ${total}`,
  count: (count: number) => `${formatNumber(count)} ${plural(count, { one: 'item', other: 'items' })}`,
  pages: 'Pages',
  previous: 'Previous',
  next: 'Next',
  copy: 'Copy',
  copyAs: (format: string) => `Copy as ${format}`,
  copyOf: (count: number) =>
    `${formatNumber(count)} ${plural(count, { one: 'item', other: 'items' })} of this page`,
  copied: 'Copied',
  notCopied: 'Not copied',
  code: 'Code',
  table: 'Table',
  picture: 'Picture',
  noPicture: 'The picture cannot be shown.',
  checked: 'Done',
  unchecked: 'Not done',
  part: (number: string, total: string) => `Part ${number} of ${total}`,
  showPart: (number: string, total: string) => `Show part ${number} of ${total}`,
  loading: 'Loading',
  page: 'Text of the page',
  search: 'Search in the page',
  previousMatch: 'Previous match',
  nextMatch: 'Next match',
  matchOf: (at: string, total: string) => `${at} of ${total}`,
  noMatch: 'Not found',
} as const;

/** The words of the shared parts. */
export type ComponentWords = Texts<typeof english>;

const chinese: ComponentWords = {
  empty: '空',
  none: '无',
  null: 'null',
  text: '文本',
  items: '条目',
  item: (number) => `第 ${number} 条`,
  noItems: '没有条目。',
  caption: '条目；每行的按钮展开其全部字段',
  all: (count) => `全部 ${count} 条`,
  showAll: (size) => `显示全部，${size}`,
  hiddenFields: (count) => `每条另有 ${formatNumber(count)} 个字段。`,
  requestColumns: {
    method: '方法',
    status: '状态',
    url: '地址',
    type: '类型',
    size: '大小',
    time: '用时',
  },
  tooLarge: (size) => `${size}：太大，无法在一页中显示`,
  tooLargeDetail: (size) => `此条目有 ${size}，太大，无法在一页中显示。已存储的输出包含其全部内容。`,
  range: (first, last, total) => `第 ${first}–${last} 条，共 ${total} 条`,
  count: (count) => `${formatNumber(count)} 条`,
  pages: '分页',
  previous: '上一页',
  next: '下一页',
  copy: '复制',
  copyAs: (format) => `复制为 ${format}`,
  copyOf: (count) => `本页 ${formatNumber(count)} 条`,
  copied: '已复制',
  notCopied: '未能复制',
  code: '代码',
  table: '表格',
  picture: '图片',
  noPicture: '无法显示图片。',
  checked: '已完成',
  unchecked: '未完成',
  part: (number, total) => `第 ${number} 部分，共 ${total} 部分`,
  showPart: (number, total) => `显示第 ${number} 部分，共 ${total} 部分`,
  loading: '正在加载',
  page: '页面文本',
  search: '在页面中查找',
  previousMatch: '上一处',
  nextMatch: '下一处',
  matchOf: (at, total) => `第 ${at} 处，共 ${total} 处`,
  noMatch: '未找到',
};

export const componentTexts: InEach<ComponentWords> = { en: english, 'zh-CN': chinese };

/** The words of the shared parts. */
export const useWords = (): ComponentWords => useTexts(componentTexts);
