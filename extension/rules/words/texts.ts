import type { InEach } from '../../words/languages.ts';
import { chineseKinds } from '../../words/chinese-kinds.ts';
import { english, type RulesStrings } from './strings.ts';

const shipped: Readonly<Record<string, string>> = {
  'default-read': '读取的默认规则',
  'default-act': '操作的默认规则',
  'asking-off': '你不希望在操作前被询问',
  'default-private': '你自己网络的默认规则',
  'listed-act': '名单网站上操作的默认规则',
  'listed-read': '读取名单网站的默认规则',
};

/** The texts of the page in Simplified Chinese. */
const chinese: RulesStrings = {
  risks: chineseKinds,
  effects: { allow: '允许', ask: '询问我', deny: '拒绝' },
  lists: {
    payment: '支付',
    banking: '银行',
    password_manager: '密码管理器',
    identity: '登录服务',
  },
  ruleName: (rule) =>
    rule.source === 'person'
      ? `你为${rule.sites?.join('、') ?? '所有网站'}设定的规则`
      : (shipped[rule.id] ?? rule.id),
  title: '智能体规则',
  intro: '规则规定智能体可以在哪个网站做什么，从下一次调用起立即生效。',
  asks: '智能体在页面上操作前询问我',
  asksDetail: '取消后，没有其他规则限制的操作会被直接允许。名单中的网站仍受保护。',
  own: '你的规则',
  order:
    '多条规则涉及同一操作时，范围最窄的网站优先：shop.example.com 先于 example.com，后者先于所有网站。范围相同时，先是指明智能体的规则，再是你的规则先于默认规则，然后是指明操作类型的规则，最后是拒绝先于询问、询问先于允许。规则按此顺序列出。',
  none: '你还没有规则。默认规则会在操作前询问，并保护名单中的网站。',
  anySite: '所有网站',
  anyRisk: '所有操作',
  anyAgent: '所有智能体',
  forAgents: (agents) => `适用于 ${agents}`,
  edit: '编辑',
  remove: '删除',
  editOf: (name) => `编辑${name}的规则`,
  removeOf: (name) => `删除${name}的规则`,
  add: '添加规则',
  change: '修改规则',
  save: '保存',
  cancel: '取消',
  saved: '已保存，即刻生效。',
  removed: '已删除。',
  sites: '网站，每行一个',
  sitesNote: 'example.com、*.example.com、https://example.com:8443、@banking、@private。留空表示所有网站。',
  kinds: '操作类型（都不勾选表示全部）',
  agents: '智能体，按它们自报的名称',
  agentsNote: 'claude-code, codex。留空表示所有智能体。',
  effect: '如何处理',
  notSite: (text) => `“${text}”不是网站，例如 example.com 或 https://example.com:8443。`,
  agentTooLong: '名称最多 100 个字符。',
  everything: '这会在所有网站上允许所有智能体的所有操作。请指明网站、操作类型或智能体。',
  listTitle: '名单网站',
  listIntro: '在这些网站上，操作会被拒绝，读取前会询问。若要把某个网站与其他网站同等对待，请取消勾选。',
  listCount: (on, all) => `已启用 ${on} 个，共 ${all} 个`,
  yours: '你自己添加的，每行一个',
  saveList: '保存名单',
  try: '试一个地址',
  address: '地址',
  addressExample: 'https://shop.example.com/cart',
  agent: '智能体（可选）',
  agentExample: 'claude-code',
  notAddress: '这不是网站的地址。',
  tryCaption: (site) => `智能体可以在 ${site} 做什么`,
  kind: '操作类型',
  because: '依据',
  files: '导出和导入',
  exportRules: '导出为文件',
  importRules: '导入文件',
  importNote: '导入会替换你的规则和名单。',
  imported: (count) => `已导入 ${count} 条规则。`,
  importFailed: (why) => `没有导入任何内容：${why}`,
  notJson: '该文件不是 JSON。',
  damaged: '无法读取已存储的规则，因此使用默认规则。',
  recover: (rules, lost) => `保留可读取的部分（${rules} 条规则；丢失 ${lost} 处）`,
  exportDamaged: '导出已存储的内容',
  startAfresh: '不带规则重新开始',
  kept: '无法读取的规则已被替换。原来存储的内容已保留。',
  dropKept: '删除它',
};

/** The texts of the page of rules. */
export const texts: InEach<RulesStrings> = { en: english, 'zh-CN': chinese };
