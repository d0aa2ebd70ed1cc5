import browser from 'webextension-polyfill';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { METHODS, type MethodName } from '../../../shared/core/bridge/methods.ts';
import { siteOf } from '../../../shared/core/policy/sites.ts';
import { forbiddenPage } from '../../core/pages/targets.ts';
import type { TabOpenings } from './openings.ts';
import type { DebuggerSessions } from '../../platform/chromium/debugger/sessions.ts';
import { endHolds } from '../../platform/chromium/debugger/tab-holds.ts';
import { tabOf } from '../../core/link/call-guards.ts';
import type { CallGuard, GuardedCall } from '../../core/link/dispatch.ts';
import { interruptible } from '../../core/link/interrupt.ts';
import { isLoan, type Borrower, type GrantBook } from '../../people/worker/grants.ts';
import type { HeldGrant } from '../../people/worker/queue.ts';
import type { PersonTabs } from '../../core/person-tabs.ts';
import type { AtStake } from '../../people/protocol.ts';
import type { TabOwners, TabUser } from './owners.ts';

/** A page may go on to another site for so long after a call, for example while it signs in. */
const LINGER_MS = 10_000;

interface LentOptions {
  readonly grants: GrantBook;
  readonly owners: TabOwners;
  readonly debuggers: Pick<DebuggerSessions, 'drop'>;
  readonly openings: Pick<TabOpenings, 'isActing'>;
  readonly personTabs: Pick<PersonTabs, 'has'>;
  readonly atStake: (tabId: number) => Promise<readonly AtStake[]>;
  /** Ends the take-over of a tab for which a loan has ended. */
  readonly endTakeover: (tabId: number, loan: HeldGrant) => Promise<void>;
}

interface ActiveCall extends TabUser {
  tabId: number;
  readonly method: MethodName;
  readonly end: (error: SpillwayError) => void;
}

const isOf = (bound: string | null, session: string): boolean => bound === null || bound === session;

const takenBack = (tabId: number): SpillwayError =>
  new SpillwayError('tab_not_given', `Tab ${tabId} was taken back by the person.`);

const isSameBorrower = (one: HeldGrant, other: HeldGrant): boolean =>
  one.tab_id === other.tab_id && one.server === other.server && one.agent === other.agent;

