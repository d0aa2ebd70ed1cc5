import { stepLines } from '../../../shared/act/step-lines.ts';
import { RECEIPT_TOKENS } from '../../../shared/act/steps.ts';
import { isErrorCode, SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import type { MethodResult } from '../../../shared/bridge/methods.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { MIME } from '../../../shared/mime.ts';
import { callerOf } from '../../core/caller.ts';
import type { Produced } from '../../core/payload.ts';
import type { ToolRuntime, ToolRuntimes } from '../../core/registry/runtime.ts';
import type { Bridge, Secrets, Uploads } from '../../core/services.ts';
import {
  addOpenedTab,
  explainTab,
  formatTabId,
  hasOpened,
  nameTabs,
  onTab,
  requireTab,
} from '../../core/targets.ts';
import { createDialog } from '../../toolkit/answer-dialog.ts';
import { dialogOf, parsePlan, type Args } from './parse-args.ts';
import { stageUploads } from './stage-uploads.ts';
import { resolveSecrets } from './resolve-secrets.ts';
import { failureOf, progressOf, receiptOf } from './receipt.ts';
import { outcomeUnknown } from './unknown-outcome.ts';

/** How long a step waits for its target. */
const WAIT_MS = 5_000;
/** A step may wait for its target, for the input to be acknowledged, and for its effect. */
const STEP_MS = 30_000;
/** The debugger attaches and the page is read before the first step, and read again after the last one. */
const AROUND_MS = 60_000;

interface InteractServices {
  readonly bridge: Bridge;
  readonly secrets: Secrets;
  readonly uploads: Uploads;
  /** `--launch` */
  readonly isPrivateLaunch: boolean;
}

export const createRuntimes = (services: InteractServices): ToolRuntimes => ({
  interact: createInteract(services),
});

/** `interact`: fills fields, does steps, and says what came of it. */
function createInteract({ bridge, secrets, uploads, isPrivateLaunch }: InteractServices): ToolRuntime<Args> {
  const dialog = createDialog({ bridge });
  return {
    async run(args, context) {
      const answer = dialogOf(args);
      if (answer !== null) return dialog.run({ ...answer, tab: args.tab }, context);
      const plan = parsePlan(args);
      const target = await requireTab(bridge, args, context);
      const { fields, steps, secret } = resolveSecrets(plan, secrets);
      const params = {
        tab_id: target.tabId,
        caller: callerOf(context),
        fields: [...fields],
        steps: [...steps],
        secret,
        files: await stageUploads(plan, { bridge, uploads, browser: target.browser }, context),
        may_type_passwords: isPrivateLaunch && hasOpened(context, target),
        wait_ms: WAIT_MS,
        show: args.show,
        budget: RECEIPT_TOKENS,
      };
      const idleTimeoutMs = AROUND_MS + STEP_MS * (fields.length + steps.length);
      let isSent = false;
      const { call, signal } = context;
      context.keepState(() => ({ steps: fields.length + steps.length, is_sent: isSent }));
      const options = { call, signal, idleTimeoutMs, onSend: () => (isSent = true) };
      const result = await onTab(target, context, () =>
        bridge.request(target.browser, 'act.run', params, options).catch((thrown: unknown) => {
          throw isSent ? outcomeUnknown(thrown) : thrown;
        }),
      );
      const { browser } = target;
      for (const { id: tabId } of result.opened) addOpenedTab(context, target, { browser, tabId });
      const tab = formatTabId(target);
      const id = context.session.acts.add({ tab, startedAt: result.started_at, endedAt: result.ended_at });
      const { failed } = result;
      const notes = result.notes.map((note) => nameTabs(note, target));
      if (failed === null)
        return produceReceipt(receiptOf({ ...result, notes }, { browser, id }), {
          tab,
          url: result.tab?.url ?? result.from_url,
          did: isObject(args) ? didOf(args, result.done) : [],
        });
      const code = isErrorCode(failed.code) ? failed.code : 'internal_error';
      const error = new SpillwayError(code, failed.message, {
        hint: failed.hint,
        retryable: failed.retryable,
        tabId: failed.tab_id,
      });
      const { message, hint } = toSpillwayError(explainTab(error, target, context));
      // The same call would do again what has been done.
      const retryable = result.done.length === 0 && error.retryable;
      const body = progressOf(failed, result);
      throw new SpillwayError(code, failureOf({ ...failed, message }, result), {
        hint,
        retryable,
        body,
        state: { tab, url: result.tab?.url ?? result.from_url, act: id, ...body },
      });
    },
  };
}

/** Each step in the page's words, with what it changed: for people, since the receipt names steps as they were asked for. */
function didOf(args: JsonObject, done: MethodResult<'act.run'>['done']): readonly JsonValue[] {
  const lines = stepLines(
    args,
    done.map(({ element }) => element),
  );
  return lines.map((step, at) => ({ step, note: done[at]?.note ?? null }));
}

function produceReceipt(text: string, state: { readonly url: string } & JsonObject): Produced {
  return {
    payload: { kind: 'text', mimeType: MIME.text, chunks: once(text) },
    done: Promise.resolve({ state, coverage: [] }),
    untrustedFrom: () => state.url,
    deliverAs: 'inline',
  };
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
