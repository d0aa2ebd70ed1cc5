import { batch, computed, signal } from '@preact/signals';
import { formatNumber } from '../../../ui/words/format.ts';
import { chooseLanguage, formatIn } from '../../../ui/words/locale.ts';
import type { HostAbilities, WidgetHost } from '../host.ts';
import { texts, toolTitle } from '../words.ts';
import { titleOf } from '../../../ui/text.ts';
import { runStatusWord } from '../../../ui/run-facts.tsx';
import {
  interpret,
  problemOf,
  type Run,
  type Shown,
  type ShownError,
  type ToolAnswer,
  recipeOf,
  recipeToolOf,
  canonicalLocale,
  saidOf,
} from './answer.ts';
import { ItemPages, PageText, type CallTool } from './pages.ts';
import { RecipeSearch } from './recipe-search.ts';
import { Polling, type PollPhase, type PollDeps } from './poll.ts';

/** `alone`: no host answered; `over`: the host has closed the widget. */
export type Link = 'starting' | 'open' | 'alone' | 'over';
export type CancelStep = 'idle' | 'asked' | 'sent';

interface World extends Pick<PollDeps, 'setTimer'> {
  isHidden(): boolean;
  onVisibility(listener: (isHidden: boolean) => void): void;
  /** The browser's language, such as `en-GB`. */
  readonly locale: string;
}

const NO_ABILITIES: HostAbilities = { callTools: false, openLinks: false };
export const hasEnded = ({ status }: Pick<Run, 'status'>): boolean =>
  status !== 'queued' && status !== 'running';

/** The widget's whole state and behaviour; the view shows its signals and calls its methods. */
export class ToolWidget {
  readonly link = signal<Link>('starting');
  readonly abilities = signal<HostAbilities>(NO_ABILITIES);
  readonly shown = signal<Shown>({ kind: 'waiting' });
  readonly notes = signal<readonly string[]>([]);
  readonly input = signal<Readonly<Record<string, unknown>>>({});
  readonly toolName = signal<string | null>(null);
  readonly poll = signal<PollPhase | null>(null);
  readonly failure = signal<ShownError | null>(null);
  readonly cancelStep = signal<CancelStep>('idle');
  /** Such as `zh-CN`: the host's, else the browser's. */
  readonly locale = signal('en');
  readonly language = computed(() => chooseLanguage('auto', this.locale.value));
  readonly words = computed(() => texts(this.language.value));
  /** A page's or recipe's own title, else the tool's. */
  readonly title = computed(() => {
    const { text } = this.text;
    const { value: shown } = this.shown;
    const own = text.value === null ? recipeOf(shown)?.['title'] : titleOf(text.value);
    if (typeof own === 'string') return own;
    const usual = shown.kind === 'run' ? 'run_status' : recipeToolOf(shown);
    return toolTitle(this.toolName.value ?? usual, this.words.value);
  });
  readonly says = signal('');
  /** The run updates by itself. */
  readonly isLive = computed(() => this.poll.value === 'waiting' || this.poll.value === 'asking');
  /** The last calls arrived, if there were any. */
  readonly isReached = computed(() => this.link.value === 'open' && this.poll.value !== 'lost');
  /** Null if the call did not arrive. */
  readonly #call: CallTool = (name, args) => this.host.callTool(name, args).catch(() => null);
  readonly items = new ItemPages(this.#call, this.failure);
  readonly text = new PageText(this.#call, this.failure);
  readonly recipes = new RecipeSearch(this.#call, this.failure);

  #polling: Polling | null = null;

  constructor(
    private readonly host: WidgetHost,
    private readonly world: World,
  ) {
    this.#speak(world.locale);
  }

  /** Changes the language of words, numbers and dates. */
  #speak(locale: string): void {
    const known = canonicalLocale(locale);
    formatIn(chooseLanguage('auto', known), known);
    this.locale.value = known;
  }

  async start(): Promise<void> {
    this.world.onVisibility((isHidden) => this.#polling?.hide(isHidden));
    this.items.restore(this.host.savedState());
    try {
      this.abilities.value = await this.host.start({
        onAnswer: (answer) => this.#take(answer),
        onInput: (args) => (this.input.value = args),
        onToolName: (name) => (this.toolName.value = name),
        onLocale: (locale) => this.#speak(locale),
        onCancelled: () => {
          if (this.shown.value.kind === 'waiting') this.shown.value = { kind: 'cancelled' };
        },
        onEnd: () => {
          this.link.value = 'over';
          this.#polling?.stop();
        },
      });
      if (this.link.value === 'starting') this.link.value = 'open';
      this.#complete();
    } catch {
      this.link.value = 'alone';
    }
  }

  /** Takes a result of the widget's own call. */
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
      if (shown.kind === 'text') this.text.hold(shown.text);
      if (shown.kind === 'pending') this.toolName.value = shown.pending.tool;
      this.says.value = saidOf(shown, this.words.value) ?? this.says.value;
    });
    if (this.link.value === 'open') this.#complete();
  }

