import { plural, type InEach, type Texts } from '../words/languages.ts';

const english = {
  questions: (count: number) =>
    plural(count, {
      one: 'Spillway: An agent asks for your permission. Click to decide.',
      other: `Spillway: ${count} questions wait for your permission. Click to decide.`,
    }),
  connected: (servers: number) =>
    servers === 0
      ? 'Spillway: connected, no agent at the moment'
      : `Spillway: connected, ${plural(servers, { one: '1 server', other: `${servers} servers` })}`,
  cancelled: 'You cancelled debugging, so agents cannot act. Click to allow it again.',
  connecting: 'Spillway: connecting',
  notConnected: (why: string) => `Spillway: not connected. ${why}`,
} as const;

/** What the tooltip of the toolbar button says. */
export const badgeTexts: InEach<Texts<typeof english>> = {
  en: english,
  'zh-CN': {
    questions: (count) =>
      count === 1
        ? 'Spillway：有智能体请求你的许可。点击以决定。'
        : `Spillway：有 ${count} 个问题等待你的许可。点击以决定。`,
    connected: (servers) =>
      servers === 0 ? 'Spillway：已连接，目前没有智能体' : `Spillway：已连接，${servers} 个服务器`,
    cancelled: '你取消了调试，因此智能体无法操作。点击以重新允许。',
    connecting: 'Spillway：正在连接',
    notConnected: (why) => `Spillway：未连接。${why}`,
  },
};
