import { z } from 'zod';
import { Caller } from '../core/policy/call-facts.ts';
import { TabInfo } from '../core/bridge/page.ts';

/** A dialog, with its page text cut. */
const Dialog = z.object({ type: z.string(), message: z.string() });

export const methods = {
  /** Answers the open dialog of a tab, and waits briefly for the page's reaction. */
  'dialog.answer': {
    needs: 'dialogs',
    dialog: 'ignored',
    policy: { judged: 'tab', risks: ['dialog', 'read'] },
    params: z.object({
      tab_id: z.int(),
      caller: Caller,
      accept: z.boolean(),
      /** For a prompt; defaults to its initial text. */
      text: z.string().max(10_000).optional(),
      /** Tokens of the page's part of the answer. */
      budget: z.int(),
    }),
    result: z.object({
      answered: Dialog,
      /** The dialog that opened next; null if none did. */
      next: Dialog.nullable(),
      /** Tabs that the page opened since. Earlier extensions leave it out. */
      opened: z.array(TabInfo).max(20).optional(),
      /** Addresses of windows that the page asked for and the browser did not open. */
      blocked: z.array(z.string()).max(20).optional(),
      /** Null if the tab was closed. */
      tab: TabInfo.nullable(),
      /** The page went to another document, or is on its way to one. */
      navigated: z.boolean(),
      /** Null if it cannot be read. */
      changes: z.string().nullable(),
    }),
  },
} as const;
