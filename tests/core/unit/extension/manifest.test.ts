import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { EXTENSION_ID } from '../../../../shared/core/bridge/wire.ts';

const folder = resolve(import.meta.dirname, '../../../../extension/core/public');
const read = (path: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(folder, path), 'utf8')) as Record<string, unknown>;
const manifest = read('manifest.json');

it('has the key that makes its id', () => {
  const key = Buffer.from(String(manifest['key']), 'base64');
  const digest = createHash('sha256').update(key).digest('hex');
  const id = [...digest.slice(0, 32)].map((digit) => String.fromCharCode(97 + parseInt(digit, 16))).join('');
  expect(id).toBe(EXTENSION_ID);
});

it('lets nobody add sites, and asks later for notifications, history and bookmarks alone', () => {
  expect(manifest).not.toHaveProperty('optional_host_permissions');
  expect(manifest['optional_permissions']).toEqual(['bookmarks', 'history', 'notifications']);
});

it('has one script in pages that are not read, in every frame from its beginning', () => {
  expect(manifest['content_scripts']).toEqual([
    {
      js: ['guard.js'],
      matches: ['<all_urls>'],
      run_at: 'document_start',
      all_frames: true,
      match_origin_as_fallback: true,
    },
  ]);
});

it('lets its sandboxed page run only its own scripts', () => {
  expect(manifest['content_security_policy']).toMatchObject({
    sandbox:
      "sandbox allow-scripts; default-src 'none'; script-src 'self'; frame-ancestors 'self'; base-uri http: https:; form-action 'none'",
  });
});

const PAGES = [
  'people/approve/approve',
  'ui/frame/panel',
  'install/popup/popup',
  'people/rules/rules',
  'install/welcome/welcome',
];
it.each(PAGES)('no browser offers to translate %s', (page) => {
  const html = readFileSync(join(folder, `../../${page}.html`), 'utf8');
  expect(html).toContain('<html lang="en" translate="no">');
});
