import type { InEach, Texts } from '../../../words/languages.ts';
import type { BuiltinWords } from '../face.ts';

const en = {
  title: 'Recipes',
  apiName: {
    recipe_search: 'Search recipes',
    recipe_get: 'Show recipe',
    recipe_run: 'Run recipe',
    recipe_save: 'Save recipe',
    recipe_delete: 'Delete recipe',
  },
  inspector: { continues: 'continues', skips: 'leaves out a step', replaces: 'replaces' },
} as const satisfies BuiltinWords;

export const words: InEach<Texts<typeof en>> = {
  en,
  'zh-CN': {
    title: '配方',
    apiName: {
      recipe_search: '搜索配方',
      recipe_get: '查看配方',
      recipe_run: '运行配方',
      recipe_save: '保存配方',
      recipe_delete: '删除配方',
    },
    inspector: { continues: '继续', skips: '跳过一步', replaces: '替换' },
  },
};
