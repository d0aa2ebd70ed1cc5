import { beforeAll, describe, expect, it, vi } from 'vitest';
import { AskedPerson } from '../../support/asked-person.ts';
import { PATIENCE } from '../../support/patience.ts';
import { personRig, type PersonRig } from '../../support/person-rig.ts';
import { itDeep } from '../../support/depth.ts';

/** Gives wrong answers wherever a script of the page is asked. */
const LIAR = `<title>Liar</title><button data-sails="4">Mill</button><script>
  var sails = 4;
  JSON.stringify = JSON.parse = () => { throw new Error('lie'); };
  Object.prototype.toJSON = Array.prototype.toJSON = () => 'lie';
  window.Promise = Promise.prototype.then = function () { throw new Error('lie'); };
  Element.prototype.getAttribute = () => 'lie';
  Symbol.for = () => Symbol('lie');
</script>`;

const PAGES: Readonly<Record<string, (host: string) => string>> = {
  '/liar': () => LIAR,
  '/frame': () => '<title>Frame</title><button>Inner</button>',
  '/outer': (host) =>
    `<title>Outer</title><button>Outer</button><iframe src="http://${host.replace('mill', 'inner')}/frame"></iframe>`,
};

let rig: PersonRig;
let person: AskedPerson;

const ALLOW = [{ id: 'all', effect: 'allow' }] as const;
const evaluate = (code: string, more: Record<string, unknown> = {}) =>
  rig.server.call('evaluate', { code, ...more });
const open = async (path: string, host = 'mill.test'): Promise<string> =>
  (await rig.ok('navigate', { url: rig.at(host, path) })).json<{ tab: string }>().tab;
async function refOf(name: string): Promise<string> {
  const found = await rig.server.call('find', { query: name });
  return /\b(?:f\d+)*e\d+\b/.exec(found.text)?.[0] ?? found.text;
}
async function openOuter(): Promise<void> {
  await open('/outer');
  await vi.waitFor(async () => expect(await refOf('Inner')).toMatch(/^f\d+e/), PATIENCE);
}

beforeAll(async () => {
  rig = await personRig((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    response.end(PAGES[pathname]?.(request.headers.host ?? '') ?? '<title>Plain</title><p>Plain');
  });
  person = new AskedPerson(rig.worker);
});

