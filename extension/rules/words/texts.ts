import type { InEach } from '../../words/languages.ts';
import { chinese } from './chinese.ts';
import { english, type RulesStrings } from './strings.ts';

/** The texts of the page of rules. */
export const texts: InEach<RulesStrings> = { en: english, 'zh-CN': chinese };
