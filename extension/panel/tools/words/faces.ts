import type { InEach } from '../../../words/languages.ts';
import { chinese } from './faces-zh-CN.ts';
import { english, type FaceWords } from './faces-en.ts';

export const faceTexts: InEach<FaceWords> = { en: english, 'zh-CN': chinese };
