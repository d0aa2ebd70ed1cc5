import { beforeAll, describe, expect, it } from 'vitest';
import { AskedPerson } from '../../support/asked-person.ts';
import { personRig, type PersonRig } from '../../support/person-rig.ts';

/** A page whose own script says what it found; one in a frame leaves a name for it that only looks like another site's. */
const SAYS = `<title>Says</title><p></p><script>document.querySelector('p').textContent = 'early: ' + window.early</script>`;
const LIAR = `<title>Liar</title><iframe></iframe><p></p><script>
  const frame = document.querySelector('iframe');
  frame.contentWindow.origin = frame.contentWindow.self = location.origin.replace('other', 'mill');
  frame.onload = () => (document.querySelector('p').textContent = 'inside: ' + frame.contentWindow.early);
  frame.src = '/';
</script>`;

let rig: PersonRig;
let person: AskedPerson;

beforeAll(async () => {
  rig = await personRig((request, response) => {
    response.end(request.url === '/liar' ? LIAR : SAYS);
  });
  person = new AskedPerson(rig.worker);
});

const open = (host: string, path = '/'): Promise<unknown> => rig.ok('navigate', { url: rig.at(host, path) });
const seen = async (text: string): Promise<string> => {
  await rig.ok('wait_for', { text });
  return (await rig.ok('read_page', { format: 'text' })).text;
};
const emulate = (args: Record<string, unknown>) => rig.server.call('emulate', args);

describe('a script before those of a page', () => {
  beforeAll(() => rig.setRules([{ id: 'all', effect: 'allow' }]));

  it('runs first in each document of its site, and in none of another, until the reset', async () => {
    await open('mill.test');
    const set = await emulate({
      script: '"use strict"; window.early = String(this === window); // end',
      touch: true,
    });
    expect(set.json()).toMatchObject({
      emulates: { script: new URL(rig.at('mill.test', '/')).origin, touch: true },
    });
    await open('mill.test');
    expect(await seen('early:')).toContain('early: true');
    await open('other.test');
    expect(await seen('early:')).toContain('early: undefined');
    await open('other.test', '/liar');
    expect(await seen('inside:')).toContain('inside: undefined');
    await emulate({ script: 'window.early = 2' });
    await open('other.test');
    expect(await seen('early:')).toContain('early: 2');
    expect((await emulate({ color_scheme: 'dark' })).json()).toMatchObject({
      emulates: { script: new URL(rig.at('other.test', '/')).origin, color_scheme: 'dark' },
    });
    await emulate({ reset: true });
    await open('other.test');
    expect(await seen('early:')).toContain('early: undefined');
  });

  it.each([
    ['window.early = ', 'line 1'],
    ['\n\n})(); window.early = 3; (function () {', 'line 3'],
    ['} window.early = 3; {', 'line 1'],
    ['/* window.early = 3', 'SyntaxError'],
    ['`', 'SyntaxError'],
    ['return 3', 'SyntaxError'],
    ['#! window.early = 3', 'SyntaxError'],
    ['await 3', 'SyntaxError'],
  ])('refuses %j, and runs nothing', async (script, reason) => {
    const refused = await emulate({ script });
    expect([refused.code(), refused.text]).toEqual(['invalid_argument', expect.stringContaining(reason)]);
    await open('other.test');
    expect(await seen('early:')).toContain('early: undefined');
  });

  it.each([
    [{ script: '1'.repeat(20_001) }, 'script'],
    [{ proxy: 'http://user@proxy.example' }, 'proxy'],
    [{ permissions: { geolocation: 'granted' } }, 'permissions'],
  ])('refuses other arguments', async (args, field) => {
    const refused = await emulate(args);
    expect([refused.code(), refused.text]).toEqual(['invalid_argument', expect.stringContaining(field)]);
  });

  it('has no proxy for one tab', async () => {
    expect((await emulate({ proxy: 'http://127.0.0.1:1' })).code()).toBe('unsupported_in_chromium');
  });

  it('may open a dialog, which the agent answers', async () => {
    await open('mill.test');
    await emulate({ script: 'window.early = confirm("Early?")' });
    const opening = await rig.server.call('navigate', { url: rig.at('mill.test') });
    expect(opening.text + opening.notes).toContain('Early?');
    await rig.ok('dialog', { action: 'accept' });
    expect(await seen('early:')).toContain('early: true');
    await emulate({ reset: true });
  });

  it('needs a page of a site', async () => {
    await rig.server.call('tabs', { action: 'open' });
    expect((await emulate({ script: '1' })).text).toContain('navigate first');
  });
});

describe('with the rules that a person begins with', () => {
  beforeAll(() => rig.setRules([]));

  it('is shown in full, and asked about by itself each time', async () => {
    await open('mill.test');
    const script = `window.early = 4; ${'//'.padEnd(3_000, ' x')}\nlast();`;
    const calling = emulate({ script });
    const card = await person.card();
    for (const part of ['window.early = 4', 'last();', 'before those of this site'])
      expect(card).toContain(part);
    expect(await person.read('document.querySelector(".scope select") && "scopes"')).toBeNull();
    await person.deny('Not this one');
    expect((await calling).code()).toBe('call_denied');
    await open('mill.test');
    expect(await seen('early:')).toContain('early: undefined');
    const again = emulate({ script: 'window.early = 5' });
    await person.allow();
    expect((await again).isError).toBe(false);
    await open('mill.test');
    expect(await seen('early:')).toContain('early: 5');
  });
});
