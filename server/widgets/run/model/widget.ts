import { batch, signal } from '@preact/signals';
import type { HostAbilities, HostListener, StyleVariables, Theme, WidgetHost } from '../host/types.ts';
import { interpret, problemOf, type Run, type Shown, type ShownError, type ToolAnswer } from './answer.ts';
import { formatCount, formatName } from './format.ts';
import { ItemPages, UNREACHED } from './item-pages.ts';
import type { Page } from './pages.ts';
import { Polling, type PollState, type PollEvent, type PollDeps } from './poll.ts';

/** `alone`: no host answered; `over`: the host has closed the widget. */
export type Link = 'starting' | 'open' | 'alone' | 'over';
export type CancelStep = 'idle' | 'asked' | 'sent';

/** What the widget needs of its page. */
export interface World extends Pick<PollDeps, 'setTimer'> {
  isHidden(): boolean;
  onVisibility(listener: (isHidden: boolean) => void): void;
  applyTheme(theme: Theme | null): void;
  applyStyle(variables: StyleVariables): void;
}

const NO_ABILITIES: HostAbilities = { callTools: false, openLinks: false };
export const hasEnded = ({ status }: Pick<Run, 'status'>): boolean =>
  status !== 'queued' && status !== 'running';

/** All that the widget knows and does; the view shows its signals and calls its methods. */
export class RunWidget {
  readonly link = signal<Link>('starting');
  readonly abilities = signal<HostAbilities>(NO_ABILITIES);
  readonly shown = signal<Shown>({ kind: 'waiting' });
  readonly notes = signal<readonly string[]>([]);
  readonly input = signal<Readonly<Record<string, unknown>>>({});
  readonly toolName = signal<string | null>(null);
  readonly poll = signal<PollState | null>(null);
  /** Why the last page or the last cancel failed. */
  readonly failure = signal<ShownError | null>(null);
  readonly cancelStep = signal<CancelStep>('idle');
  /** Index of the item whose detail is open. */
  readonly open = signal<number | null>(null);
  /** What a screen reader announces. */
  readonly says = signal('');
  readonly items = new ItemPages((name, args) => this.#call(name, args), this.failure);

  readonly #host: WidgetHost;
  readonly #world: World;
  #polling: Polling | null = null;

  constructor(host: WidgetHost, world: World) {
    this.#host = host;
    this.#world = world;
  }

  async start(): Promise<void> {
    this.#world.onVisibility((isHidden) => this.#polling?.dispatch({ type: isHidden ? 'hidden' : 'shown' }));
    this.items.restore(this.#host.savedState());
    try {
      this.abilities.value = await this.#host.start(this.#listener());
      if (this.link.value === 'starting') this.link.value = 'open';
      this.#follow();
    } catch {
      this.link.value = 'alone';
    }
  }

  #listener(): HostListener {
    return {
      onAnswer: (answer) => this.#take(answer),
      onInput: (args) => (this.input.value = args),
      onToolName: (name) => (this.toolName.value = name),
      onTheme: (theme) => this.#world.applyTheme(theme),
      onStyle: (variables) => this.#world.applyStyle(variables),
      onCancelled: () => {
        if (this.shown.value.kind === 'waiting') this.shown.value = { kind: 'cancelled' };
      },
      onEnd: () => {
        this.link.value = 'over';
        this.#dispatchToPoll({ type: 'stop' });
      },
    };
  }

  /** Takes a result of the call that the widget belongs to. */
  #take(answer: ToolAnswer): void {
    const shown = interpret(answer);
    const before = this.#run();
    const isOther = shown.kind !== 'run' || before?.run_id !== shown.run.run_id;
    batch(() => {
      this.notes.value = answer.notes;
      if (isOther && this.shown.value.kind !== 'waiting') this.#forget();
      if (shown.kind === 'run') this.#setRun(shown.run);
      else this.shown.value = shown;
      if (shown.kind === 'items') this.items.hold(shown.items);
      if (shown.kind === 'pending') this.toolName.value = shown.pending.tool;
      this.says.value = saidOf(shown) ?? this.says.value;
    });
    if (this.link.value === 'open') this.#follow();
  }

