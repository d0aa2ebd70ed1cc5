/** The parser alone: the package's main module brings a second one that nothing here uses. */
export { Readability as default } from '@mozilla/readability';
