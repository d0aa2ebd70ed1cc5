import type { Create } from '../../core/handler.ts';
import { documentsOfCall } from '../../core/policy/documents.ts';
import { findInTab } from './find-in-tab.ts';

/** The method of `find`: see {@link findInTab} for errors. */
export const createHandlers: Create<'page.find'> = ({ channels, refBook: refs }) => ({
  'page.find': (params, { signal, policy }) =>
    findInTab({ ...params, channels: documentsOfCall(channels, policy, { risks: ['read'] }), refs, signal }),
});
