import type { InEach } from '../../../words/languages.ts';
import { english, type ToolWords } from './en.ts';
import { chinese } from './zh-CN.ts';

/** `builtins.<identifier>.apiName.<api>` and `.inspector.…`. */
export const builtins: InEach<ToolWords> = { en: english, 'zh-CN': chinese };
