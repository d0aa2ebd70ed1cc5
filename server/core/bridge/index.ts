export { createBridge, newInstance, type BridgeClient, type BridgeOptions } from './client.ts';
export { readBrowser, searchBrowser } from './browser-search.ts';
export { launchBrowser } from './launch.ts';
