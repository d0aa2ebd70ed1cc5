/*
 * Replaces `webextension-polyfill` in Chromium builds (vite.config.ts), where the API's own functions return promises.
 * The types come from the package, and so does the code of Firefox builds.
 */
export default chrome;
