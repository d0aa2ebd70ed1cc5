import type { InEach, Texts } from '../../../words/languages.ts';
import type { BuiltinWords } from '../face.ts';

const en = {
  title: 'Runs',
  apiName: {
    run_status: 'Run status',
    run_output: 'Run output',
    run_cancel: 'Cancel run',
    run_resume: 'Resume run',
    run_list: 'List runs',
    run_log: 'Run log',
  },
  inspector: { from: (offset: string) => `from ${offset}` },
} as const satisfies BuiltinWords;

export const words: InEach<Texts<typeof en>> = {
  en,
  'zh-CN': {
    title: '运行',
    apiName: {
      run_status: '运行状态',
      run_output: '运行输出',
      run_cancel: '取消运行',
      run_resume: '恢复运行',
      run_list: '列出运行',
      run_log: '运行日志',
    },
    inspector: { from: (offset) => `从 ${offset} 起` },
  },
};
