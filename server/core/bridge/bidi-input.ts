import { z } from 'zod';
import { waitAtMost } from '../../../shared/base/async.ts';
import { cut } from '../../../shared/base/cut.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import { Waiters } from '../../../shared/base/waiters.ts';
import type { INPUT_METHODS } from '../../../shared/core/bridge/input-methods.ts';
import type { ServerMethods } from '../../../shared/core/bridge/server-methods.ts';
import type { BidiSession } from './bidi.ts';
import { emulateInTab } from './bidi-emulation.ts';
import { bidiFiles } from './bidi-files.ts';

/** A busy page hears of its context late, and keeps no other from hearing. */
const ANNOUNCE_MS = 1_000;
/** How long a page that handles input may keep other tabs from theirs. */
const TURN_MS = 2_000;
const DIALOGS_TOLD = 100;
const TEXT_UNITS = 2_000;

interface Context {
  readonly context: string;
  readonly children: readonly Context[] | null;
}
const Context: z.ZodType<Context> = z.object({
  context: z.string(),
  children: z.lazy(() => z.array(Context).nullable()),
});
const Tree = z.object({ contexts: z.array(Context) });

const Prompt = z.object({
  context: z.string(),
  type: z.string(),
  message: z.string().default(''),
  defaultValue: z.string().default(''),
});
type Dialog = z.infer<(typeof INPUT_METHODS)['input.dialogs']['result']>['dialogs'][number];

/** Runs in a sandbox, whose objects the page cannot replace. */
const ANNOUNCE = `(name, context) => void window.dispatchEvent(new CustomEvent(name, { detail: context }))`;

/**
 * Answers a browser's requests for input over its session of WebDriver BiDi.
 * @param folder private, for files that pages get
 */
export async function bidiInput(
  bidi: BidiSession,
  folder: string,
): Promise<Pick<ServerMethods, keyof typeof INPUT_METHODS>> {
  /** The tab of each context that was announced, as a context. */
  const tabs = new Map<string, string>();
  const { acted, methods } = await bidiDialogs(bidi);
  const tabOf = (context: string): string => {
    const tab = tabs.get(context);
    if (tab !== undefined) return tab;
    throw new SpillwayError('page_changed', `The browser has announced no frame ${cut(context, 40)}.`);
  };
  const files = await bidiFiles(bidi, folder, tabOf);
  const announce = async (name: string, { context, children }: Context, tab: string): Promise<void> => {
    tabs.set(context, tab);
    const sent = bidi.send('script.callFunction', {
      functionDeclaration: ANNOUNCE,
      arguments: [name, context].map((value) => ({ type: 'string', value })),
      target: { context, sandbox: 'spillway' },
      awaitPromise: false,
    });
    const heard = waitAtMost(
      sent.catch(() => undefined),
      ANNOUNCE_MS,
    );
    await Promise.all([heard, ...(children ?? []).map((child) => announce(name, child, tab))]);
  };
  let last: Promise<unknown> = Promise.resolve();
  /** Only the tab in front gets input as a person's does: one tab after another. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = waitAtMost(
      done.catch(() => undefined),
      TURN_MS,
    );
    return done;
  };
  return {
    'input.announce': async ({ name }) => {
      const { contexts } = Tree.parse(await bidi.send('browsingContext.getTree'));
      tabs.clear();
      await Promise.all(contexts.map((top) => announce(name, top, top.context)));
      return {};
    },
    'input.perform': ({ context, actions }) =>
      inTurn(async () => {
        const tab = tabOf(context);
        await bidi.send('browsingContext.activate', { context: tab }).catch(explainGone);
        acted.add(tab);
        await bidi.send('input.performActions', { context, actions }).catch(explainGone);
        return {};
      }),
    'input.release': async ({ context }) => {
      // A frame that is gone holds nothing.
      await bidi.send('input.releaseActions', { context }).catch(() => undefined);
      return {};
    },
    'input.emulate': async ({ context, set }) => {
      await emulateInTab(bidi, tabOf(context), set).catch(explainGone);
      return {};
    },
    ...files,
    'input.files': async (params, signal) => {
      acted.add(tabOf(params.context));
      return files['input.files'](params, signal).catch(explainGone);
    },
    ...methods,
  };
}

/**
 * Keeps dialogs open in tabs in which an agent has acted. In others nobody would answer them, so they are dismissed.
 * @returns `acted` the contexts of the tabs in which an agent has acted
 */
async function bidiDialogs(bidi: BidiSession) {
  const acted = new Set<string>();
  const open = new Map<string, Dialog>();
  const waiting = new Waiters<'change', null>();
  let changes = 0;
  const change = (context: string, dialog: Dialog | null): void => {
    if (dialog === null) open.delete(context);
    else open.set(context, dialog);
    changes += 1;
    waiting.notify('change', null);
  };
  const answer = (context: string, accept: boolean, userText?: string) =>
    bidi.send('browsingContext.handleUserPrompt', {
      context,
      accept,
      ...(userText !== undefined && { userText }),
    });
  await bidi.subscribe('browsingContext.userPromptOpened', (params) => {
    const prompt = Prompt.safeParse(params).data;
    if (prompt === undefined) return;
    const { context, type } = prompt;
    const [message, default_text] = [cut(prompt.message, TEXT_UNITS), cut(prompt.defaultValue, TEXT_UNITS)];
    if (acted.has(context)) change(context, { context, type, message, default_text });
    else answer(context, type === 'beforeunload').catch(() => undefined);
  });
  await bidi.subscribe('browsingContext.userPromptClosed', (params) =>
    change(String(params['context']), null),
  );
  const methods: Pick<ServerMethods, 'input.dialogs' | 'input.answer'> = {
    'input.dialogs': async ({ changes: known, wait_ms }, signal) => {
      const { next, stop } = waiting.open('change');
      if (known === changes) await waitAtMost(next, wait_ms, signal).finally(stop);
      stop();
      return { changes, dialogs: [...open.values()].slice(-DIALOGS_TOLD) };
    },
    'input.answer': async ({ context, accept, text }) => {
      await answer(context, accept, text);
      return {};
    },
  };
  return { acted, methods };
}

/** For a document that is gone. @throws SpillwayError `page_changed`, or the reason itself */
function explainGone(thrown: unknown): never {
  const { message } = toSpillwayError(thrown);
  if (!message.includes('no such frame')) throw thrown;
  throw new SpillwayError('page_changed', 'The page was closed or navigated meanwhile.', { cause: thrown });
}
