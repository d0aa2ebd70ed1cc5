import { SETUP_LOCK, build, isBuildFresh } from '../../scripts/lib/build.mjs';
import { withLock } from '../../scripts/lib/lock.mjs';

/** Whatever runs against `dist` runs against what the sources say now, also without `npm test`. */
export default async function setup(): Promise<void> {
  if (!isBuildFresh())
    await withLock(SETUP_LOCK, async () => {
      if (!isBuildFresh()) await build();
    });
}
