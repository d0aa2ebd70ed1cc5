import type { InEach } from '../../words/languages.ts';
import { chinese } from './chinese.ts';
import { english, type PanelStrings } from './strings.ts';

/** The texts of the panel. */
export const texts: InEach<PanelStrings> = { en: english, 'zh-CN': chinese };
