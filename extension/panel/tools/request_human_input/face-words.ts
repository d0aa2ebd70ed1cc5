import type { InEach, Texts } from '../../../words/languages.ts';

const english = {
  question: 'Question',
  answer: 'Answer',
  reason: 'Reason',
  tab: 'Tab',
  waiting: 'Waiting for a person',
  outcomes: {
    waiting: 'Still waiting',
    done: 'Done',
    declined: 'Declined',
    timeout: 'Nobody finished in time',
    nobody_there: 'Nobody was there',
    tab_closed: 'The tab was closed',
  },
  yes: 'Yes',
  no: 'No',
};

const chinese: Texts<typeof english> = {
  question: '问题',
  answer: '回答',
  reason: '原因',
  tab: '标签页',
  waiting: '正在等待用户',
  outcomes: {
    waiting: '仍在等待',
    done: '已完成',
    declined: '已谢绝',
    timeout: '无人及时完成',
    nobody_there: '无人在场',
    tab_closed: '标签页已关闭',
  },
  yes: '是',
  no: '否',
};

export const words: InEach<Texts<typeof english>> = { en: english, 'zh-CN': chinese };
