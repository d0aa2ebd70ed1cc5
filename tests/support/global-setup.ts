import { ensureBrowser } from '../../scripts/lib/browser.mjs';
import { SETUP_LOCK, build, isBuildFresh } from '../../scripts/lib/build.mjs';
import { withLock } from '../../scripts/lib/lock.mjs';

/** Tests run against a build of the current sources and have a browser, even without `npm test`. */
export default async function setup(): Promise<void> {
  if (isBuildFresh()) return;
  await withLock(SETUP_LOCK, async () => {
    if (!isBuildFresh()) await build();
    await ensureBrowser(console.log);
  });
}
