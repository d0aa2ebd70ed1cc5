import { expect, it } from 'vitest';
import { Gate, type Devices } from '../../../extension/act/worker/gate.ts';
import { openInput as openByDebugger } from '../../../extension/platform/chromium/device.ts';
import { openInput as openByServer } from '../../../extension/platform/firefox/device.ts';
import type { Device, TabInput } from '../../../extension/platform/device.ts';
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

/** The debugger gives the input, or the server that has started the browser. */
const GIVERS = ['debugger', 'server'] as const;
type Giver = (typeof GIVERS)[number];

const ignore = (): void => undefined;

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
  #gate: Gate | null = null;

  constructor(
    private readonly stopsAt = 0,
    private readonly happens: (world: World) => void = ignore,
  ) {}

  static async of(giver: Giver, ...how: ConstructorParameters<typeof World>): Promise<World> {
    const world = new World(...how);
    world.#open(await world.#inputBy(giver));
    return world;
  }

  get gate(): Gate {
    return this.#gate ?? this.#refuse('internal_error');
  }

  async #inputBy(giver: Giver): Promise<TabInput | null> {
    installBrowser({
      webNavigation: { getFrame: async () => ({ documentId: 'top' }) },
      scripting: { executeScript: async () => [{ documentId: 'top', result: 'context' }] },
    });
    const lease = { send: async (method: string) => void this.given.push(method) };
    const request = async (method: string): Promise<object> => {
      if (method === 'input.perform' || method === 'input.files') this.given.push(method);
      return method === 'input.dialogs' ? new Promise(() => undefined) : {};
    };
    const target = { tabId: TAB, attached: { lease }, server: { request }, signal: this.cancel.signal };
    return giver === 'debugger' ? openByDebugger(target as never) : openByServer(target as never);
  }

  #open(input: TabInput | null): void {
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
    this.#gate = new Gate({
      ...{ tabId: TAB, policy, risks: RISKS, input, signal },
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
      await device.key('down', STROKE);
      await renew();
      if (way === 'held keys') await this.#pause();
      return device.key('up', STROKE);
    });
  }
}

const KEYS = { what: 'Keys', isWitnessed: false, within: null };
const BUTTON = { button: 'left', clickCount: 1, modifiers: 0 } as const;
const STROKE = { key: 'a', code: 'KeyA', number: 65, modifiers: 0 } as const;

const METHODS: { readonly [M in keyof Device]: (device: Device, world: World) => Promise<unknown> } = {
  move: (device) => device.move(AT, 0),
  press: (device) => device.press(AT, BUTTON),
  release: (device) => device.release(AT, BUTTON),
  wheel: (device) => device.wheel(AT, AT, 2),
  touch: (device) => device.touch('start', [AT], 0),
  pinch: (device) => device.pinch(AT, 2, 1_000),
  key: (device) => device.key('down', STROKE),
  insert: (device, { given }) => device.insert('a', async () => given.push('script')),
  files: (device) => device.files('field', []),
  drag: (device) => device.drag('over', AT, {}, 0),
};
const REFUSED: Readonly<Record<string, ErrorCode>> = {
  'server pinch': 'unsupported_in_firefox',
  'debugger files': 'unsupported_in_chromium',
};

const EVENTS: Readonly<Record<string, (world: World) => void>> = {
  'the call is cancelled': ({ cancel }) => cancel.abort(new SpillwayError('timeout', 'cancelled')),
  'a person takes the tab': (world) => void (world.hasPerson = true),
  'another session has the tab': (world) => void (world.isHeld = false),
  'the rules forbid it': (world) => void (world.isPermitted = false),
  'the document is gone': ({ page }) => void (page.isClosed = true),
};
const WAYS = ['script', 'pointer', 'keys', 'held keys'] as const;

/** Sends once for each pause on the way, with an event there. */
async function atEachPause(
  [giver, way]: readonly [Giver, Way],
  happens: (world: World) => void,
  check: (world: World) => void,
) {
  for (let at = 1; ; at += 1) {
    const world = await World.of(giver, at, happens);
    await world.send(way).catch(() => undefined);
    if (!world.hasStopped) return expect(at).toBeGreaterThan(1);
    check(world);
  }
}

const ALL = GIVERS.flatMap((giver) => WAYS.map((way) => [giver, way] as const));

it.each(ALL.flatMap((one) => Object.keys(EVENTS).map((event) => [...one, event] as const)))(
  'by the %s and %s, nothing reaches a page after %s',
  async (giver, way, event) => {
    const before = new Map<World, readonly string[]>();
    const happens = (world: World): void => {
      before.set(world, [...world.given]);
      EVENTS[event]?.(world);
    };
    await atEachPause([giver, way], happens, (world) => expect(world.given).toEqual(before.get(world)));
  },
);

it.each(ALL)(
  'by the %s and %s, nothing reaches a page before the ledger has its line',
  async (giver, way) => {
    const check = ({ given }: World): void => expect(given).not.toEqual([]);
    const happens = ({ given, isWritten }: World): void => void (isWritten || expect(given).toEqual([]));
    await atEachPause([giver, way], happens, check);
    const refused = await World.of(giver);
    refused.isRefused = true;
    expect(await codeOf(refused.send(way))).toBe('ledger_unavailable');
    expect(refused.given).toEqual([]);
  },
);

it.each(GIVERS)('keys of the %s reach no frame that has come without a guard', async (giver) => {
  const frame = { frameId: 3, parentFrameId: 0, url: 'https://b.test/', documentId: 'inner' };
  const seen = new Map<World, number>();
  const happens = (world: World): void => {
    world.frames.push(frame);
    seen.set(world, world.given.length);
  };
  await atEachPause([giver, 'keys'], happens, (world) => {
    // One event may be on its way when the frame comes.
    if (world.given.length > (seen.get(world) ?? 0) + 1) expect(world.guarded).toContain('inner');
  });
});

const EACH_METHOD = GIVERS.flatMap((giver) =>
  (Object.keys(METHODS) as (keyof Device)[]).map((method) => [giver, method] as const),
);

it.each(EACH_METHOD)(
  'a device of the %s gives nothing by %s after its gesture or act',
  async (giver, method) => {
    const world = await World.of(giver);
    const give = (devices: Devices | undefined): Promise<unknown> =>
      devices === undefined ? Promise.resolve() : METHODS[method](devices(null), world);
    const kept: Devices[] = [];
    const first = world.gate.send(world.page, KEYS, (devices) => {
      kept.push(devices);
      return give(devices);
    });
    const refusal = REFUSED[`${giver} ${method}`] ?? null;
    expect(await codeOf(first)).toBe(refusal ?? 'no error');
    const { length } = world.given;
    expect(length > 0).toBe(refusal === null);
    expect(await codeOf(give(kept[0]))).toBe(refusal ?? 'internal_error');
    const cancelled = world.gate.send(world.page, KEYS, (devices) => {
      world.cancel.abort(new SpillwayError('timeout', 'cancelled'));
      return give(devices);
    });
    expect(await codeOf(cancelled)).toBe('timeout');
    expect(world.given).toHaveLength(length);
  },
);
