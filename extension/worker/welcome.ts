import browser from 'webextension-polyfill';

/** Pages where people install extensions. A program that starts a browser with the extension shows another page. */
const INSTALLING = /^[a-z]+:\/\/extensions\b|^https:\/\/chromewebstore\.google\.com\//;

/** Opens the welcome page after a person has installed the extension. Call as the worker starts. */
export function welcomeNewPeople(): void {
  browser.runtime.onInstalled.addListener(({ reason }) => {
    if (reason === 'install') void welcome();
  });
}

async function welcome(): Promise<void> {
  const [front] = await browser.tabs.query({ active: true, lastFocusedWindow: true });
  if (INSTALLING.test(front?.url ?? '')) await browser.tabs.create({ url: 'welcome/welcome.html' });
}
