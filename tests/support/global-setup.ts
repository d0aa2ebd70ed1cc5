import { build, isBuildFresh } from '../../scripts/lib/build.mjs';

/** Whatever runs against `dist` runs against what the sources say now, also without `npm test`. */
export default async function setup(): Promise<void> {
  if (!isBuildFresh()) await build();
}
