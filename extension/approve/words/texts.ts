import type { InEach } from '../../words/languages.ts';
import { chinese } from './chinese.ts';
import { english, type Strings } from './strings.ts';

/** The texts of cards. */
export const texts: InEach<Strings> = { en: english, 'zh-CN': chinese };
