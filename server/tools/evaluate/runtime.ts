import { gather } from '../../../shared/async/queue.ts';
import type { z } from 'zod';
import { Json, parseJson } from '../../../shared/json-schema.ts';
import { MIME } from '../../../shared/mime.ts';
import type { manifest } from '../../../shared/tools/evaluate/manifest.ts';
import { callerOf } from '../../core/context.ts';
import type { ToolRuntime, ToolRuntimes } from '../../core/registry/definition.ts';
import type { Bridge } from '../../core/services.ts';
import { formatTabId, onTab, requireTab } from '../../core/targets.ts';

type Args = z.output<typeof manifest.input>;

/** Types whose JSON text has the same type. */
const JSON_TYPES: ReadonlySet<string> = new Set(['object', 'string', 'number', 'boolean']);

export const createRuntimes = (services: { readonly bridge: Bridge }): ToolRuntimes => ({
  evaluate: createEvaluate(services),
});

/** `evaluate`: a function's value in the page. */
function createEvaluate({ bridge }: { readonly bridge: Bridge }): ToolRuntime<Args> {
  return {
    async run({ code, args, ref = null, world, timeout_ms, ...choice }, context) {
      const target = await requireTab(bridge, choice, context);
      const { text, url, type } = await onTab(target, context, async () => {
        const stream = bridge.stream(
          target.browser,
          'page.evaluate',
          {
            tab_id: target.tabId,
            code,
            args: args.map((arg) => Json.parse(arg)),
            ref,
            caller: callerOf(context),
            world,
            timeout_ms,
          },
          { call: context.call, signal: context.signal },
        );
        stream.done.catch(() => undefined);
        const pieces = await gather(stream.chunks);
        return { text: pieces.join(''), ...(await stream.done) };
      });
      const value = parseJson(text);
      const isSaid = JSON_TYPES.has(type) && (type === 'string' || typeof value !== 'string');
      return {
        payload: { kind: 'json', mimeType: MIME.json, value },
        done: Promise.resolve({
          state: { tab: formatTabId(target), url, type },
          coverage: isSaid ? [] : [`JSON has no such ${type}: the answer says what it is.`],
        }),
        untrustedFrom: () => url,
      };
    },
  };
}
