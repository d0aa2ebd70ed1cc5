import browser from 'webextension-polyfill';
import { cut } from '../../../shared/base/cut.ts';
import { Queue } from '../../../shared/base/queue.ts';
import { reveal } from '../../../shared/core/policy/reveal.ts';
import { badgeTexts } from '../../ui/words/en/link.ts';
import type { Language } from '../../ui/words/locale.ts';
import type { Borrower } from '../../people/worker/grants.ts';

const NAME_UNITS = 60;
/** Wherever a person clicks in a page, and on the extension's icon. Chromium has no menu of a tab. */
const CONTEXTS = [
  'page',
  'frame',
  'selection',
  'link',
  'editable',
  'image',
  'video',
  'audio',
  'action',
] as const;

/** An open menu may be older than the agents. */
const idOf = ({ server, agent }: Borrower): string => JSON.stringify([server, agent]);

/** The browser's menu of a page: a person gives its tab to an agent. Pages and agents cannot choose there. */
export class GiveMenu {
  readonly #turns = new Queue(1);
  #shown = '';
  #agents: readonly Borrower[] = [];

  /** Registers its listener at once: create it while the worker starts. */
  constructor(give: (tabId: number, to: Borrower) => void) {
    browser.contextMenus.onClicked.addListener(({ menuItemId }, tab) => {
      const to = this.#agents.find((one) => idOf(one) === menuItemId);
      if (to !== undefined && tab?.id !== undefined) give(tab.id, to);
    });
  }

  /** One item for each agent. */
  show(agents: readonly Borrower[], language: Language): void {
    const shown = JSON.stringify([agents, language]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#agents = agents;
    const { give } = badgeTexts(language);
    void this.#turns.add(async () => {
      await browser.contextMenus.removeAll();
      for (const one of agents)
        browser.contextMenus.create({
          id: idOf(one),
          // The browser reads & as the mark of a key.
          title: give({ agent: reveal(cut(one.agent, NAME_UNITS)) }).replaceAll('&', '&&'),
          contexts: [...CONTEXTS],
        });
    });
  }
}
