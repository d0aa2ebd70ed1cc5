import browser from 'webextension-polyfill';
import { joinBytes } from '../../core/ports/join-bytes.ts';
import type * as chromium from '../chromium/response-bodies.ts';

/** Every piece is passed on to the page as it arrives. */
export const followBody: typeof chromium.followBody = (requestId, maxBytes) =>
  new Promise((resolve) => {
    const filter = browser.webRequest.filterResponseData(requestId);
    const pieces: Uint8Array[] = [];
    let sizeBytes = 0;
    filter.ondata = ({ data }) => {
      filter.write(data);
      sizeBytes += data.byteLength;
      if (sizeBytes <= maxBytes) pieces.push(new Uint8Array(data));
      else pieces.length = 0;
    };
    filter.onstop = () => {
      filter.disconnect();
      resolve({ bytes: sizeBytes <= maxBytes ? joinBytes(pieces) : null, sizeBytes });
    };
    filter.onerror = () => resolve(null);
  });

/** Firefox reports all headers, and knows no other word for it. */
export const EXTRA_HEADERS: typeof chromium.EXTRA_HEADERS = [];
export const BLOCKING: typeof chromium.BLOCKING = ['blocking'];
