/*
 * Replaces `webextension-polyfill` in a build for Chromium (vite.config.ts), whose own functions return promises. The types are
 * those of the package, and so is the code of a build for Firefox.
 */
export default chrome;
