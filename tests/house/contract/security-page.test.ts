import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';

const ROOT = resolve(import.meta.dirname, '../../..');
const page = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');
const listing = readFileSync(join(ROOT, 'docs/store-listing.md'), 'utf8');
const manifest = z
  .looseObject({
    permissions: z.array(z.string()),
    host_permissions: z.array(z.string()),
    incognito: z.string(),
    content_security_policy: z.object({ extension_pages: z.string() }),
  })
  .parse(JSON.parse(readFileSync(join(ROOT, 'extension/core/public/manifest.json'), 'utf8')));

it('docs/security.md names files that exist', () => {
  const named = [...page.matchAll(/`((?:server|shared|extension|tests)\/[^`\s]+)`/g)].map(([, path]) => path);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((path) => !existsSync(join(ROOT, path ?? '')))).toEqual([]);
});

it.each([
  ['docs/security.md', page.split('## Permissions of the extension')[1] ?? ''],
  ['docs/store-listing.md', listing.split('## Permissions')[1] ?? ''],
])('the permissions in %s are exactly those that the extension asks for', (_path, section) => {
  const rows = [...section.matchAll(/^\| +`([^`]+)` +\| +(\S.*?) +\|$/gm)];
  const asked = [...manifest.permissions, ...manifest.host_permissions];
  expect(rows.map(([, name]) => name).toSorted()).toEqual(asked.toSorted());
});

it("the extension's manifest opens no door to pages or other extensions", () => {
  for (const key of ['externally_connectable', 'web_accessible_resources'])
    expect(manifest, key).not.toHaveProperty(key);
  expect(manifest.incognito).toBe('not_allowed');
});

it("the extension's manifest lets its pages run packaged scripts alone", () => {
  expect(manifest.content_security_policy.extension_pages.split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    'connect-src http: https:',
    "frame-src 'self'",
    "frame-ancestors 'none'",
    // A parsed page's own <base> decides what its addresses mean.
    'base-uri http: https:',
    "form-action 'none'",
  ]);
});

function sourcesWith(pattern: RegExp): string[] {
  const sources = readdirSync(join(ROOT, 'extension'), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.ts'));
  expect(sources.length).toBeGreaterThan(20);
  return sources.filter((name) => pattern.test(readFileSync(join(ROOT, 'extension', name), 'utf8')));
}

it("the extension's sources listen to no other extension", () =>
  expect(sourcesWith(/onMessageExternal|onConnectExternal|onUserScript/)).toEqual([]));

it("the extension's sources hear window messages in one place: the parser gets its port", () => {
  expect(sourcesWith(/addEventListener\(\s*'message'/)).toEqual(['core/offscreen/parser.ts']);
  expect(sourcesWith(/onmessage/)).toEqual(['core/offscreen/parser-frame.ts', 'core/offscreen/parser.ts']);
});

it("the extension's sources run no code that they are sent, but what a person has allowed `evaluate` to run in Firefox", () =>
  expect(sourcesWith(/\beval\(|new Function\(|userScripts/)).toEqual(['platform/firefox/evaluate.ts']));
