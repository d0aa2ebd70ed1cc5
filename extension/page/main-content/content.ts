import Readability from '@mozilla/readability/Readability.js';
import { shareReadability } from './readability.ts';

/*
 * A content script of its own, a fifth of the size of all that reads pages: most readings do without it.
 */
shareReadability(Readability);
