import browser, { type Tabs } from 'webextension-polyfill';
import type { Risk } from '../../../shared/core/policy/risks.ts';
import type { Caller, CallScope, ReadSite } from '../../../shared/core/policy/call-facts.ts';
import { cutUrl } from '../../../shared/base/cut.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { ServerPolicy } from '../../../shared/people/evaluate.ts';
import type { AllowedBy } from '../../../shared/ledger/report.ts';
import type { ServerRules, Effect } from '../../../shared/people/policy.ts';
import { isAsSeen, type ShownElement, type ShownElements } from '../../core/ports/shown-element.ts';
import { siteOf, type Site } from '../../../shared/core/policy/sites.ts';
import { firstPage, hasNoPage } from '../../core/pages/targets.ts';
import type {
  Approvals,
  GrantUse,
  Need,
  ActLedger,
  CallPolicy,
  ExpectOptions,
  PolicyPlace,
} from '../../core/policy/call-policy.ts';
import { addressOf, framesOf, topOf } from '../../core/policy/documents.ts';
import { formatRuleName, judgePlace, siteOfPlace, type Judgement } from './judge.ts';
import type { Privacy } from './privacy.ts';
import type { PolicyStore, Rules } from './store.ts';

interface GuardOptions {
  readonly store: PolicyStore;
  /** Null if nobody can be asked. */
  readonly approvals: Approvals | null;
  /** Instance of the calling server. */
  readonly server: string;
  /** Whether a tab is a session's own: grants for its site do not cover a person's. */
  readonly isOwn: (tabId: number, server: string, session: string) => boolean;
  readonly privacy: Pick<Privacy, 'isPrivate'>;
}

/** A person's rules, the flags of one server, and the questions to the person. */
export class PolicyGuard {
  #flags: ServerPolicy | null = null;

  constructor(private readonly options: GuardOptions) {}

  /** Repeated calls add up: a server can only tighten. */
  tighten(rules: ServerRules): void {
    this.#flags = new ServerPolicy(rules, this.#flags);
  }

  /** Whether the rules deny an agent to read one of these places. A person's own act needs no further yes. */
  async denies(places: readonly PolicyPlace[], agent: string): Promise<boolean> {
    const { policy } = await this.options.store.rules();
    return places.some((place) => {
      const site = siteOfPlace(place);
      const own = policy.judge({ risk: 'read', site, agent, fromElsewhere: false });
      return own.effect === 'deny' || this.#flags?.judge(site).effect === 'deny';
    });
  }

  /** The policy of one call, which its server may cancel. */
  call(
    scope: CallScope | null,
    { ledger, signal }: { readonly ledger: ActLedger; readonly signal: AbortSignal },
  ): CallPolicy {
    const caller = scope?.caller ?? { session: this.options.server, name: 'agent' };
    const flags = (): ServerPolicy | null => this.#flags;
    return new JudgedCall({ ...this.options, ...scope, caller, flags, ledger, signal });
  }
}

interface JudgedCallOptions extends GuardOptions, Partial<Pick<CallScope, 'call' | 'asks' | 'home'>> {
  readonly flags: () => ServerPolicy | null;
  readonly caller: Caller;
  readonly ledger: ActLedger;
  readonly signal: AbortSignal;
}

const ACTS: Readonly<Record<Risk, string>> = {
  read: 'Reading',
  navigate: 'Going to',
  input: 'Input on',
  submit: 'Submitting on',
  download: 'Downloading from',
  upload: 'Uploading to',
  dialog: 'Answering a dialog of',
  evaluate: 'Running a script on',
  capture_network: 'Capturing requests of',
  crawl: 'Crawling',
  borrow_tab: 'Using a tab of the person',
  list_tabs: 'Listing the tabs of the person',
  read_history: 'Searching the history of the person',
  show_tab: 'Bringing to the front a tab with',
  use_container: 'Using a container of the person',
  carry_text: 'Sending text of another site to',
};
const URL_UNITS = 200;

/** Acts after which an answer can have text of the page. */
const REVEALS: ReadonlySet<Risk> = new Set([
  ...(['read', 'input', 'submit', 'dialog', 'evaluate', 'capture_network', 'download', 'crawl'] as const),
]);
const SITES_MAX = 100;

