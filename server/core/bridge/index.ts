export { createBridge, newInstance, type BridgeClient, type BridgeOptions } from './client.ts';
export { searchChromium } from './chromium.ts';
export { launchBrowser } from './launch.ts';
