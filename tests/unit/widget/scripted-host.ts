import { expect } from 'vitest';
import type { HostAbilities, HostListener, WidgetHost } from '../../../extension/widgets/common/host.ts';
import { readAnswer, type ToolAnswer } from '../../../extension/widgets/common/model/answer.ts';
import { ToolWidget } from '../../../extension/widgets/common/model/tool-widget.ts';

type Args = Readonly<Record<string, unknown>>;

/** A host that a test scripts: what it is asked waits until the test answers. */
export class ScriptedHost implements WidgetHost {
  readonly name = 'apps';
  readonly calls: { readonly name: string; readonly args: Args; answer(raw: unknown): void; fail(): void }[] =
    [];
  readonly saved: Args[] = [];
  readonly abilities: HostAbilities;
  listener: HostListener | undefined;
  state: unknown = null;

  constructor(abilities: HostAbilities = { callTools: true, openLinks: true }) {
    this.abilities = abilities;
  }

  async start(listener: HostListener): Promise<HostAbilities> {
    this.listener = listener;
    return this.abilities;
  }

  callTool(name: string, args: Args): Promise<ToolAnswer> {
    return new Promise((resolve, reject) => {
      this.calls.push({
        name,
        args,
        answer: (raw) => resolve(readAnswer({ structuredContent: raw })),
        fail: () => reject(new Error('out of reach')),
      });
    });
  }

  async openLink(): Promise<void> {
    throw new Error('blocked');
  }

  reportHeight(): void {}

  savedState(): unknown {
    return this.state;
  }

  saveState(state: Args): void {
    this.saved.push(state);
  }

  next(name: string): (typeof this.calls)[number] {
    const call = this.calls.shift();
    expect(call?.name).toBe(name);
    if (call === undefined) throw new Error('Nothing was called.');
    return call;
  }
}

export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

export async function open(host = new ScriptedHost()): Promise<{
  readonly host: ScriptedHost;
  readonly widget: ToolWidget;
  tell(raw: unknown): Promise<void>;
  ring(): Promise<void>;
}> {
  const timers = new Set<() => void>();
  const widget = new ToolWidget(host, {
    locale: 'en',
    isHidden: () => false,
    onVisibility: () => undefined,
    applyTheme: () => undefined,
    applyStyle: () => undefined,
    setTimer: (run) => {
      timers.add(run);
      return () => timers.delete(run);
    },
  });
  await widget.start();
  return {
    host,
    widget,
    tell: async (raw) => {
      host.listener?.onAnswer(readAnswer({ structuredContent: raw }));
      await settle();
    },
    ring: async () => {
      const [run] = timers;
      if (run === undefined) throw new Error('No timer is set.');
      timers.delete(run);
      run();
      await settle();
    },
  };
}

export const run = (change: object = {}): object => ({
  run_id: 'run_ABCDEFGHIJKL',
  status: 'running',
  progress: { done: 0, queued: 3, failed: 0, rate_per_second: 0 },
  ...change,
});

export const ten = (from: number): number[] => Array.from({ length: 10 }, (_, at) => from + at);
