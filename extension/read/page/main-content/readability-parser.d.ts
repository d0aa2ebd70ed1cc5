/** Only the parser: the package's main module adds a second one that is not used. */
export { Readability as default } from '@mozilla/readability';
