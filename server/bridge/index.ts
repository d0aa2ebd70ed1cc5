export { createBridge, type BridgeOptions } from './client.ts';
export { findChromium, searchChromium, type ChromiumSearch, type FoundChromium } from './chromium.ts';
export { launchBrowser, type LaunchedBrowser, type LaunchSettings } from './launch.ts';
