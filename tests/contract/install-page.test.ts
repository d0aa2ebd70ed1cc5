import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { hopsFor } from '../../server/doctor/doctor.ts';
import { allBrowserPlaces } from '../../server/bridge/install/browsers.ts';

const page = readFileSync(resolve(import.meta.dirname, '../../docs/install.md'), 'utf8');

it('docs/install.md lists the hops of doctor, in their order', () => {
  const table = page.slice(page.indexOf('| hop '), page.indexOf('`--browser chrome`'));
  const listed = [...table.matchAll(/^\| `([a-z_]+)`/gm)].map(([, id]) => id);
  expect(listed).toEqual(hopsFor(null).map((hop) => hop.id));
});

it('docs/install.md names every place that a manifest is written into', () => {
  const machine = { env: {}, userHome: '/u' };
  const linux = allBrowserPlaces({ ...machine, platform: 'linux' }).flatMap((each) =>
    each.manifestDirectories.map((path) => path.replace('/u/.config/', '')),
  );
  const mac = allBrowserPlaces({ ...machine, platform: 'darwin' }).flatMap((each) =>
    each.manifestDirectories.map((path) => path.replace('/u/Library/Application Support/', '')),
  );
  const windows = allBrowserPlaces({ ...machine, platform: 'win32' }).flatMap((each) =>
    each.registryKeys.map((key) => key.replace('HKCU\\SOFTWARE\\', '')),
  );
  const places = [...linux, ...mac, ...windows];
  expect(places).toHaveLength(21);
  expect(places.filter((place) => !page.includes(`\`${place}\``))).toEqual([]);
});
