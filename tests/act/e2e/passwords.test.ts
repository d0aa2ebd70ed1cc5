import { expect, it } from 'vitest';
import { sample } from '../../support/depth.ts';
import { defer } from '../../../shared/base/async.ts';
import { actingRig } from './rig.ts';

/* Wherever the focus is when a key arrives: no password field receives an agent's text. */
const LOGIN = `<label>Name <input id="name"></label> <label>Password <input id="password" type="password"></label>`;
const TOLD = `<output></output><script>
  onsubmit = (event) => { event.preventDefault(); document.querySelector('output').textContent = 'Sent'; };
</script>`;

const BODIES: Readonly<Record<string, string>> = {
  plain: LOGIN,
  form: `<form>${LOGIN}<button>Send</button></form>`,
  jumps: `${LOGIN}<script>document.getElementById('name').oninput = () => password.focus();</script>`,
  'closed tree': `<div id="host"></div><script>
    host.attachShadow({ mode: 'closed' }).innerHTML = '<input id="password" type="password" aria-label="Password">';</script>`,
  'other frame': `<iframe src="http://b.test:PORT/page plain?inner" height="100" width="500"></iframe>`,
  // The tenth key waits until the frame is there; what is typed after it goes to the frame. The frame asks for the focus in
  // a message: as long as a handler of this page runs, `frames[0]` is still the empty document before it.
  'adds a frame': `<label>Name <input id="name"></label><script>
    let keys = 0;
    onmessage = () => { frames[0].focus(); frames[0].postMessage('', '*'); };
    document.getElementById('name').onkeydown = () => {
      keys += 1;
      if (keys === 1) document.body.insertAdjacentHTML('beforeend', '<iframe src="http://b.test:PORT/page arrives?inner" height="100" width="500"></iframe>');
      if (keys !== 10) return;
      const request = new XMLHttpRequest(); request.open('GET', '/arrived', false); request.send();
    };</script>`,
  arrives: `${LOGIN}<script>onmessage = () => password.focus(); parent.postMessage('', '*'); fetch('/arrives');</script>`,
  becomes: `<label>Word <input id="password" onfocus="this.type = 'password'"></label>`,
  replaces: `<label for="password">Password</label><span id="box"><input id="password" name="pw" type="password"></span>
    <button onclick="box.innerHTML = '<input id=password name=pw>'">Show</button>`,
  drags: `${LOGIN}<p id="text" draggable="true" ondragstart="event.dataTransfer.setData('text/plain', 'dragged')">drag me</p>`,
};

const arrived = defer<void>();
const rig = actingRig(async (name, query) => {
  if (name === 'arrives') arrived.resolve();
  if (name === 'arrived') await arrived.promise;
  if (name.startsWith('arrive')) return '';
  const body = BODIES[name.slice('page '.length)];
  if (body === undefined) return null;
  return `<title>${query.has('inner') ? 'inner' : name}</title>${body}${TOLD}`;
});

const snapshotOf = async (tab: string): Promise<string> =>
  (await rig.server.call('read_page', { tab, format: 'snapshot' })).text;

it.each(
  sample<readonly [string, string, readonly string[]]>(
    [
      ['that has the focus', 'plain', ['focus label=Password', 'press h i']],
      ['that the same keys move to', 'plain', ['focus label=Name', 'press Tab h e l l o']],
      ['that typed text moves to', 'plain', ['type label=Name Ada\thunter22']],
      ['to which the page moves the focus after a letter', 'jumps', ['type label=Name hunter22']],
      ['in a closed shadow tree', 'closed tree', ['focus role=textbox', 'press h i']],
      ['that they move to in a frame of another site', 'other frame', ['click label=Name', 'press Tab h i']],
      ['in a frame that the page adds meanwhile', 'adds a frame', [`type label=Name ${'a'.repeat(90)}`]],
      ['that is one once it has the focus', 'becomes', ['fill label=Word hunter22']],
      ['in the place of another', 'replaces', ['click text=Show', 'focus label=Password', 'press h i']],
      ['as a paste', 'plain', ['fill label=Name ada', 'press label=Name Control+A Control+C Tab Control+V']],
      ['as a drop', 'drags', ['drag css=#text label=Password']],
    ],
    2,
  ),
)('keys that would go to a password field are refused: one %s', async (_which, page, steps) => {
  const tab = await rig.open(`page ${page}`);
  const answer = await rig.act(tab, ...steps);
  expect(answer.isError ? answer.code() : answer.text).toBe('password_refused');
  expect(answer.text).toContain('secret:NAME');
  const snapshot = await snapshotOf(tab);
  expect(snapshot).toMatch(/Password|Word/);
  expect(snapshot).not.toContain('••••');
  await rig.close(tab);
});

it('keys that would go to a password field end there: what would send the rest is not pressed', async () => {
  const tab = await rig.open('page form');
  const answer = await rig.act(tab, 'focus label=Name', 'press a Tab h e l l o Enter');
  expect(answer.code()).toBe('password_refused');
  expect(await snapshotOf(tab)).not.toContain('Sent');
  await rig.close(tab);
});
