import { findMainContent } from './find.ts';
import { shareFinder } from './readability.ts';

/* A separate content script: most readings do without it, and it is a fifth of the code. */
shareFinder(findMainContent);