  /** Follows a run, and reads what is stored, and the parts of a recipe that the mode hides from the model. */
  #complete(): void {
    this.#follow();
    this.#fetchStored();
    const recipe = recipeOf(this.shown.value);
    if (recipe === null || 'definition' in recipe || !this.abilities.value.callTools) return;
    void this.recipes.open(recipe.name);
  }

  /** Reads the stored items or text. If the host calls no tools, the preview in the answer is shown. */
  #fetchStored(): void {
    const { value: shown } = this.shown;
    const canCall = this.abilities.value.callTools;
    if (shown.kind === 'stored' && canCall) {
      const { output_handle: handle, item_count, mime_type } = shown.stored;
      if (item_count !== null) void this.items.open(handle);
      else if (/^text\//.test(mime_type)) void this.text.open(handle);
    }
    if (shown.kind !== 'page') return;
    const { output_handle: handle, offset, content } = shown.page;
    if (typeof content === 'string') this.text.hold(content);
    else if (canCall) void this.items.open(handle, offset);
    else this.items.hold(content);
  }

  #forget(): void {
    this.#polling?.stop();
    this.#polling = null;
    this.items.forget();
    this.text.forget();
    this.recipes.forget();
    this.poll.value = null;
    this.failure.value = null;
    this.cancelStep.value = 'idle';
  }

  #run(): Run | null {
    const { value } = this.shown;
    return value.kind === 'run' ? value.run : null;
  }

  /** A short answer omits facts from earlier full ones. */
  #setRun(run: Run): void {
    const before = this.#run();
    const known = before?.run_id === run.run_id ? before : null;
    this.shown.value = { kind: 'run', run: { ...known, ...run } };
    this.items.follow(run.run_id);
    if (run.tool !== undefined) this.toolName.value = run.tool;
    if (known?.status !== run.status)
      this.says.value = this.words.value.said({
        tool: this.title.value,
        status: runStatusWord(run.status, this.language.value),
      });
  }

  /** Polls a run until its end and full answer are here. */
  #follow(): void {
    const run = this.#run();
    if (run === null || !this.abilities.value.callTools || this.#polling !== null) return;
    this.#polling = new Polling(
      {
        ask: () => this.#askStatus(run.run_id),
        onChange: (phase) => (this.poll.value = phase),
        setTimer: this.world.setTimer,
      },
      this.world.isHidden(),
    );
  }

  async #askStatus(runId: string): Promise<{ hasMoved: boolean; hasEnded: boolean }> {
    const answer = await this.host.callTool('run_status_internal', { run_id: runId });
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

  /** Goes to the next or previous page, announces it, and stores the position with the host. */
  async turn(direction: 'next' | 'previous'): Promise<void> {
    if (!(await this.items.turn(direction))) return;
    const { page, trail } = this.items;
    const { value: words } = this.words;
    if (page.value !== null && page.value.items.length > 0) {
      const { offset, items, total } = page.value;
      this.says.value = words.saidItems({
        range: words.range({
          first: formatNumber(offset + 1),
          last: formatNumber(offset + items.length),
          total: formatNumber(total),
        }),
      });
    }
    this.host.saveState({ trail: trail.value });
  }

  askToCancel(isAsked: boolean): void {
    this.cancelStep.value = isAsked ? 'asked' : 'idle';
  }

  async cancel(): Promise<void> {
    const run = this.#run();
    if (run === null || this.cancelStep.value !== 'asked') return;
    this.cancelStep.value = 'sent';
    const answer = await this.#call('run_cancel_internal', { run_id: run.run_id });
    // Another answer, with its own step, has replaced it meanwhile.
    if (this.#run()?.run_id !== run.run_id) return;
    const shown = answer === null ? null : interpret(answer);
    this.cancelStep.value = 'idle';
    if (shown?.kind !== 'run') {
      this.failure.value = problemOf(answer);
      return;
    }
    this.failure.value = null;
    this.#setRun(shown.run);
    this.#polling?.stop();
    await this.items.refresh(shown.run, hasEnded(shown.run));
  }

  /** Continues after calls that did not arrive. */
  retry(): void {
    this.failure.value = null;
    this.#polling?.retry();
    void this.recipes.retry();
    if (this.poll.value === 'ended') void this.items.load();
    else if (this.poll.value === null) this.#fetchStored();
  }

  /** Null if the host opens no links: they are then shown as text. */
  linkOpener(): ((href: string) => void) | null {
    if (!this.abilities.value.openLinks) return null;
    return (href) => {
      this.host.openLink(href).catch(() => {
        this.failure.value = { code: 'link_not_opened', message: this.words.value.errors.link({ href }) };
      });
    };
  }
}
