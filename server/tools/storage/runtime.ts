import type { z } from 'zod';
import type { MethodParams } from '../../../shared/bridge/methods.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { JsonRecord } from '../../../shared/json-schema.ts';
import { MIME } from '../../../shared/mime.ts';
import type { manifest } from '../../../shared/tools/storage/manifest.ts';
import { StorageArea } from '../../../shared/tools/storage/methods.ts';
import type { ToolRuntime, ToolRuntimes } from '../../core/registry/definition.ts';
import type { Bridge } from '../../core/services.ts';
import { formatTabId, onTab, requireTab } from '../../core/targets.ts';

type Args = z.output<typeof manifest.input>;

export const createRuntimes = (services: { readonly bridge: Bridge }): ToolRuntimes => ({
  storage: createStorage(services),
});

type Change = Omit<MethodParams<'storage.change'>, 'tab_id'>;

const invalid = (message: string): SpillwayError => new SpillwayError('invalid_argument', message);

/** @throws SpillwayError `invalid_argument` */
function changeOf({ action, area, value, all, cookie, ...given }: Args): Change {
  const name = given.name ?? null;
  if (area === undefined) throw invalid(`area: ${action} needs one.`);
  if (action === 'set') {
    if (name === null || value === undefined || all) throw invalid('set takes name and value, and not all.');
    return { area, name, value, cookie };
  }
  if (value !== undefined) throw invalid('value: is for set alone.');
  if (all !== (name === null)) throw invalid('delete takes either name, or all: true.');
  return { area, name, value: null, cookie };
}

/** `storage`: the entries that a page stores, and changes to them. */
function createStorage({ bridge }: { readonly bridge: Bridge }): ToolRuntime<Args> {
  return {
    async run(args, context) {
      const change = args.action === 'list' ? null : changeOf(args);
      const target = await requireTab(bridge, args, context);
      const { call, signal } = context;
      const where = { tab_id: target.tabId };
      const { url, ...facts } = await onTab(target, context, async () => {
        if (change !== null)
          return bridge.request(target.browser, 'storage.change', { ...where, ...change }, { call, signal });
        const areas = args.area === undefined ? StorageArea.options : [args.area];
        return bridge.request(target.browser, 'storage.list', { ...where, areas }, { call, signal });
      });
      const tab = formatTabId(target);
      const value: JsonObject = JsonRecord.parse({ tab, url, ...facts });
      return {
        payload: { kind: 'json', mimeType: MIME.json, value },
        done: Promise.resolve({ state: { tab, url }, coverage: [] }),
        untrustedFrom: () => url,
      };
    },
  };
}