/** Whether one host is the other, or below it. */
const isSameSite = (one: string, other: string): boolean => {
  const [a, b] = [siteOf(one)?.host ?? '', siteOf(other)?.host ?? ''];
  return a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`);
};

/**
 * A person's tabs that agents use for a while. A loan is a grant for one tab: it ends as grants do, with its session,
 * with the tab, and when the person takes the tab back or to another site. Then its calls end, and the debugger leaves.
 */
export class LentTabs {
  readonly #active = new Set<ActiveCall>();
  /** When a call that could move a tab has ended there, by `performance.now()`. */
  readonly #movedAt = new Map<number, number>();
  #known: readonly HeldGrant[] = [];

  /** Registers its listeners at once: create it while the worker starts. */
  constructor(private readonly options: LentOptions) {
    const { grants, openings } = options;
    grants.onChange(() => void this.#changed());
    void this.#changed();
    browser.tabs.onReplaced.addListener((added, removed) => {
      for (const call of this.#active) if (call.tabId === removed) call.tabId = added;
      void grants.replaceTab(removed, added);
    });
    browser.webNavigation.onCreatedNavigationTarget.addListener(({ sourceTabId, tabId }) => {
      // A tab that a person opens from theirs is theirs.
      if (!openings.isActing(sourceTabId)) return;
      // Its first page may be on another site.
      this.#movedAt.set(tabId, performance.now());
      void grants.lendWith(sourceTabId, tabId);
    });
    browser.webNavigation.onCommitted.addListener((went) => {
      if (went.frameId === 0) void this.#went(went);
    });
  }

  /** A person gives a tab with a click. It stays where it is. @throws SpillwayError `page_forbidden` */
  async give(tabId: number, to: Borrower, where: HeldGrant['where']): Promise<void> {
    const { url = '' } = await browser.tabs.get(tabId);
    const what = forbiddenPage(url);
    if (what !== null) throw new SpillwayError('page_forbidden', `Tab ${tabId} shows ${what}.`);
    await this.options.grants.give({ tabId, origin: siteOf(url)?.origin ?? 'null' }, to, where);
  }

  /** Whether the tab is lent to the user. */
  isLentTo(tabId: number, { server, scope }: TabUser): boolean {
    return this.options.grants.loansOf(tabId, server, scope).length > 0;
  }

  /** Runs a call in a lent tab, until it has ended or the person takes the tab back. */
  async use(tabId: number, call: GuardedCall, next: CallGuard): Promise<unknown> {
    const { method, server, scope } = call;
    const { grants } = this.options;
    if (LASTING.has(method) && grants.loansOf(tabId, server, scope).every((loan) => loan.scope === 'once'))
      throw new SpillwayError('tab_not_given', `Tab ${tabId} was lent for one call only.`, {
        hint: 'Call tabs with action "borrow": this needs the tab for the session.',
      });
    if (leavesPage(call)) await this.#expectLeave(tabId, call);
    let isTakenBack = false;
    try {
      const result = await interruptible(
        call.signal,
        (signal) => next({ ...call, signal }),
        (end) => {
          const active = {
            ...{ tabId, method, server, scope },
            end: (error: SpillwayError) => {
              isTakenBack = true;
              end(error);
            },
          };
          this.#active.add(active);
          // The person may have taken it back while they were asked.
          if (!this.isLentTo(tabId, call)) active.end(takenBack(tabId));
          return () => void this.#active.delete(active);
        },
      );
      // It may have been read after that.
      if (isTakenBack) throw takenBack(tabId);
      return result;
    } finally {
      if (MOVERS.has(method)) this.#movedAt.set(tabId, performance.now());
    }
  }

  /** A person's work in the page would be lost: the card shows it. Closing their tab is always asked. */
  async #expectLeave(tabId: number, { method, server, scope, policy }: GuardedCall): Promise<void> {
    const { grants, atStake } = this.options;
    const callId = scope?.call.call_id ?? null;
    // Its own card has shown that.
    if (grants.loansOf(tabId, server, scope).some(({ asked_by: by }) => by !== null && by === callId)) return;
    if (method !== 'tabs.close' && (await atStake(tabId)).length === 0) return;
    const { url = '' } = await browser.tabs.get(tabId);
    const place = { url, tabId, documentId: null };
    await policy.expect(place, ['navigate'], { isAlone: true, isRecorded: false });
  }

  async #changed(): Promise<void> {
    const { grants, owners, debuggers, endTakeover } = this.options;
    const now = (await grants.held()).filter(isLoan);
    const before = this.#known;
    this.#known = now;
    const isIn = (list: readonly HeldGrant[], { id }: HeldGrant): boolean =>
      list.some((one) => one.id === id);
    const ended = before.filter((loan) => !isIn(now, loan));
    for (const loan of now) if (!isIn(before, loan)) await this.#tell(owners, loan, false);
    for (const loan of ended) {
      const { tab_id: tabId, scope } = loan;
      if (tabId === null || (await isGone(tabId)) || now.some((one) => isSameBorrower(one, loan))) continue;
      for (const call of [...this.#active])
        if (call.tabId === tabId && !this.isLentTo(tabId, call)) call.end(takenBack(tabId));
      endHolds(({ name, session }) => name === loan.agent && isOf(loan.session, session), tabId);
      await endTakeover(tabId, loan);
      // Whatever else the agent has left there ends with the attachment.
      if (!now.some((one) => one.tab_id === tabId)) debuggers.drop(tabId, takenBack(tabId));
      if (scope === 'task') await this.#tell(owners, loan, true);
    }
  }

  #tell(owners: TabOwners, loan: HeldGrant, isReturned: boolean): Promise<void> {
    const { tab_id, server, session, agent } = loan;
    if (tab_id === null || server === null) return Promise.resolve();
    return owners.setReturned({ tab_id, server, session, agent }, isReturned);
  }

  /** The loan goes along with the agent, and not with the person. */
  async #went(went: Went): Promise<void> {
    const { tabId, url } = went;
    const { grants, personTabs } = this.options;
    const loan = (await grants.held()).find((grant) => isLoan(grant) && grant.tab_id === tabId);
    const origin = siteOf(url)?.origin ?? null;
    // A blank page is on its way to another one.
    if (loan === undefined || origin === null || loan.origin === origin) return;
    if (personTabs.has(tabId) || isSameSite(loan.origin, origin) || this.#isByAgent(went, loan))
      return grants.moveLoans(tabId, origin);
    await grants.end((grant) => isLoan(grant) && grant.tab_id === tabId);
  }

  #isByAgent(
    { tabId, transitionType = '', transitionQualifiers = [] }: Went,
    { origin }: HeldGrant,
  ): boolean {
    const active = [...this.#active].filter((call) => call.tabId === tabId).map(({ method }) => method);
    if (active.includes('page.navigate')) return true;
    if (BY_PERSON.test(transitionType) || transitionQualifiers.includes('from_address_bar')) return false;
    // A tab that was given before its page had come.
    if (origin === 'null') return true;
    const movedAt = this.#movedAt.get(tabId) ?? -Infinity;
    return active.some((method) => MOVERS.has(method)) || performance.now() - movedAt < LINGER_MS;
  }
}

interface Went {
  readonly tabId: number;
  readonly url: string;
  readonly transitionType?: string;
  readonly transitionQualifiers?: readonly string[];
}

/** How the browser names navigations that a person began in its own window. */
const BY_PERSON = /^(?:typed|generated|auto_bookmark|keyword|keyword_generated|start_page)$/;

/** Methods that can take a tab to another page. */
const MOVERS: ReadonlySet<MethodName> = new Set([
  ...(['page.navigate', 'trace.load', 'act.run', 'page.more', 'page.evaluate'] as const),
  ...(['page_tools.call', 'dialog.answer', 'tab.emulate'] as const),
]);

/** Methods that leave something in a tab when their call has ended, which needs a loan that lasts. */
const LASTING: ReadonlySet<MethodName> = new Set([
  ...(['network.capture', 'tab.emulate', 'tab.intercept', 'video.start', 'trace.start'] as const),
]);

/** A call that closes its tab has ended the loan itself. */
const isGone = (tabId: number): Promise<boolean> =>
  browser.tabs.get(tabId).then(
    () => false,
    () => true,
  );

/** Whether a method takes its tab to another page, or closes it. */
function leavesPage({ method }: GuardedCall): boolean {
  const definition = METHODS[method];
  return 'dialog' in definition && (definition.dialog === 'leaves' || definition.dialog === 'closes');
}

/** Lets calls use their agent's tabs and those that a person has lent, and no others: the one check of every method. */
export const createOwnerGuard =
  (
    { owners, lent }: { readonly owners: Pick<TabOwners, 'expect'>; readonly lent: Pick<LentTabs, 'use'> },
    next: CallGuard,
  ): CallGuard =>
  async (call) => {
    const tabId = tabOf(call);
    if (tabId === null) return next(call);
    const use = await owners.expect(tabId, { ...call, isRequest: call.method === 'tabs.borrow' });
    return use === 'lent' ? lent.use(tabId, call, next) : next(call);
  };
