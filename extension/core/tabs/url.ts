import browser from 'webextension-polyfill';
import { cutUrl } from '../../../shared/base/cut.ts';
import { forbiddenPage } from '../pages/targets.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';

/**
 * The normalised address, if it may be loaded: http:, https:, about:blank, and file: if the person allowed it.
 * @throws SpillwayError `url_not_allowed`
 */
export async function checkUrl(url: string): Promise<string> {
  if (!URL.canParse(url))
    throw new SpillwayError('url_not_allowed', `url: ${quote(url)} is not an absolute URL.`, {
      hint: 'Pass the full URL, such as https://example.com/.',
    });
  const { protocol, href } = new URL(url);
  const forbidden = forbiddenPage(href);
  if (forbidden !== null) throw new SpillwayError('url_not_allowed', `url: ${quote(url)} is ${forbidden}.`);
  if (protocol === 'http:' || protocol === 'https:' || href === 'about:blank') return href;
  if (protocol !== 'file:')
    throw new SpillwayError('url_not_allowed', `url: ${quote(url)} has a scheme that is not allowed.`);
  if (await browser.extension.isAllowedFileSchemeAccess()) return href;
  throw new SpillwayError('url_not_allowed', `url: this browser gives Spillway no access to files.`, {
    hint: 'Turn on "Allow access to file URLs" for Spillway in chrome://extensions, or serve the file over http.',
  });
}

const quote = (url: string): string => JSON.stringify(cutUrl(url, 200));
