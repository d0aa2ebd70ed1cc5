import { HOST_NAME } from '../../shared/bridge/wire.ts';
import type { BrowserPlaces } from '../bridge/install/browsers.ts';
import { pathsOf } from '../bridge/install/machine.ts';
import {
  EXTENSION_ORIGIN,
  MANIFEST_FILE,
  parseHostManifest,
  type HostManifest,
} from '../bridge/install/manifest.ts';
import { parseRegistryValue, registryQuery } from '../bridge/install/registry.ts';
import type { DoctorContext } from './context.ts';

/** What lies where a browser looks for our host. */
export interface ManifestSeen {
  readonly path: string;
  readonly state: 'absent' | 'unreadable' | 'broken' | 'readable';
  readonly manifest: HostManifest | null;
}

type Reader = Pick<DoctorContext, 'files' | 'machine' | 'run'>;

/** The manifests under our name in every place that the browser reads, per-user places first. */
export async function findHostManifests(reader: Reader, places: BrowserPlaces): Promise<ManifestSeen[]> {
  const { machine, run } = reader;
  const path = pathsOf(machine);
  const folders = [...places.manifestDirectories, ...places.systemDirectories];
  const candidates = folders.map((folder) => path.join(folder, MANIFEST_FILE));
  for (const key of places.registryKeys) {
    const value = parseRegistryValue((await run(registryQuery(machine, key))).stdout);
    if (value !== null) candidates.push(value);
  }
  return Promise.all(candidates.map((candidate) => readManifest(reader, candidate)));
}

/** Sentences on manifests of other names that let our extension in: another product claims it. */
export async function findClaims(reader: Reader, places: BrowserPlaces): Promise<string[]> {
  const path = pathsOf(reader.machine);
  const claims: string[] = [];
  for (const folder of [...places.manifestDirectories, ...places.systemDirectories])
    for (const name of (await reader.files.list(folder)) ?? []) {
      if (!name.endsWith('.json') || name === MANIFEST_FILE) continue;
      const { path: at, manifest } = await readManifest(reader, path.join(folder, name));
      if (manifest === null || manifest.name === HOST_NAME) continue;
      if (manifest.allowed_origins.includes(EXTENSION_ORIGIN))
        claims.push(
          `${at} (starts ${manifest.path}) also claims the Spillway extension; the extension does not use it.`,
        );
    }
  return claims;
}

async function readManifest({ files }: Reader, path: string): Promise<ManifestSeen> {
  const bytes = await files.read(path);
  if (bytes === null) {
    const state = (await files.mode(path)) === null ? 'absent' : 'unreadable';
    return { path, state, manifest: null };
  }
  const manifest = parseHostManifest(Buffer.from(bytes).toString('utf8'));
  return { path, state: manifest === null ? 'broken' : 'readable', manifest };
}
