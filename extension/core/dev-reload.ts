import browser from 'webextension-polyfill';

const LOOK_MS = 500;

/**
 * Reloads the extension once `npm run dev` has made another build. Only its builds contain this.
 * @param build the content of `dev-build.txt` next to the running code
 */
export function reloadWhenRebuilt(build: string): void {
  const look = async (): Promise<void> => {
    const answer = await fetch(browser.runtime.getURL('dev-build.txt'), { cache: 'no-store' });
    if (answer.ok && (await answer.text()) !== build) browser.runtime.reload();
  };
  // While a new build replaces the old one, the file is missing for a moment.
  setInterval(() => void look().catch(() => undefined), LOOK_MS);
}
