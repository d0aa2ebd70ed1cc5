import * as en from './en/parts.ts';
import type { InEach, Texts } from './languages.ts';
import * as zh from './zh-CN/parts.ts';

/* The texts of parts of the panel that are loaded when they are shown, in every language. */

export type LedgerWords = Texts<typeof en.ledger>;
export type OutputsWords = Texts<typeof en.outputs>;
export type SettingsWords = Texts<typeof en.settings>;
export type UpstreamWords = Texts<typeof en.upstreams>;

export const ledgerTexts: InEach<LedgerWords> = { en: en.ledger, 'zh-CN': zh.ledger };
export const outputsTexts: InEach<OutputsWords> = { en: en.outputs, 'zh-CN': zh.outputs };
export const settingsTexts: InEach<SettingsWords> = { en: en.settings, 'zh-CN': zh.settings };
export const upstreamTexts: InEach<UpstreamWords> = { en: en.upstreams, 'zh-CN': zh.upstreams };
