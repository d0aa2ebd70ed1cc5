import * as en from './en/parts.ts';
import type { InEach, Texts } from './languages.ts';
import * as zh from './zh-CN/parts.ts';

/* Texts of the parts of the panel that are loaded when they are shown. */

export type PartWords = Texts<typeof en.parts>;

export const partTexts: InEach<PartWords> = { en: en.parts, 'zh-CN': zh.parts };
