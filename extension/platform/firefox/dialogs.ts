import type { ServerMethodResult } from '../../../shared/core/bridge/server-methods.ts';
import type { ServerPort } from '../../core/handler.ts';
import type { PageDialog } from '../chromium/debugger/page-guard.ts';
import type { DialogListener } from '../chromium/debugger/sessions.ts';

type OpenDialog = ServerMethodResult<'input.dialogs'>['dialogs'][number];

/** How long one request waits for a change. */
const WAIT_MS = 20_000;

/** Tabs that got trusted input, by the contexts of their top documents. */
const tabs = new Map<string, { readonly tabId: number; readonly server: ServerPort }>();
/** Servers with a pending request. */
const asked = new WeakSet<ServerPort>();
let open = new Map<number, OpenDialog>();
let listener: DialogListener = () => undefined;

const asPageDialog = ({ type, message, default_text: defaultText }: OpenDialog): PageDialog => ({
  ...{ type, message, defaultText },
  url: '',
});

export function openDialogOf(tabId: number): PageDialog | null {
  const dialog = open.get(tabId);
  return dialog === undefined ? null : asPageDialog(dialog);
}

/** @param heard called with each dialog that opens, and with null when it has closed */
export function onOpenDialog(heard: DialogListener): void {
  listener = heard;
}

/** Follows the dialogs of a tab, which the server that gives its input reports. */
export function followDialogs(tabId: number, context: string, server: ServerPort): void {
  tabs.set(context, { tabId, server });
  if (asked.has(server)) return;
  asked.add(server);
  void follow(server).catch(() => {
    // The server has ended, and its browser ends soon.
    asked.delete(server);
    take([]);
  });
}

async function follow(server: ServerPort): Promise<never> {
  const { signal } = new AbortController();
  for (let changes = 0; ;) {
    const change = await server.request('input.dialogs', { changes, wait_ms: WAIT_MS }, signal);
    ({ changes } = change);
    take(change.dialogs);
  }
}

function take(dialogs: readonly OpenDialog[]): void {
  const before = open;
  open = new Map(
    dialogs.flatMap((dialog) => {
      const { tabId } = tabs.get(dialog.context) ?? {};
      return tabId === undefined ? [] : [[tabId, dialog] as const];
    }),
  );
  for (const tabId of before.keys()) if (!open.has(tabId)) listener(tabId, null);
  for (const [tabId, dialog] of open)
    if (JSON.stringify(before.get(tabId)) !== JSON.stringify(dialog)) listener(tabId, asPageDialog(dialog));
}

/** Answers a tab's dialog. @returns false if none is open */
export async function answerOpenDialog(
  tabId: number,
  { accept, text }: { readonly accept: boolean; readonly text: string },
): Promise<boolean> {
  const dialog = open.get(tabId);
  const { server } = tabs.get(dialog?.context ?? '') ?? {};
  if (dialog === undefined || server === undefined) return false;
  const { signal } = new AbortController();
  await server.request('input.answer', { context: dialog.context, accept, text }, signal);
  open.delete(tabId);
  return true;
}
