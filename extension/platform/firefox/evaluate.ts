import * as z from 'zod/mini';
import browser from 'webextension-polyfill';
import { withTimeout } from '../../../shared/base/async.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import { injectionError, quotePage } from '../../core/pages/targets.ts';
import type * as chromium from '../chromium/evaluate.ts';
import { unsupportedInFirefox } from './unsupported.ts';

const MESSAGE_UNITS = 500;
const NOT_ALLOWED =
  'Ask the person to open about:addons, Spillway, Permissions, and to allow unverified scripts there; then call again.';

const Injected = z.array(z.object({ result: z.optional(z.unknown()), error: z.optional(z.unknown()) }));
const Value = z.object({ type: z.string(), value: z.optional(z.unknown()), thrown: z.optional(z.string()) });

/** No debugger is needed, so dialogs of the page are not known. */
export const evaluator: typeof chromium.evaluator = async ({ debuggers }, tabId, signal) => {
  const lease = await debuggers.acquire(tabId, signal);
  return { lease, frames: { all: () => Promise.resolve([null]) }, release: () => void lease.release() };
};

/** @returns the world in `within` */
export const findScope: typeof chromium.findScope = async ({ world, ref }) => {
  if (ref !== null)
    throw unsupportedInFirefox('A function with an element', 'Find the element in the function itself.');
  return { session: null, within: world, element: null };
};

/** Firefox stops no script, and awaits promises by itself. */
export const runFunction: typeof chromium.runFunction = async ({ within }, running) => {
  const { lease, code, args, timeout_ms: timeoutMs, signal } = running;
  const { tabId } = lease;
  // The API exists only with the permission.
  const { userScripts }: { readonly userScripts?: typeof browser.userScripts } = browser;
  if (userScripts === undefined)
    throw unsupportedInFirefox('A function in a page without a permission of the person', NOT_ALLOWED);
  const late = (): SpillwayError =>
    new SpillwayError(
      'evaluate_failed',
      `The function did not end within ${timeoutMs} ms: it may still run.`,
    );
  const run = userScripts.execute({
    target: { tabId, frameIds: [0] },
    world: within === 'page' ? 'MAIN' : 'USER_SCRIPT',
    js: [
      {
        code: wrapped(
          code,
          args.map((arg) => JSON.stringify(arg)),
        ),
      },
    ],
    injectImmediately: true,
  });
  const injected = await withTimeout(run, timeoutMs, late, signal).catch((thrown: unknown) => {
    if (/structured-clonable/.test(messageOf(thrown))) throw notJson(messageOf(thrown));
    throw thrown instanceof SpillwayError ? thrown : injectionError(thrown, tabId, '');
  });
  const [answer] = Injected.parse(injected);
  if (answer?.error !== undefined) throw failed(String(answer.error));
  const value = Value.safeParse(answer?.result);
  if (!value.success) throw failed('the value cannot be copied out of the page');
  if (value.data.thrown !== undefined) throw failed(value.data.thrown);
  const text = asJson(value.data.value) ?? JSON.stringify(value.data.type);
  if (text.length > LIMITS.outputInlineMaxBytes)
    throw new SpillwayError(
      'evaluate_failed',
      `The value has ${text.length} characters of JSON; at most ${LIMITS.outputInlineMaxBytes} are returned.`,
    );
  return { text, type: value.data.type };
};

function asJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (thrown) {
    throw notJson(messageOf(thrown));
  }
}

const notJson = (why: string): SpillwayError =>
  new SpillwayError(
    'evaluate_failed',
    `It returned what JSON cannot express, such as a chain without an end: ${why}.`,
  );

const failed = (reason: string): SpillwayError =>
  new SpillwayError('evaluate_failed', `The function threw ${quotePage(reason, MESSAGE_UNITS)}.`);

/** Without arguments, any expression but a function is the value itself. */
function wrapped(code: string, args: readonly string[]): string {
  const written = `(${code.replace(/(?<![\s;])[\s;]+$/, '')}\n)`;
  const given = args.map((arg) => arg.replaceAll('"__proto__":', '["__proto__"]:')).join(', ');
  const value =
    given === '' ? `((is) => (typeof is === 'function' ? is() : is))(${written})` : `${written}(${given})`;
  return `(async () => {
    try {
      const value = await ${value};
      const type = typeof value;
      if (type === 'bigint') return { type, value: value + 'n' };
      if (Object.is(value, -0)) return { type, value: '-0' };
      if (type === 'number' && !Number.isFinite(value)) return { type, value: String(value) };
      return type === 'function' || type === 'symbol' ? { type } : { type, value };
    } catch (thrown) {
      return { type: '', thrown: String(thrown) };
    }
  })()`;
}