class JudgedCall implements CallPolicy {
  /** Risks and their grants, by document or address. */
  readonly #granted = new Map<string, ReadonlyMap<Risk, string>>();
  /** The risks, by origin. */
  readonly #grantedSites = new Map<string, Set<Risk>>();
  readonly shown: Seen[] = [];
  readonly #read = new Map<string, ReadSite>();
  #known: Rules | null = null;
  #hasBegun = false;
  #chosen: readonly number[] = [];

  constructor(private readonly options: JudgedCallOptions) {}

  began(): void {
    this.#hasBegun = true;
  }

  readSites(): readonly ReadSite[] {
    return [...this.#read.values()];
  }

  /** The answer may have text of that place. A tab that the agent did not open is a person's. */
  #reads(place: PolicyPlace, site: Site | null, risks: readonly Risk[]): void {
    if (site === null || this.#read.size >= SITES_MAX || !risks.some((risk) => REVEALS.has(risk))) return;
    const isPrivate = this.#isLent(place.tabId) || this.options.privacy.isPrivate(site);
    this.#read.set(site.origin, { site: site.origin, is_private: isPrivate });
  }

  #isLent(tabId: number | null): boolean {
    const { server, caller, isOwn } = this.options;
    return tabId !== null && !isOwn(tabId, server, caller.session);
  }

