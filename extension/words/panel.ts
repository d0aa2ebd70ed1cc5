import * as en from './en/panel.ts';
import type { InEach, Texts } from './languages.ts';
import * as zh from './zh-CN/panel.ts';

/* Texts of the side panel. */

export type PanelWords = Texts<typeof en.panel>;

export const panelTexts: InEach<PanelWords> = { en: en.panel, 'zh-CN': zh.panel };
