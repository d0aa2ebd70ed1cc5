import * as en from './en/popup.ts';
import type { InEach, Texts } from './languages.ts';
import * as zh from './zh-CN/popup.ts';

/* Texts of the popup and of the welcome page. */

export type PopupWords = Texts<typeof en.popup>;

export const popupTexts: InEach<PopupWords> = { en: en.popup, 'zh-CN': zh.popup };
export const welcomeTexts: InEach<Texts<typeof en.welcome>> = { en: en.welcome, 'zh-CN': zh.welcome };
