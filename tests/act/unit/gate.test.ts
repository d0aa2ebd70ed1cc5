import { expect, it } from 'vitest';
import { Gate, type Devices } from '../../../extension/act/worker/gate.ts';
import { SpillwayError, type ErrorCode } from '../../../shared/base/errors.ts';
import { installBrowser } from '../../support/browser-api.ts';
import { codeOf } from '../../support/code-of.ts';

/*
 * No input and no change by a script before the ledger has its line, nor after anything that ends the act: each event
 * happens at each pause on the way through the gate.
 */
const TAB = 7;
const RISKS = ['input'] as const;
const URL = 'https://a.test/';
const AT = { x: 1, y: 1 };

/** A way through the gate. */
type Way = 'script' | 'pointer' | 'keys' | 'held keys';

class World {
  readonly given: string[] = [];
  /** Pauses so far; the event happens at one of them. */
  #pauses = 0;
  readonly cancel = new AbortController();
  readonly page = { tabId: TAB, frameId: 0, documentId: 'top', url: URL, origin: undefined, isClosed: false };
  isWritten = false;
  isRefused = false;
  hasPerson = false;
  isHeld = true;
  isPermitted = true;
  frames = [{ frameId: 0, parentFrameId: -1, url: URL, documentId: 'top' }];
  /** Documents with a guard. */
  readonly guarded = new Set<string>();
  readonly gate: Gate;

  constructor(
    private readonly stopsAt: number,
    private readonly happens: (world: World) => void,
  ) {
    const pause = <T>(value: () => T): Promise<T> => this.#pause().then(value);
    installBrowser({
      webNavigation: { getAllFrames: () => pause(() => this.frames) },
      scripting: {
        executeScript: ({ target, args }: { target: { documentIds: string[] }; args: [string, boolean] }) =>
          pause(() => {
            for (const id of target.documentIds) if (args[1]) this.guarded.add(id);
            return [{ result: { isErased: false, passing: false, meant: false } }];
          }),
        insertCSS: () => pause(() => undefined),
        removeCSS: () => Promise.resolve(),
      },
    });
    const { signal } = this.cancel;
    const policy = {
      passes: ({ url }: { url: string }) => this.isPermitted && url === URL,
      expect: () => pause(() => this.#refuse('policy_denied')),
    } as never;
    const lease = { send: async (method: string) => void this.given.push(method) } as never;
    this.gate = new Gate({
      ...{ tabId: TAB, policy, risks: RISKS, lease, signal },
      personTabs: { check: () => void (this.hasPerson && this.#refuse('person_has_tab')) },
      renew: () => void (this.isHeld || this.#refuse('tab_busy')),
      written: () =>
        pause(() => void (this.isRefused ? this.#refuse('ledger_unavailable') : (this.isWritten = true))),
    });
  }

  #refuse(code: ErrorCode): never {
    throw new SpillwayError(code, code);
  }

  async #pause(): Promise<void> {
    await Promise.resolve();
    this.#pauses += 1;
    if (this.#pauses === this.stopsAt) this.happens(this);
  }

  get hasStopped(): boolean {
    return this.#pauses >= this.stopsAt;
  }

  send(way: Way): Promise<unknown> {
    const within = way === 'pointer' ? { frameId: 0, ask: () => this.#pause() } : null;
    const how = { what: 'Input', isWitnessed: way === 'pointer', within: within as never };
    if (way === 'script') return this.gate.send(this.page, null, async () => this.given.push('script'));
    return this.gate.send(this.page, how, async (devices, renew) => {
      const device = devices(null);
      if (way === 'pointer') return Promise.all([device.move(AT, 0), device.press(AT, BUTTON)]);
      await device.insert('a');
      await renew();
      if (way === 'held keys') await this.#pause();
      return device.insert('b');
    });
  }
}

const KEYS = { what: 'Keys', isWitnessed: false, within: null };
const BUTTON = { button: 'left', clickCount: 1, modifiers: 0 } as const;

const EVENTS: Readonly<Record<string, (world: World) => void>> = {
  'the call is cancelled': ({ cancel }) => cancel.abort(new SpillwayError('timeout', 'cancelled')),
  'a person takes the tab': (world) => void (world.hasPerson = true),
  'another session has the tab': (world) => void (world.isHeld = false),
  'the rules forbid it': (world) => void (world.isPermitted = false),
  'the document is gone': ({ page }) => void (page.isClosed = true),
};
const WAYS = ['script', 'pointer', 'keys', 'held keys'] as const;

/** Sends once for each pause on the way, with an event there. */
async function atEachPause(way: Way, happens: (world: World) => void, check: (world: World) => void) {
  for (let at = 1; ; at += 1) {
    const world = new World(at, happens);
    await world.send(way).catch(() => undefined);
    if (!world.hasStopped) return expect(at).toBeGreaterThan(1);
    check(world);
  }
}

it.each(WAYS.flatMap((way) => Object.keys(EVENTS).map((event) => [way, event] as const)))(
  'by %s, nothing reaches a page after %s',
  async (way, event) => {
    const before = new Map<World, readonly string[]>();
    const happens = (world: World): void => {
      before.set(world, [...world.given]);
      EVENTS[event]?.(world);
    };
    await atEachPause(way, happens, (world) => expect(world.given).toEqual(before.get(world)));
  },
);

it.each(WAYS)('by %s, nothing reaches a page before the ledger has its line', async (way) => {
  const check = ({ given }: World): void => expect(given).not.toEqual([]);
  await atEachPause(way, ({ given, isWritten }) => void (isWritten || expect(given).toEqual([])), check);
  const refused = new World(0, () => undefined);
  refused.isRefused = true;
  expect(await codeOf(refused.send(way))).toBe('ledger_unavailable');
  expect(refused.given).toEqual([]);
});

it('keys reach no frame that has come without a guard', async () => {
  const frame = { frameId: 3, parentFrameId: 0, url: 'https://b.test/', documentId: 'inner' };
  const seen = new Map<World, number>();
  const happens = (world: World): void => {
    world.frames.push(frame);
    seen.set(world, world.given.length);
  };
  await atEachPause('keys', happens, (world) => {
    // One event may be on its way when the frame comes.
    if (world.given.length > (seen.get(world) ?? 0) + 1) expect(world.guarded).toContain('inner');
  });
});

it('a device gives nothing after its gesture', async () => {
  const world = new World(0, () => undefined);
  const kept: Devices[] = [];
  await world.gate.send(world.page, KEYS, async (devices) => void kept.push(devices));
  expect(await codeOf(kept[0]?.(null).insert('a') ?? Promise.resolve())).toBe('internal_error');
  expect(world.given).toEqual([]);
});
