import type { InEach, Texts } from '../words/languages.ts';

const english = {
  page: {
    title: 'Welcome to Spillway',
    intro:
      'Spillway lets agents on this computer work in this browser: in tabs that they open, or that you give them.',
    pinTitle: 'Pin the icon',
    pin: 'Click the puzzle piece in the toolbar, then the pin next to Spillway. The icon shows the connection, and when an agent asks you something.',
    tryTitle: 'Try it',
  },
  others: 'Other clients',
  /** One for each client, in their order. */
  prompts: [
    'Open news.ycombinator.com in my browser, and summarise the five top stories.',
    'Read the page in my current tab, and list what it asks me to do.',
    'Open wikipedia.org in my browser, search for "spillway", and give me the first paragraph.',
  ] as readonly string[],
} as const;

/** The texts of the page that opens after installation. */
export const welcomeTexts: InEach<Texts<typeof english>> = {
  en: english,
  'zh-CN': {
    page: {
      title: '欢迎使用 Spillway',
      intro: 'Spillway 让这台电脑上的智能体在此浏览器中工作：在它们打开的或你交给它们的标签页里。',
      pinTitle: '固定图标',
      pin: '点击工具栏中的拼图图标，再点击 Spillway 旁边的图钉。图标会显示连接状态，以及智能体何时有问题问你。',
      tryTitle: '试一试',
    },
    others: '其他客户端',
    prompts: [
      '在我的浏览器中打开 news.ycombinator.com，并总结排在最前的五条新闻。',
      '阅读我当前标签页中的页面，并列出它要我做的事。',
      '在我的浏览器中打开 wikipedia.org，搜索“spillway”，并给我第一段。',
    ],
  },
};
