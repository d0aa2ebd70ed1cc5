import type { ToolAnswer } from '../model/answer.ts';

export type Theme = 'light' | 'dark';

/** What a host lets a widget do. */
export interface HostAbilities {
  readonly callTools: boolean;
  readonly openLinks: boolean;
}

/** CSS variables by name. */
export type StyleVariables = Readonly<Record<string, string | undefined>>;

/** What a host tells, from the moment that {@link WidgetHost.start} was called. */
export interface HostListener {
  /** The answer of the call that the widget belongs to: the first, and each later one. */
  onAnswer(answer: ToolAnswer): void;
  /** Arguments of that call, as far as the host tells them. */
  onInput(args: Readonly<Record<string, unknown>>): void;
  onToolName(name: string): void;
  /** Null follows the system. */
  onTheme(theme: Theme | null): void;
  /** The host's own design. */
  onStyle(variables: StyleVariables): void;
  /** The user's language, as in `zh-CN`. */
  onLocale(locale: string): void;
  /** The call was cancelled before it answered. */
  onCancelled(): void;
  /** The host closes the widget, or is closed. */
  onEnd(): void;
}

/**
 * The only thing that a widget knows of its host. Two hosts speak it: those of MCP Apps and
 * those with `window.openai`.
 */
export interface WidgetHost {
  readonly name: 'apps' | 'openai';
  /** Rejects when the host does not answer. */
  start(listener: HostListener): Promise<HostAbilities>;
  /** Rejects when the call did not reach the server; what the server answers, errors too, is an answer. */
  callTool(name: string, args: Readonly<Record<string, unknown>>): Promise<ToolAnswer>;
  openLink(href: string): Promise<void>;
  reportHeight(heightPx: number): void;
  /** What was kept of the last time that this widget was shown; null where the host keeps nothing. */
  savedState(): unknown;
  saveState(state: Readonly<Record<string, unknown>>): void;
}
