import browser from 'webextension-polyfill';

/** Where people install extensions. A browser that a program started with one shows another page. */
const INSTALLING = /^[a-z]+:\/\/extensions\b|^https:\/\/chromewebstore\.google\.com\//;

/** Opens the welcome page once a person has installed the extension. Has to be called while the worker starts. */
export function welcomeNewPeople(): void {
  browser.runtime.onInstalled.addListener(({ reason }) => {
    if (reason === 'install') void welcome();
  });
}

async function welcome(): Promise<void> {
  const [front] = await browser.tabs.query({ active: true, lastFocusedWindow: true });
  if (INSTALLING.test(front?.url ?? '')) await browser.tabs.create({ url: 'welcome/welcome.html' });
}
