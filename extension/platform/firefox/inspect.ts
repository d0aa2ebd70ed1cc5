import { isObject } from '../../../shared/base/json.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { runInPage } from '../../core/pages/targets.ts';
import { describeHosts, describeRendered } from '../../core/in-page/components.ts';
import * as chromium from '../chromium/inspect.ts';
import { unsupportedInFirefox } from './unsupported.ts';

/** Looks through to the page's own properties. No extension sees where a function or a rule of CSS begins. */
export const inspectElement: typeof chromium.inspectElement = async (_services, wanted) => {
  const { tabId, ref, viewer, place, styles, signal } = wanted;
  if (styles) throw unsupportedInFirefox('styles: the rules of an element', 'Call inspect without styles.');
  const target = { tabId, documentIds: [place.documentId] };
  const args: [null, string, string] = [null, ref, viewer];
  const described = await Promise.all(
    [describeRendered, describeHosts].map(async (func) => {
      const answer = await runInPage({ target, url: '', func, args, signal });
      if (isObject(answer)) return chromium.parseDescribed(answer['text']);
      throw new SpillwayError('stale_ref', `The element of ref ${ref} is gone or was replaced.`);
    }),
  );
  const found = chromium.orderComponents(described.flat());
  return { components: found.map((one) => ({ ...one, begins: null })), maps: new Map(), rules: [] };
};
