import type { MethodParams, MethodResult } from '../../../shared/core/bridge/methods.ts';
import { cutUrl } from '../../../shared/base/cut.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import type { AuditFinding } from '../../../shared/audit/audit.methods.ts';
import type { AuditScope, FromAudit, RunOnly, ToAudit } from '../page/protocol.ts';
import type { StreamSink } from '../../core/handler.ts';
import type { AuditChannels, PageChannels } from '../../core/pages/channels.ts';
import type { PageChannel } from '../../core/pages/page-channel.ts';
import { FrameFinder, nameOfFrame } from '../../core/pages/frame-finder.ts';
import { explaining } from '../../read/worker/read-tab.ts';
import { isRef, type RefBook } from '../../core/pages/ref-book.ts';
import { getReadableTab } from '../../core/pages/targets.ts';

/** For all documents; the first leaves some to its frames. */
const RUN_MS = 35_000;
const FIRST_MS = 25_000;
/** For what axe-core does without a pause. */
const FRAME_MS = 15_000;
/** Each batch of findings is a task of the page. */
const SHOWN_AT_ONCE = 200;
/** The server gives up a stream that stays silent for longer. */
const SIGN_MS = LIMITS.callTimeoutMs / 3;
const MAX_DEPTH = 16;
const FRAMES_NAMED = 5;
const URL_UNITS = 300;
const IMPACTS: readonly string[] = ['critical', 'serious', 'moderate', 'minor'];

type Params = Omit<MethodParams<'page.audit'>, 'stream' | 'credit'>;
type AuditAnswer<Type extends FromAudit['type']> = Extract<FromAudit, { readonly type: Type }>;
type RawFinding = AuditAnswer<'finished'>['findings'][number];

export interface AuditTab extends Params {
  /** Each document that they connect was judged by the rules. */
  readonly channels: PageChannels;
  readonly auditChannels: AuditChannels;
  readonly refs: RefBook;
  readonly signal: AbortSignal;
  readonly sink: Pick<StreamSink, 'write' | 'flush'>;
}

/**
 * Checks a tab's documents with axe-core. Writes one JSON line per `AuditFinding`, worst first.
 * @throws SpillwayError `invalid_argument`, `selector_invalid`, `selector_not_found`, `ref_not_found`, `stale_ref`,
 *   `tab_not_found`, `tab_discarded`, `page_forbidden`, `page_crashed`, `page_is_pdf`, `page_unresponsive`,
 *   `page_changed`, or the signal's reason
 */
export async function auditTab(asked: AuditTab): Promise<MethodResult<'page.audit'>> {
  const { tab_id: tabId, sink, signal } = asked;
  const { url = '', title = '' } = await getReadableTab(tabId);
  const signOfLife = (): void => void sink.write('\n').then(() => sink.flush(), ignore);
  const signs = setInterval(signOfLife, SIGN_MS);
  const audit = explaining(tabId, signal, () => new Audit(asked).run(url));
  return { url, title, ...(await audit.finally(() => clearInterval(signs))) };
}

const ignore = (): void => undefined;

/** The tags that A, AA and AAA each add. */
const LEVEL_TAGS = [['wcag2a', 'wcag21a'], ['wcag2aa', 'wcag21aa', 'wcag22aa'], ['wcag2aaa']];

function runOnlyOf({ level, best_practices: more, rules }: Params): RunOnly {
  if (rules !== null) return { type: 'rule', values: rules };
  const values = LEVEL_TAGS.slice(0, level.length).flat();
  return { type: 'tag', values: more ? [...values, 'best-practice'] : values };
}

/** `wcag143` is criterion 1.4.3. */
const criteriaOf = (tags: readonly string[]): string[] =>
  tags.flatMap((tag) => {
    const [, ...digits] = /^wcag(\d)(\d)(\d+)$/.exec(tag) ?? [];
    return digits.length === 0 ? [] : digits.join('.');
  });

/** A document that was checked. */
interface Checked {
  readonly channel: PageChannel<ToAudit, FromAudit>;
  readonly prefix: string;
  readonly depth: number;
  /** {@link RawFinding.frame}. */
  readonly path: string;
}

class Audit {
  readonly #with: AuditTab;
  readonly #finder: FrameFinder;
  readonly #runOnly: RunOnly;
  readonly #partials: (string | null)[] = [];
  readonly #checked = new Map<string, Checked>();
  readonly #unread: string[] = [];
  readonly #unfinished = new Set<string>();
  readonly #endsAt = performance.now() + RUN_MS;
  #closedRoots = 0;

  constructor(asked: AuditTab) {
    this.#with = asked;
    this.#runOnly = runOnlyOf(asked);
    const { tab_id: tabId, channels, signal } = asked;
    this.#finder = new FrameFinder({ tabId, channels, timeoutMs: FRAME_MS, signal });
  }

