import * as en from './en/card.ts';
import type { InEach, Texts } from './languages.ts';
import * as zh from './zh-CN/card.ts';

/* The texts of what is asked, in the window and on top of the panel, in every language. */

export type CardWords = Texts<typeof en.card>;

export const cardTexts: InEach<CardWords> = { en: en.card, 'zh-CN': zh.card };
