import type { Page, Worker } from 'playwright';
import { vi } from 'vitest';
import { EXTENSION_ID } from '../../../shared/core/bridge/wire.ts';
import { PATIENCE } from '../../support/patience.ts';
import { openSidePanel } from '../../support/side-panel.ts';
import { CaptureRig } from '../../support/worker/capture-rig.ts';
import type { CdpTarget } from '../../support/worker/cdp-target.ts';
import type { HostPort } from '../../support/worker/test-host.ts';

export const APPROVE_URL = `chrome-extension://${EXTENSION_ID}/people/approve/approve.html`;
export const PANEL_URL = `chrome-extension://${EXTENSION_ID}/ui/frame/panel.html`;

export interface KeptQuestion {
  readonly id: string;
  readonly tool: string;
  readonly title: string;
  readonly args: object | null;
  readonly risks: readonly string[];
  readonly url: string;
  readonly agent: { readonly name: string; readonly version?: string };
  readonly isEditable?: boolean;
  readonly tabId?: number | null;
  readonly documentId?: string | null;
  /** The tab is the person's own. */
  readonly isLent?: boolean;
  readonly server?: string;
  readonly sources?: readonly object[];
  /** The steps for which the person chooses files. */
  readonly chosen?: readonly number[];
}

/** A question that the worker finds in storage when it starts. */
function kept({ id, tool, title, args, risks, url, agent, ...more }: KeptQuestion): object {
  const {
    isEditable = true,
    tabId = null,
    documentId = null,
    server = 'test-server-1',
    isLent = false,
    sources = [],
    chosen = [],
  } = more;
  return {
    ...{ id, server, risks, url, origin: url && new URL(url).origin, tab_id: tabId, document_id: documentId },
    caller: { session: 's1', ...agent },
    call: { call_id: id, tool, title, args, is_editable: isEditable, args_hash: 'a'.repeat(64), sources },
    sources: sources.map((source) => Reflect.get(source, 'site')),
    ...{
      chosen,
      is_alone: chosen.length > 0,
      is_lent: isLent,
      is_stub: false,
      can_remember: true,
      asked_at: Date.now(),
    },
  };
}

/** A browser whose worker asks, and a server that is the test. */
export class ApprovalRig {
  readonly capture: CaptureRig;

  private constructor(capture: CaptureRig) {
    this.capture = capture;
  }

  static async start(): Promise<ApprovalRig> {
    return new ApprovalRig(await CaptureRig.start('person'));
  }

  get port(): HostPort {
    return this.capture.port;
  }

  /** Starts a worker that finds these cards, each with questions of one kind. */
  async ask(...cards: readonly (readonly KeptQuestion[])[]): Promise<void> {
    const state = {
      cards: cards.map((card) => ({ key: card[0]?.id ?? '', questions: card.map(kept) })),
      grants: [],
      ended: [],
      refused: [],
      latest: 0,
      window: null,
      dismissed: new Array<string>(),
    };
    const worker = await this.capture.worker();
    await this.#closeWindow(worker);
    const before = this.capture.host.ports.length;
    await worker.evaluate((questions) => chrome.storage.session.set({ questions }), state);
    await this.capture.killWorker();
    const port = await this.capture.host.port(before + 1);
    port.open(1);
    this.capture.port = port;
    // The previous worker may have stored its state once more before it ended.
    const found = await vi.waitFor(async () => {
      const next = await this.capture.worker();
      return next.evaluate(async () => {
        const { questions } = await chrome.storage.session.get<{ questions?: typeof state }>('questions');
        return [...(questions?.cards ?? []).map(({ key }) => key), ...(questions?.dismissed ?? [])];
      });
    }, PATIENCE);
    if (found.join() !== state.cards.map(({ key }) => key).join()) await this.ask(...cards);
  }

  /**
   * Closes a window of the previous test, even one that is just opening, and waits until the worker has stored that.
   */
  async #closeWindow(worker: Pick<Worker, 'evaluate'>): Promise<void> {
    await vi.waitFor(async () => {
      await Promise.all(this.pages().map((page) => page.close()));
      const window = await worker.evaluate(async () => {
        const { questions } = await chrome.storage.session.get<{ questions?: { window: unknown } }>(
          'questions',
        );
        return questions?.window ?? null;
      });
      if (window !== null) throw new Error('The worker has not noted that its window is closed.');
    }, PATIENCE);
  }

  pages(): Page[] {
    const pages = this.capture.browser.devtools.contexts().flatMap((context) => context.pages());
    return pages.filter((page) => page.url() === APPROVE_URL);
  }

  /** Opens the side panel. Playwright does not show it. */
  openPanel(): Promise<CdpTarget> {
    return openSidePanel(this.capture.browser);
  }

  /** The page of the window, once it shows a card with that title. */
  async card(title: string): Promise<Page> {
    // The window of the question before may still be closing, or that of a worker that ended while it opened one.
    return vi.waitFor(async () => {
      for (const page of this.pages())
        if (
          (await page.locator('h1', { hasText: title }).isVisible()) &&
          (await page.locator('#allow').isVisible())
        )
          return page;
      throw new Error('No window shows the question.');
    }, PATIENCE);
  }

  async live(page: Page): Promise<void> {
    await page.locator('#deny[aria-disabled="false"]').waitFor();
  }

  async press(page: Page, button: '#allow' | '#deny'): Promise<void> {
    await this.live(page);
    await page.click(button);
  }
}