  async run(url: string): Promise<Omit<MethodResult<'page.audit'>, 'url' | 'title'>> {
    const { first, scope } = await this.#start(url);
    await this.#check(first, scope);
    const unfinished = [...this.#unfinished];
    const { findings, undecided, passed } = await this.#ask(
      first.channel,
      (id) => ({ type: 'finish', id, partials: this.#partials, runOnly: this.#runOnly, unfinished }),
      'finished',
    );
    await this.#write(findings);
    return {
      findings: findings.length,
      rules_passed: passed,
      undecided,
      unfinished,
      documents: this.#checked.size,
      coverage: this.#coverage(),
    };
  }

  /** The document in which the audit begins: that of a ref, or the tab's. */
  async #start(url: string): Promise<{ readonly first: Checked; readonly scope: AuditScope | null }> {
    const { tab_id: tabId, channels, refs, scope, signal } = this.#with;
    const { session: viewer } = this.#with.caller;
    const place = scope !== null && isRef(scope) ? await refs.find(scope, { tabId, viewer }) : null;
    const waiting = { timeoutMs: LIMITS.pageResponseTimeoutMs, signal };
    const page = await channels.connect({ tabId, frameId: place?.frameId ?? 0, url }, waiting);
    if (place !== null && page.documentId !== place.documentId)
      throw new SpillwayError('stale_ref', `The page of ref ${scope} was left.`);
    const channel = await this.#connect(page);
    const first = { channel, prefix: place?.prefix ?? '', depth: 0, path: '' };
    if (scope === null) return { first, scope };
    return { first, scope: place === null ? { selector: scope } : { ref: scope, viewer } };
  }

  /** The audit script of a document that the rules allow. */
  async #connect({ tabId, frameId, documentId, url }: PageChannel): Promise<Checked['channel']> {
    const waiting = { timeoutMs: LIMITS.pageResponseTimeoutMs, signal: this.#with.signal };
    const channel = await this.#with.auditChannels.connect({ tabId, frameId, url, documentId }, waiting);
    if (channel.documentId === documentId) return channel;
    throw new SpillwayError('page_changed', 'The page was closed or navigated during the audit.');
  }

  /** Runs axe-core in a document, then in its frames: axe-core takes the results in this order. */
  async #check(document: Checked, scope: AuditScope | null): Promise<void> {
    const runOnly = this.#runOnly;
    const budgetMs = document.depth === 0 ? FIRST_MS : Math.max(0, this.#endsAt - performance.now());
    const ran = await this.#ask(
      document.channel,
      (id) => ({ type: 'run', id, scope, runOnly, budgetMs }),
      'ran',
      budgetMs + FRAME_MS,
    );
    this.#partials.push(ran.partial);
    this.#checked.set(document.path, document);
    this.#closedRoots += ran.closedRoots;
    for (const rule of ran.unfinished) this.#unfinished.add(rule);
    for (const frame of ran.frames) await this.#checkFrame(frame, document);
  }

  async #checkFrame(
    { mark, context, place }: AuditAnswer<'ran'>['frames'][number],
    parent: Checked,
  ): Promise<void> {
    const before = this.#partials.length;
    const depth = parent.depth + 1;
    try {
      const page =
        mark === null || depth > MAX_DEPTH || performance.now() > this.#endsAt
          ? null
          : await this.#finder.find(mark);
      if (mark !== null && page !== null) {
        const prefix = `${parent.prefix}f${mark.number}`;
        const channel = await this.#connect(page);
        return await this.#check(
          { channel, prefix, depth, path: parent.depth === 0 ? place : `${parent.path},${place}` },
          { context },
        );
      }
    } catch (thrown) {
      this.#with.signal.throwIfAborted();
      if (parent.channel.isClosed || toSpillwayError(thrown).code === 'internal_error') throw thrown;
    }
    if (this.#partials.length === before) this.#partials.push(null);
    this.#unread.push(mark?.src ?? '');
  }

  #ask<Type extends FromAudit['type']>(
    channel: Checked['channel'],
    question: (id: number) => ToAudit,
    type: Type,
    timeoutMs: number = LIMITS.callTimeoutMs,
  ): Promise<AuditAnswer<Type>> {
    return channel.ask(question, type, { timeoutMs, signal: this.#with.signal, name: channel.url });
  }

  /** Writes the findings, worst first, with refs of their elements. */
  async #write(findings: readonly RawFinding[]): Promise<void> {
    const left = findings.toSorted((a, b) => IMPACTS.indexOf(a.impact) - IMPACTS.indexOf(b.impact));
    for (let [first] = left; first !== undefined; [first] = left) {
      const path = first.frame;
      const others = left.findIndex(({ frame }, at) => at === SHOWN_AT_ONCE || frame !== path);
      const batch = left.splice(0, others === -1 ? left.length : others);
      const document = this.#checked.get(path);
      if (document === undefined) continue;
      const frame = document.channel.frameId === 0 ? null : document.channel.url;
      const elements = await this.#elements(document, batch);
      for (const [at, { rule, impact, tags, message, summary: fix }] of batch.entries()) {
        const element = elements[at] ?? { ref: null, role: '', name: '', snippet: '' };
        const finding = { rule, impact, wcag: criteriaOf(tags), message, fix, ...element, frame };
        await this.#with.sink.write(`${JSON.stringify(finding satisfies AuditFinding)}\n`);
      }
    }
  }

  async #elements(
    { channel, prefix }: Checked,
    findings: readonly RawFinding[],
  ): Promise<AuditAnswer<'shown'>['elements']> {
    const { refs, caller } = this.#with;
    const { showing, settle, stored } = await refs.lend(channel, { viewer: caller.session, prefix });
    const numbers = findings.map(({ element }) => element);
    const { elements, last } = await this.#ask(
      channel,
      (id) => ({ type: 'show', id, elements: numbers, prefix, showing }),
      'shown',
    );
    if (last !== undefined) settle(last);
    await stored;
    return elements;
  }

  #coverage(): MethodResult<'page.audit'>['coverage'] {
    const closed = this.#closedRoots;
    const more = this.#unread.length - FRAMES_NAMED;
    const coverage = this.#unread.slice(0, FRAMES_NAMED).map((src) => ({
      kind: 'closed_frame',
      detail: `${nameOfFrame(cutUrl(src, URL_UNITS))} could not be checked.`,
    }));
    if (more > 0) coverage.push({ kind: 'closed_frame', detail: `${more} more, which are not listed.` });
    const detail = `Closed shadow roots, which axe-core cannot enter: ${closed}.`;
    if (closed > 0) coverage.push({ kind: 'closed_shadow_root', detail });
    return coverage;
  }
}