  /** What belongs to an answer that another has replaced. */
  #forget(): void {
    this.#dispatchToPoll({ type: 'stop' });
    this.#polling = null;
    this.items.forget();
    this.poll.value = null;
    this.open.value = null;
    this.failure.value = null;
    this.cancelStep.value = 'idle';
  }

  #run(): Run | null {
    const { value } = this.shown;
    return value.kind === 'run' ? value.run : null;
  }

  /** A short answer leaves out what a full one has said before. */
  #setRun(run: Run): void {
    const before = this.#run();
    const known = before?.run_id === run.run_id ? before : null;
    this.shown.value = { kind: 'run', run: { ...known, ...run } };
    this.items.follow(run.run_id);
    if (run.tool !== undefined) this.toolName.value = run.tool;
    if (known?.status !== run.status)
      this.says.value = `${formatName(run.tool ?? this.toolName.value ?? 'run')}: ${run.status}`;
  }

  /** Follows a run whose end, or whose full answer, is not here yet. */
  #follow(): void {
    const run = this.#run();
    if (run === null || !this.abilities.value.callTools || this.#polling !== null) return;
    this.#polling = new Polling(
      {
        ask: () => this.#askStatus(run.run_id),
        onChange: (poll) => (this.poll.value = poll),
        setTimer: this.#world.setTimer,
      },
      this.#world.isHidden(),
    );
  }

  #dispatchToPoll(event: PollEvent): void {
    this.#polling?.dispatch(event);
  }

  async #askStatus(runId: string): Promise<{ hasMoved: boolean; hasEnded: boolean }> {
    const answer = await this.#host.callTool('run_status_internal', { run_id: runId });
    const shown = interpret(answer);
    const before = this.#run();
    if (before?.run_id !== runId) return { hasMoved: false, hasEnded: true };
    if (shown.kind !== 'run') {
      const error = problemOf(answer);
      if (error.retryable === true) throw new Error(error.message);
      this.failure.value = error;
      return { hasMoved: false, hasEnded: true };
    }
    // The request was pending when the run ended: its result is stale.
    if (hasEnded(before) && !hasEnded(shown.run)) return { hasMoved: false, hasEnded: true };
    this.#setRun(shown.run);
    void this.items.refresh(shown.run, hasEnded(shown.run));
    const hasMoved = before.status !== shown.run.status || before.progress.done !== shown.run.progress.done;
    return { hasMoved, hasEnded: hasEnded(shown.run) };
  }

  /** Null when the call did not arrive. */
  async #call(name: string, args: Readonly<Record<string, unknown>>): Promise<ToolAnswer | null> {
    try {
      return await this.#host.callTool(name, args);
    } catch {
      return null;
    }
  }

  /** Goes a page on or back, says so, and lets the host keep the place. */
  async turn(direction: 'next' | 'previous'): Promise<void> {
    if (!(await this.items.turn(direction))) return;
    const { page, trail } = this.items;
    this.open.value = null;
    if (page.value !== null && page.value.rows.length > 0) this.says.value = `Items ${rangeOf(page.value)}`;
    this.#host.saveState({ trail: trail.value });
  }

  toggle(index: number): void {
    this.open.value = this.open.value === index ? null : index;
  }

  askToCancel(isAsked: boolean): void {
    this.cancelStep.value = isAsked ? 'asked' : 'idle';
  }

  async cancel(): Promise<void> {
    const run = this.#run();
    if (run === null || this.cancelStep.value !== 'asked') return;
    this.cancelStep.value = 'sent';
    const answer = await this.#call('run_cancel_internal', { run_id: run.run_id });
    // Another answer has taken its place meanwhile, and its step.
    if (this.#run()?.run_id !== run.run_id) return;
    const shown = answer === null ? null : interpret(answer);
    this.cancelStep.value = 'idle';
    if (shown?.kind !== 'run') {
      this.failure.value = answer === null ? UNREACHED : problemOf(answer);
      return;
    }
    this.failure.value = null;
    this.#setRun(shown.run);
    this.#dispatchToPoll({ type: 'stop' });
    await this.items.refresh(shown.run, hasEnded(shown.run));
  }

  /** Continues after calls that failed to arrive. */
  retry(): void {
    this.failure.value = null;
    this.#dispatchToPoll({ type: 'retry' });
    if (this.poll.value?.phase === 'ended') void this.items.load();
  }

  /** News of the run come by themselves. */
  isLive(): boolean {
    const phase = this.poll.value?.phase;
    return phase === 'waiting' || phase === 'asking';
  }

  /** The last calls arrived, as far as there were any. */
  isReached(): boolean {
    return this.link.value === 'open' && this.poll.value?.phase !== 'lost';
  }

  /** Null where the host opens no links: they are text then. */
  linkOpener(): ((href: string) => void) | null {
    if (!this.abilities.value.openLinks) return null;
    return (href) => {
      this.#host.openLink(href).catch(() => {
        this.failure.value = { code: 'link_not_opened', message: `The host did not open ${href}` };
      });
    };
  }
}

/** What a screen reader announces for a result without a run; null where the answer is read as it is. */
function saidOf(shown: Shown): string | null {
  if (shown.kind === 'error') return `Failed: ${shown.error.message}`;
  if (shown.kind === 'pending') return 'Waiting for approval';
  return shown.kind === 'nothing' ? 'Answered' : null;
}

/** `21–40 of 412` */
export function rangeOf({ offset, rows, total }: Page): string {
  return `${formatCount(offset + 1)}–${formatCount(offset + rows.length)} of ${formatCount(total)}`;
}
