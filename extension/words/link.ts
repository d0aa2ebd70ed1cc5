import * as en from './en/link.ts';
import type { InEach, Texts } from './languages.ts';
import * as zh from './zh-CN/link.ts';

/* Texts of the toolbar button and of connection faults. */

export const faultTexts: InEach<Texts<typeof en.faults>> = { en: en.faults, 'zh-CN': zh.faults };
export const badgeTexts: InEach<Texts<typeof en.badge>> = { en: en.badge, 'zh-CN': zh.badge };
