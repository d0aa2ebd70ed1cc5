import * as en from './en/rules.ts';
import type { InEach, Texts } from './languages.ts';
import * as zh from './zh-CN/rules.ts';

/* The texts of the page of the rules, in every language. */

export type RulesWords = Texts<typeof en.rules>;

export const rulesTexts: InEach<RulesWords> = { en: en.rules, 'zh-CN': zh.rules };