  async expect(
    place: PolicyPlace,
    risks: readonly Risk[],
    { asks = true, waits = true, isRecorded = true, isAlone = false, chosen }: ExpectOptions = {},
  ): Promise<AllowedBy> {
    if (chosen !== undefined) this.#chosen = chosen;
    const rules = await this.#rules();
    const judged = this.#judge(rules, place, risks);
    const alone = isAlone && !rules.asksNobody;
    const judgement = alone ? { ...judged, asked: [...new Set([...risks, ...judged.asked])] } : judged;
    let allowedBy: AllowedBy = { kind: 'rule', id: judgement.rule.id };
    if (judgement.rule.effect !== 'allow' || alone)
      allowedBy = await this.#decide(place, judgement, {
        isDamaged: rules.isDamaged,
        asks: asks && !this.#hasBegun,
        isAlone: alone,
      });
    this.#reads(place, judgement.site, risks);
    if (!isRecorded) return allowedBy;
    this.#record(place, judgement, allowedBy);
    if (waits) await this.written();
    return allowedBy;
  }

  #record({ tabId }: PolicyPlace, { risks, site }: Judgement, by: AllowedBy, is_denied?: true): void {
    const facts = { risks, site: site?.origin ?? 'null', tab_id: tabId };
    this.options.ledger.add({ ...facts, allowed_by: by, is_denied });
  }

  async #rules(): Promise<Rules> {
    return (this.#known = await this.options.store.rules());
  }

  /** Null before the first have been read. */
  #knownRules(): Rules | null {
    const now = this.options.store.rules();
    return now instanceof Promise ? this.#known : (this.#known = now);
  }

  written(): Promise<void> {
    return this.options.ledger.written();
  }

  async expectTab(tabId: number, risks: readonly Risk[], options?: ExpectOptions): Promise<Tabs.Tab | null> {
    const tab = await browser.tabs.get(tabId).catch(() => null);
    if (tab === null) return null;
    if (options?.awaitsPage === true && hasNoPage(tab)) {
      await firstPage(tabId, this.options.signal);
      return this.expectTab(tabId, risks, { ...options, awaitsPage: false });
    }
    const place = { url: tab.url ?? '', tabId, documentId: null };
    const rules = await this.#rules();
    const isKnown = siteOf(place.url) !== null;
    const { rule, site, risks: all } = this.#judge(rules, place, risks);
    if (isKnown && rule.effect === 'allow' && all === risks) {
      this.#reads(place, site, risks);
      return tab;
    }
    const top = await topOf(tabId);
    if (top !== null) await this.expect(top, risks, options);
    return tab;
  }

  async expectFrames(tabId: number, risks: readonly Risk[]): Promise<void> {
    for (const frame of await framesOf(tabId)) await this.expect(frame, risks);
  }

  async allows(place: PolicyPlace, risks: readonly Risk[]): Promise<boolean> {
    const { rule, site } = this.#judge(await this.options.store.rules(), place, risks);
    if (rule.effect === 'allow') this.#reads(place, site, risks);
    return rule.effect === 'allow';
  }

  passes(place: PolicyPlace, risks: readonly Risk[]): boolean {
    const rules = this.#knownRules();
    if (rules === null) return false;
    const { site, asked, rule } = this.#judge(rules, place, risks);
    const granted = this.#grantedSites.get(site?.origin ?? 'null');
    return (
      rule.effect === 'allow' || (rule.effect === 'ask' && asked.every((one) => granted?.has(one) === true))
    );
  }

  async guardsFiles(place: PolicyPlace): Promise<boolean> {
    const rules = await this.options.store.rules();
    const isRead = this.#judge(rules, place, ['read']).rule.effect === 'allow';
    return !isRead || this.#judge(rules, place, ['download']).rule.source !== 'default';
  }

  effect(place: PolicyPlace, risks: readonly Risk[]): Effect | null {
    const rules = this.#knownRules();
    return rules === null ? null : this.#judge(rules, place, risks).rule.effect;
  }

  async asSeen(target: string, element: ShownElement): Promise<(() => Promise<never>) | null> {
    const seen = this.shown.findLast(({ elements }) => Object.hasOwn(elements, target));
    const shown = seen?.elements[target];
    if (seen === undefined || shown === undefined) return null;
    const askAgain = (): Promise<never> => this.#askAgain(seen);
    return isAsSeen(shown, element, this.#hasBegun) ? askAgain : askAgain();
  }

  async confirms(place: PolicyPlace, risks: readonly Risk[]): Promise<boolean> {
    const rules = await this.options.store.rules();
    const { approvals, call } = this.options;
    if (rules.asksNobody || approvals === null || call === undefined) return false;
    const shown = { ...place, url: await addressOf(place) };
    const judgement = { ...this.#judge(rules, place, risks), asked: risks };
    const used = await approvals.use(this.#needOf(shown, judgement, true));
    if (used !== null) {
      this.#see(used, { place: shown, judgement, isAlone: true });
      return true;
    }
    const where = judgement.site?.origin ?? cutUrl(shown.url, URL_UNITS);
    const message = `Typing a secret that names no site into a field of ${where} that takes no password needs the yes of a person.`;
    return this.#ask(message, { place: shown, judgement, isAlone: true }, !this.#hasBegun);
  }

  #see({ id: grant, elements }: GrantUse, of: Asked): void {
    if (Object.keys(elements).length > 0) this.shown.push({ grant, elements, ...of });
  }

  /** The page has changed since the person's approval, which was for something else. */
  async #askAgain(seen: Seen): Promise<never> {
    await this.options.approvals?.withdraw(seen.grant);
    const message =
      'The page has changed what this call acts on since a person allowed it, so they have to be asked again.';
    return this.#ask(message, seen, !this.#hasBegun);
  }

  #judge({ policy }: Rules, place: PolicyPlace, risks: readonly Risk[]): Judgement {
    const { call, caller, flags } = this.options;
    return judgePlace(
      { policy, flags: flags(), agent: caller.name, sources: call?.sources ?? [] },
      place,
      risks,
    );
  }

  async #decide(
    place: PolicyPlace,
    judgement: Judgement,
    { isDamaged, asks, isAlone }: Readonly<Record<'isDamaged' | 'asks' | 'isAlone', boolean>>,
  ): Promise<AllowedBy> {
    const { site, risk, rule } = judgement;
    const where = whereOf(risk, place, site);
    const damage = isDamaged ? ' The stored rules cannot be read, so the defaults apply.' : '';
    if (rule.effect === 'deny' && judgement.risks.includes('carry_text')) {
      this.#record(place, judgement, { kind: 'rule', id: rule.id }, true);
      await this.written();
    }
    if (rule.effect === 'deny')
      throw new SpillwayError('policy_denied', `${where} is denied by ${formatRuleName(rule)}.${damage}`);
    // A channel has the address that its document began with, while people see the tab's current one.
    const shown = { ...place, url: await addressOf(place) };
    const grant = await this.#grantFor(shown, judgement, isAlone);
    if (grant !== null) return { kind: 'grant', id: grant };
    const why = isAlone ? 'to this call alone' : `by ${formatRuleName(rule)}`;
    const whose =
      judgement.sources.length === 0 ? '' : `, with text read from ${judgement.sources.join(' and ')},`;
    const message = `${where}${whose} needs the yes of a person, ${why}.${damage}`;
    return this.#ask(message, { place: shown, judgement, isAlone }, asks);
  }

  /** The grant by which a person has allowed it, earlier or now. */
  async #grantFor(place: PolicyPlace, judgement: Judgement, isAlone: boolean): Promise<string | null> {
    const { site, asked } = judgement;
    const key = `${place.tabId} ${place.documentId ?? place.url} ${site?.origin ?? ''}`;
    const granted = this.#granted.get(key) ?? new Map<Risk, string>();
    const [first] = asked;
    if (asked.every((one) => granted.has(one)))
      return first === undefined ? null : (granted.get(first) ?? null);
    const used = await this.#use(place, judgement, isAlone);
    if (used === null) return null;
    this.#see(used, { place, judgement, isAlone });
    this.#granted.set(key, new Map([...granted, ...asked.map((one) => [one, used.id] as const)]));
    const origin = site?.origin ?? 'null';
    this.#grantedSites.set(origin, new Set([...(this.#grantedSites.get(origin) ?? []), ...asked]));
    return used.id;
  }

  /** Acts, and the text of each site, may have been allowed by different grants. */
  async #use(place: PolicyPlace, judgement: Judgement, isAlone: boolean): Promise<GrantUse | null> {
    const { approvals } = this.options;
    if (approvals === null) return null;
    const whole = this.#needOf(place, judgement, isAlone);
    const used = await approvals.use(whole);
    if (used !== null || judgement.sources.length === 0) return used;
    const acts = judgement.asked.filter((risk) => risk !== 'carry_text');
    const ofActs = acts.length === 0 ? [] : [{ ...whole, risks: acts, sources: [] }];
    const ofTexts = judgement.sources.map((source) => ({
      ...whole,
      risks: ['carry_text' as const],
      sources: [source],
      isAlone: false,
    }));
    return approvals.use(...ofActs, ...ofTexts);
  }

  /** Fails with the question to the person, if one is possible. @throws SpillwayError `approval_required` */
  async #ask(message: string, asked: Asked, asks: boolean): Promise<never> {
    const questionId = asks ? await this.#raise(asked) : undefined;
    const hint = this.#hasBegun ? REST : undefined;
    const isOfTab = questionId === undefined && asked.judgement.asked.includes('borrow_tab');
    throw new SpillwayError(isOfTab ? 'tab_not_given' : 'approval_required', message, { questionId, hint });
  }

  /** The question to the person; undefined if none is possible. */
  async #raise({ place, judgement, isAlone }: Asked): Promise<string | undefined> {
    const { approvals, call, server, signal } = this.options;
    if (approvals === null || call === undefined) return undefined;
    const need = this.#needOf(place, judgement, isAlone);
    const { id } = await approvals.raise(need, judgement.rule);
    // A server that cancelled the call meanwhile does not receive the question, so it cannot withdraw it.
    if (signal.aborted) await approvals.cancel(id, server);
    return id;
  }

  /** An approval of a script allows that script alone. */
  #needOf(
    { url, tabId, documentId }: PolicyPlace,
    { site, asked: risks, sources }: Judgement,
    isAlone: boolean,
  ): Need {
    const { server, caller, call = null, asks, home } = this.options;
    return {
      ...{ server, caller, call, asks, home, risks, sources },
      isAlone: isAlone || risks.includes('evaluate'),
      chosen: isAlone ? this.#chosen : [],
      isLent: this.#isLent(tabId),
      url,
      origin: site?.origin ?? 'null',
      tabId,
      documentId,
    };
  }
}

const REST = 'Send the rest as a new call: a person is asked about it then.';

/** The subject of a question. */
interface Asked {
  readonly place: PolicyPlace;
  readonly judgement: Judgement;
  readonly isAlone: boolean;
}

/** An approval of one call, and its subject. */
interface Seen extends Asked {
  readonly grant: string;
  readonly elements: ShownElements;
}

/** Where a person's tabs are is not for the agent. */
function whereOf(risk: Risk, { url, tabId }: PolicyPlace, site: Site | null): string {
  if (risk === 'borrow_tab') return `Using tab ${tabId}, which is the person’s,`;
  if (risk === 'list_tabs' || risk === 'read_history' || risk === 'use_container') return ACTS[risk];
  return `${ACTS[risk]} ${site?.origin ?? cutUrl(url, URL_UNITS)}`;
}
