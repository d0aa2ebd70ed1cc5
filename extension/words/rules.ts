import * as en from './en/rules.ts';
import type { InEach, Texts } from './languages.ts';
import * as zh from './zh-CN/rules.ts';

/* Texts of the rules page. */

export type RulesWords = Texts<typeof en.rules>;

export const rulesTexts: InEach<RulesWords> = { en: en.rules, 'zh-CN': zh.rules };
