import * as en from './en/card.ts';
import type { InEach, Texts } from './languages.ts';
import * as zh from './zh-CN/card.ts';

/* Texts of questions, in the window and at the top of the panel. */

export type CardWords = Texts<typeof en.card>;

export const cardTexts: InEach<CardWords> = { en: en.card, 'zh-CN': zh.card };
