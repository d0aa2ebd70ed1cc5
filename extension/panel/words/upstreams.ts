import type { InEach, Texts } from '../../words/languages.ts';

const english = {
  title: 'Other servers',
  detail: 'Agents can use the tools of these servers, too, once you have accepted them.',
  states: { starting: 'Starting', ready: 'Works', failed: 'Failed' },
  tools: (count: number) => (count === 1 ? '1 tool' : `${count} tools`),
  unaccepted: (count: number) =>
    count === 1 ? '1 tool is new or has changed.' : `${count} tools are new or have changed.`,
  look: 'Show the tools',
  lookOf: (id: string) => `Show the tools of ${id}`,
  close: 'Hide the tools',
  untrusted: 'The server wrote this text. Look for anything that tells the agent what to do.',
  changes: { new: 'New', changed: 'Changed' },
  reads: 'Says it only reads',
  acts: 'May change things',
  parameters: 'Arguments',
  answers: 'Answers',
  noDescription: 'It says nothing about itself.',
  cut: 'The text is longer than what is shown here, so it can only be accepted in a terminal:',
  copyCommand: 'Copy the command',
  accept: (count: number) => (count === 1 ? 'Accept 1 tool' : `Accept ${count} tools`),
  accepting: 'Accepting…',
  failed: 'Nothing was accepted:',
  unread: 'The tools could not be read:',
} as const;
export type UpstreamStrings = Texts<typeof english>;

const chinese: UpstreamStrings = {
  title: '其他服务器',
  detail: '你接受之后，智能体也可以使用这些服务器的工具。',
  states: { starting: '正在启动', ready: '正常', failed: '失败' },
  tools: (count) => `${count} 个工具`,
  unaccepted: (count) => `${count} 个工具是新的或已更改。`,
  look: '显示工具',
  lookOf: (id) => `显示 ${id} 的工具`,
  close: '隐藏工具',
  untrusted: '以下文字由该服务器编写。请留意其中是否有指示智能体做事的内容。',
  changes: { new: '新', changed: '已更改' },
  reads: '自称只读取',
  acts: '可能会更改内容',
  parameters: '参数',
  answers: '回答',
  noDescription: '它没有说明自己的用途。',
  cut: '文字超出此处可显示的长度，因此只能在终端中接受：',
  copyCommand: '复制命令',
  accept: (count) => `接受 ${count} 个工具`,
  accepting: '正在接受…',
  failed: '没有接受任何内容：',
  unread: '无法读取工具：',
};

/** Words about the servers whose tools a server offers. */
export const upstreamTexts: InEach<UpstreamStrings> = { en: english, 'zh-CN': chinese };
