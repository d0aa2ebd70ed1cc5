import { SpillwayError } from '../../shared/base/errors.ts';
import { gather, withResult } from '../../shared/base/queue.ts';
import { Json, parseJson } from '../../shared/base/json-schema.ts';
import type { manifest } from '../../shared/inspect/evaluate.manifest.ts';
import { callerOf } from '../core/context.ts';
import { produceJson } from '../core/calls/produce.ts';
import type { ArgsOf, ToolRuntimes } from '../core/registry/definition.ts';
import type { Bridge } from '../core/services.ts';
import { ANSWER_VALUES_MAX, hasMoreValues } from '../core/slices.ts';
import { actOnce, formatTabId, onTab, requireTab } from '../core/targets.ts';

/** Types whose JSON text has the same type. */
const JSON_TYPES: ReadonlySet<string> = new Set(['object', 'string', 'number', 'boolean']);

/** In place of a value that the page stores. */
const HIDDEN = /«redacted:\w+»/;

/** `evaluate`: a function's value in the page. */
export const createRuntimes = ({ bridge }: { readonly bridge: Bridge }): ToolRuntimes => ({
  evaluate: async ({ code, args, ref, world, timeout_ms, ...choice }: ArgsOf<typeof manifest>, context) => {
    const target = await requireTab(bridge, choice, context);
    const from = { tab_id: target.tabId, caller: callerOf(context) };
    const given = { code, args: args.map((arg) => Json.parse(arg)), ref: ref ?? null };
    const params = { ...from, ...given, world, timeout_ms };
    const run = async (onSend: () => void) => {
      const { call, signal } = context;
      const stream = bridge.stream(target.browser, 'page.evaluate', params, { call, signal, onSend });
      const { values, result } = withResult(stream);
      return { text: (await gather(values)).join(''), ...result() };
    };
    const { text, url, type } = await onTab(target, context, () => actOnce('it', run));
    if (hasMoreValues(text, ANSWER_VALUES_MAX))
      throw new SpillwayError('evaluate_failed', `It returned more than ${ANSWER_VALUES_MAX} values.`, {
        hint: 'Return less, or the value as text: JSON.stringify(value).',
      });
    const value = parseJson(text);
    const isOther = type !== 'string' && typeof value === 'string' && !HIDDEN.test(value);
    const isSaid = JSON_TYPES.has(type) && !isOther;
    const notes = isSaid ? [] : [`JSON cannot express this ${type}: the answer describes it.`];
    const state = { tab: formatTabId(target), url, type };
    return { ...produceJson(value, state, notes), untrustedFrom: () => url };
  },
});
