import type { FacesOf } from './face.ts';

declare global {
  /** What the bundler makes of the files that a pattern finds: none of them is named anywhere. */
  interface ImportMeta {
    glob<T>(pattern: string, options: { readonly eager: true; readonly import: string }): Record<string, T>;
    glob<T>(pattern: string, options: { readonly import: string }): Record<string, () => Promise<T>>;
  }
}

/** Loads a face; null where its tool has none for that api. */
export type LoadFace<Face> = () => Promise<Face | null>;

/** What was found in the folders of tools, by identifier. */
export const byIdentifier = <T>(found: Readonly<Record<string, T>>): ReadonlyMap<string, T> =>
  new Map(Object.entries(found).map(([path, one]) => [path.split('/')[1] ?? '', one]));

/** The face of an api, where it has one. */
export const faceOf = <Face>(faces: FacesOf<Face> | undefined, api: string): Face | null =>
  faces !== undefined && Object.hasOwn(faces, api) ? (faces[api] ?? null) : null;

/** The same of faces that are loaded when they are shown. */
export function loaderOf<Face>(
  found: ReadonlyMap<string, () => Promise<FacesOf<Face>>>,
  identifier: string,
  api: string,
): LoadFace<Face> | null {
  const load = found.get(identifier);
  return load === undefined ? null : async () => faceOf(await load(), api);
}
