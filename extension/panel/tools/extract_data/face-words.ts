import { plural, type InEach, type Texts } from '../../../words/languages.ts';

const english = {
  intervention: {
    run: 'The crawl whose pages are read',
    scope: 'Part of the page',
    multiple: 'All records, not only one',
    maxPages: 'At most this many pages',
    number: (least: number, most: number) => `This takes a whole number from ${least} to ${most}.`,
  },
  records: (count: number, shown: string) => plural(count, { one: '1 record', other: `${shown} records` }),
  pages: (count: number, shown: string) => plural(count, { one: 'on 1 page', other: `on ${shown} pages` }),
  hidden: 'Not shown on the page',
  problems: 'What does not fit the schema',
  missing: 'Missing',
  invalid: 'Invalid',
  inRecord: (number: string, reason: string) => `Record ${number}: ${reason}`,
  tried: 'Where it looked',
  share: (percent: string) => `${percent} of the fields`,
  provenance: 'Where each record is from',
  sources: {
    json_ld: 'JSON-LD',
    microdata: 'Microdata',
    rdfa: 'RDFa',
    meta: 'Meta tags',
    tables: 'Tables',
    definition_lists: 'Definition lists',
    detail: 'Details of one thing',
    repeated: 'Repeated elements',
    selectors: 'Selectors',
  },
};

const chinese: Texts<typeof english> = {
  intervention: {
    run: '读取哪次爬取的页面',
    scope: '页面的哪一部分',
    multiple: '所有记录，而不只是一条',
    maxPages: '最多页数',
    number: (least: number, most: number) => `这里需要 ${least} 到 ${most} 之间的整数。`,
  },
  records: (_count, shown) => `${shown} 条记录`,
  pages: (_count, shown) => `来自 ${shown} 个页面`,
  hidden: '页面上未显示',
  problems: '不符合结构的内容',
  missing: '缺失',
  invalid: '无效',
  inRecord: (number, reason) => `第 ${number} 条记录：${reason}`,
  tried: '查找过的位置',
  share: (percent) => `${percent} 的字段`,
  provenance: '每条记录的来源',
  sources: {
    json_ld: 'JSON-LD 数据',
    microdata: '微数据',
    rdfa: 'RDFa 数据',
    meta: '元标签',
    tables: '表格',
    definition_lists: '定义列表',
    detail: '单个条目的详情',
    repeated: '重复的元素',
    selectors: '选择器',
  },
};

export const words: InEach<Texts<typeof english>> = { en: english, 'zh-CN': chinese };
