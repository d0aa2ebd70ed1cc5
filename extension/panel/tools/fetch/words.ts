import type { InEach, Texts } from '../../../words/languages.ts';
import type { BuiltinWords } from '../face.ts';

const en = {
  title: 'Fetch a file',
  apiName: { fetch: 'Fetch file' },
  inspector: {
    status: (code: number) => `HTTP ${code}`,
    body: 'Body',
    headers: 'Headers',
    type: 'Type',
    truncated: 'truncated',
    picture: 'Picture that was fetched',
    pages: (pages: string) => `pages ${pages}`,
    bytes: 'as bytes',
  },
} as const satisfies BuiltinWords;

export const words: InEach<Texts<typeof en>> = {
  en,
  'zh-CN': {
    title: '获取文件',
    apiName: { fetch: '获取文件' },
    inspector: {
      status: (code) => `HTTP 状态 ${code}`,
      body: '正文',
      headers: '标头',
      type: '类型',
      truncated: '已截断',
      picture: '获取的图片',
      pages: (pages) => `第 ${pages} 页`,
      bytes: '原始字节',
    },
  },
};