describe('where a rule allows it', () => {
  beforeAll(() => rig.setRules(ALLOW));

  it('gives what the function returns, whatever the page made of JSON, Promise and its own elements', async () => {
    await open('/liar');
    const ref = await refOf('Mill');
    const code = '(el, more) => ({ sails: el.getAttribute("data-sails"), more, own: typeof sails })';
    const isolated = await evaluate(code, { ref, args: [[1, { two: null }]] });
    expect(isolated.json()).toEqual({ sails: '4', more: [1, { two: null }], own: 'undefined' });
    const own = 'async (el) => ({ sails, tag: el.localName, list: [1] })';
    const inPage = await evaluate(own, { ref, world: 'page' });
    expect(inPage.json()).toEqual({ sails: 4, tag: 'button', list: [1] });
  });

  it('runs in the frame of a ref, which another process may draw', async () => {
    await openOuter();
    const code = '(el) => [location.host.split(":")[0], el.textContent]';
    const where = await evaluate(code, { ref: await refOf('Inner') });
    expect(where.json()).toEqual(['inner.test', 'Inner']);
  });

  itDeep('sees what the tab emulates in a frame of another site too, until that ends', async () => {
    const code =
      '() => [navigator.maxTouchPoints > 0, Intl.DateTimeFormat().resolvedOptions().timeZone, /Mobile/.test(navigator.userAgent)]';
    const inFrame = async (): Promise<unknown> =>
      (await evaluate(code, { ref: await refOf('Inner') })).json();
    await openOuter();
    const plain = await inFrame();
    const emulated = [true, 'Asia/Tokyo', true];
    await rig.server.call('emulate', { device: 'phone', timezone: 'Asia/Tokyo' });
    expect(await inFrame()).toEqual(emulated);
    await openOuter();
    expect(await inFrame()).toEqual(emulated);
    await rig.server.call('emulate', { reset: true });
    expect(await inFrame()).toEqual(plain);
  });

  describe('on a plain page', () => {
    beforeAll(() => open('/plain'));

    it.each([
      ['() => undefined', 'undefined'],
      ['() => 10n', '10n'],
      ['() => -0', '-0'],
      ['() => NaN', 'NaN'],
    ])('%s says what JSON cannot', async (code, text) => {
      const answer = await evaluate(code);
      expect(answer.json()).toBe(text);
      expect(answer.notes).toContain('JSON cannot express this');
    });

    const STOPPED = 'within 300 ms';
    it.each([
      ['() => { throw new RangeError("four sails") }', 'RangeError: four sails'],
      ['async () => { throw 7 }', '7'],
      ['() => {', 'SyntaxError'],
      ['() => { const ring = {}; ring.ring = ring; return ring; }', 'chain'],
      ['() => new Promise(() => {})', STOPPED],
      ['() => Array(300_000).fill(1)', 'It returned more than 200000 values.'],
    ])('%s fails with its reason, and the page lives', async (code, reason) => {
      const failed = await evaluate(code, reason === STOPPED ? { timeout_ms: 300 } : {});
      expect(failed.code()).toBe('evaluate_failed');
      expect(failed.text).toContain(reason);
      expect((await evaluate('() => document.title')).json()).toBe('Plain');
    });

    it.each([
      ['() => { debugger; return 4; }', 4],
      ['() => 4; ;', 4],
      ['document.title;', 'Plain'],
      ['Promise.resolve({ sails: 4 })', { sails: 4 }],
    ])('%s has its value, without a pause of a debugger', async (code, value) =>
      expect((await evaluate(code)).json()).toEqual(value),
    );

    it.each([
      [{ ref: 'e99999' }, 'ref_not_found'],
      [{ timeout_ms: 0 }, 'invalid_argument'],
      [{ world: 'main' }, 'invalid_argument'],
    ])('refuses %j', async (more, code) => expect((await evaluate('() => 1', more)).code()).toBe(code));
  });

  itDeep('ends with its page, its tab, and a dialog', async () => {
    const tab = await open('/plain');
    const left = await evaluate('() => new Promise(() => { location.href = "/frame"; })');
    expect(left.code()).toBe('page_changed');
    expect((await evaluate('() => confirm("Four sails?")')).code()).toBe('dialog_open');
    await rig.server.call('dialog', { action: 'dismiss' });
    const closing = evaluate('() => new Promise(() => {})', { timeout_ms: 20_000 });
    await rig.worker.evaluate(`chrome.tabs.remove(${tab.split(':')[1]}).then(() => null)`);
    expect((await closing).code()).toBe('tab_not_found');
  });
});

describe('with the rules that a person begins with', () => {
  beforeAll(() => rig.setRules([]));

  it('asks about each function by itself, and shows it', async () => {
    await open('/plain');
    for (const sails of [4, 6]) {
      const calling = evaluate(`() => ${sails} * 10`);
      expect(await person.card()).toContain(`() => ${sails} * 10`);
      expect(await person.read('document.querySelector(".scope select") && "scopes"')).toBeNull();
      await person.allow();
      expect((await calling).json()).toBe(sails * 10);
    }
  });

  it('never runs on a careful site', async () => {
    await rig.setRules([], { banking: { off: [], added: ['bank.test'] } });
    await rig.server.call('navigate', { url: rig.at('bank.test', '/plain') });
    expect((await evaluate('() => 1')).code()).toBe('policy_denied');
  });
});

describe('a function that never gives way', () => {
  beforeAll(async () => {
    await rig.setRules(ALLOW);
    await open('/plain');
  });

  it.each(['() => { for (;;); }', 'async () => { await 0; for (;;); }'])(
    '%s is stopped, and the page lives',
    async (code) => {
      const stopped = await evaluate(code, { timeout_ms: 300 });
      expect(stopped.code()).toBe('evaluate_failed');
      expect(stopped.text).toContain('within 300 ms');
      expect((await evaluate('() => document.title')).json()).toBe('Plain');
    },
  );
});
