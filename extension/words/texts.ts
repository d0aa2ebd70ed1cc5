import * as en from './en.ts';
import type { InEach, Texts } from './languages.ts';
import * as zh from './zh-CN.ts';

/* The texts of each page in every language. Each is its own export, so that a page holds no texts of the others. */

export type FaultWords = Texts<typeof en.faults>;
export type PopupWords = Texts<typeof en.popup>;
export type PanelWords = Texts<typeof en.panel>;
export type LedgerWords = Texts<typeof en.ledger>;
export type OutputsWords = Texts<typeof en.outputs>;
export type SettingsWords = Texts<typeof en.settings>;
export type UpstreamWords = Texts<typeof en.upstreams>;
export type CardWords = Texts<typeof en.card>;
export type RulesWords = Texts<typeof en.rules>;

export const faultTexts: InEach<FaultWords> = { en: en.faults, 'zh-CN': zh.faults };
export const badgeTexts: InEach<Texts<typeof en.badge>> = { en: en.badge, 'zh-CN': zh.badge };
export const popupTexts: InEach<PopupWords> = { en: en.popup, 'zh-CN': zh.popup };
export const welcomeTexts: InEach<Texts<typeof en.welcome>> = { en: en.welcome, 'zh-CN': zh.welcome };
export const panelTexts: InEach<PanelWords> = { en: en.panel, 'zh-CN': zh.panel };
export const ledgerTexts: InEach<LedgerWords> = { en: en.ledger, 'zh-CN': zh.ledger };
export const outputsTexts: InEach<OutputsWords> = { en: en.outputs, 'zh-CN': zh.outputs };
export const settingsTexts: InEach<SettingsWords> = { en: en.settings, 'zh-CN': zh.settings };
export const upstreamTexts: InEach<UpstreamWords> = { en: en.upstreams, 'zh-CN': zh.upstreams };
export const cardTexts: InEach<CardWords> = { en: en.card, 'zh-CN': zh.card };
export const rulesTexts: InEach<RulesWords> = { en: en.rules, 'zh-CN': zh.rules };
