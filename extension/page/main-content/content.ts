import Readability from '@mozilla/readability/Readability.js';
import { shareReadability } from './readability.ts';

/* A separate content script: most readings do without it, and it is a fifth of the code. */
shareReadability(Readability);
