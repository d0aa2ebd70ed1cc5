import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Plugin } from 'vite';
import { FIREFOX_ID } from '../../shared/core/bridge/wire.ts';
import { OLDEST_FIREFOX } from './firefox.mjs';

/** Permissions and members of the manifest. */
const CHROMIUM_ONLY = new Set([
  ...['debugger', 'favicon', 'offscreen', 'pageCapture', 'sidePanel'],
  ...['key', 'minimum_chrome_version', 'sandbox', 'side_panel'],
]);
const FIREFOX_ONLY = ['contextualIdentities', 'cookies', 'webRequestBlocking', 'webRequestFilterResponse'];

/**
 * Has imports of `platform/chromium` lead to the file of the same name in `platform/firefox`, if there is one. That file
 * can still import the other.
 */
export function firefoxPlatform(platform: string): Plugin {
  const [from, to] = [join(platform, 'chromium') + sep, join(platform, 'firefox') + sep];
  return {
    name: 'spillway:firefox-platform',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (!source.startsWith('.')) return null;
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      if (found === null || !found.id.startsWith(from)) return found;
      const own = to + found.id.slice(from.length);
      return own !== importer && existsSync(own) ? own : found;
    },
  };
}

/** Firefox's manifest, made from Chromium's. */
export function firefoxManifest(chromium: Record<string, unknown>): object {
  const { permissions } = chromium;
  const shared = Array.isArray(permissions) ? permissions.filter((one) => !CHROMIUM_ONLY.has(one)) : [];
  return {
    ...Object.fromEntries(Object.entries(chromium).filter(([name]) => !CHROMIUM_ONLY.has(name))),
    browser_specific_settings: {
      gecko: {
        id: FIREFOX_ID,
        strict_min_version: `${OLDEST_FIREFOX}.0`,
        data_collection_permissions: { required: ['none'] },
      },
    },
    background: { scripts: ['worker.js'], type: 'module' },
    sidebar_action: {
      default_panel: 'ui/frame/panel.html',
      default_title: '__MSG_name__',
      open_at_install: false,
    },
    optional_permissions: ['bookmarks', 'history', 'notifications', 'proxy', 'userScripts'],
    permissions: [...shared, ...FIREFOX_ONLY].toSorted(),
    content_security_policy: {
      // The event page holds the page that parses, which on Chromium is a document of its own.
      extension_pages:
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src http: https:; frame-src 'self'; frame-ancestors 'self'; base-uri http: https:; form-action 'none'",
    },
  };
}
