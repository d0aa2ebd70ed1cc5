import { mkdirSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CACHE } from '../../../scripts/lib/run.mjs';
import { LIMITS } from '../../../shared/base/limits.ts';
import type { AskedPerson } from '../../support/asked-person.ts';
import { itDeep, sample } from '../../support/depth.ts';
import { PATIENCE } from '../../support/patience.ts';
import { askedOn, choose, type PersonRig } from '../../support/person-rig.ts';
import { testFolder } from '../../support/test-folder.ts';
import { CARDS } from './cards.ts';
import { ApprovalRig } from './rig.ts';

/* A person gives files of theirs on the card: the page gets them, and the agent no name that it did not use. */

/** The page shows what it got, names included. */
const PAGE = `<title>Jobs</title><label>CV <input type="file" id="cv" accept=".pdf,.txt" onchange="got(this.files)"></label>
  <label>Papers <input type="file" multiple onchange="got(this.files)"></label>
  <div id="zone" style="width: 200px; height: 60px" ondragover="event.preventDefault()"
    ondrop="event.preventDefault(); got(event.dataTransfer.files)">Drop here</div>
  <button onclick="field.click()">Choose</button><input type="file" id="field" hidden onchange="got(this.files)">
  <output></output><script>async function got(files) {
    document.querySelector('output').textContent =
      'Got ' + (await Promise.all([...files].map(async (file) => file.name + '=' + (await file.text())))).join(' ');
  }</script>`;

let rig: PersonRig;
let person: AskedPerson;
let host = 0;

beforeAll(async () => ({ rig, person } = await askedOn(PAGE, '--sync-wait-ms', '60000')));
beforeEach(async () => {
  // The strictest case: nothing else would ask.
  await rig.setRules([{ id: 'mine', effect: 'allow' }]);
  await rig.server.call('navigate', { url: rig.at(`files${(host += 1)}.test`) });
});

/** As a person who chooses these files in a field of the card. */
const pick = async (files: Readonly<Record<string, string>>, at = 0): Promise<void> => {
  await person.card();
  const chosen = `(() => {
    const field = document.querySelectorAll('input[type=file]')[${at}];
    const transfer = new DataTransfer();
    for (const [name, text] of ${JSON.stringify(Object.entries(files))}) transfer.items.add(new File([text], name));
    field.files = transfer.files;
    field.dispatchEvent(new Event('change', { bubbles: true }));
    return String(field.files.length);
  })()`;
  await expect.poll(() => person.read(chosen), PATIENCE).toBe(String(Object.keys(files).length));
};
const shown = `document.querySelector('output').textContent`;
const evaluated = async (): Promise<string> => {
  const [tab] = await rig.worker.evaluate<{ id: number }[]>(
    `chrome.tabs.query({ title: 'Jobs' }).then((tabs) => tabs.map(({ id }) => ({ id })).slice(-1))`,
  );
  return rig.worker.evaluate<string>(
    `chrome.scripting.executeScript({ target: { tabId: ${tab?.id} }, func: () => ${shown} }).then(([{ result }]) => result)`,
  );
};

it.each(
  sample(
    [
      ['a field', 'upload label=CV'],
      ['a drop zone', 'upload css=#zone'],
      ['a button with a hidden field', 'upload text=Choose'],
    ],
    3,
  ),
)('the page gets the file that a person chose for %s, and the agent no name', async (_where, step) => {
  const uploading = rig.server.call('interact', { steps: [step] });
  await pick({ 'salary-2026.txt': 'mine' });
  await person.allow();
  const { text } = await uploading;
  expect(text).toContain('has a file that the person chose');
  await expect.poll(evaluated, PATIENCE).toBe('Got salary-2026.txt=mine');
  const read = await rig.server.call('read_page', { format: 'text' });
  expect(read.text).toContain('=mine');
  for (const one of [text, read.text]) expect(one).not.toContain('salary');
});

it('an agent that names a path gets nothing of it, and what a person chose instead goes to the page', async () => {
  const uploading = rig.server.call('interact', { steps: ['upload label=CV /etc/passwd'] });
  await expect.poll(() => person.card(), PATIENCE).toContain('/etc/passwd');
  expect(await person.read(`document.querySelector('#allow').ariaDisabled`)).toBe('true');
  await pick({ 'cv.txt': 'my life' });
  await person.allow();
  expect((await uploading).text).not.toContain('passwd=');
  await expect.poll(evaluated, PATIENCE).toBe('Got cv.txt=my life');
});

it('two steps have a field each, with what the page asks for, and a name that the agent used stays', async () => {
  const steps = ['upload label=CV cv.pdf', 'upload label=Papers'];
  const uploading = rig.server.call('interact', { steps });
  await person.card();
  const fields = `JSON.stringify([...document.querySelectorAll('input[type=file]')].map((el) => [el.accept, el.multiple]))`;
  await expect.poll(() => person.read(fields), PATIENCE).toBe('[[".pdf,.txt",false],["",true]]');
  await pick({ 'cv.pdf': 'life' });
  await pick({ 'one-letter.txt': '1', 'two-letters.txt': '2' }, 1);
  await person.allow();
  const { text } = await uploading;
  expect(text).toContain('has cv.pdf');
  expect(text).toContain('has 2 files that the person chose');
  expect(text).not.toContain('one-letter');
  await expect.poll(evaluated, PATIENCE).toBe('Got one-letter.txt=1 two-letters.txt=2');
});

it('a person who refuses gives nothing, and each further call asks again', async () => {
  const uploading = rig.server.call('interact', { steps: ['upload label=CV'] });
  await person.deny('Not that.');
  expect((await uploading).code()).toBe('call_denied');
  expect(await evaluated()).toBe('');
});

it('with asking switched off, the page gets no file', async () => {
  await choose(rig.worker, 'asks', false);
  try {
    const { text, code } = await rig.server.call('interact', { steps: ['upload label=CV /etc/passwd'] });
    expect(code()).toBe('upload_refused');
    expect(text).toContain('--upload-root');
  } finally {
    await choose(rig.worker, 'asks', true);
  }
});

/** As a person who picks a folder of theirs: the browser's picker cannot be pressed by a test. */
const giveFolder = async (files: Readonly<Record<string, string>>, keeping: string): Promise<void> => {
  await person.card();
  const given = `(async () => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('applications', { create: true });
    for (const [path, text] of ${JSON.stringify(Object.entries(files))}) {
      const [name, parent] = path.split('/').toReversed();
      const at = parent === undefined ? folder : await folder.getDirectoryHandle(parent, { create: true });
      const writing = await (await at.getFileHandle(name, { create: true })).createWritable();
      await writing.write(text);
      await writing.close();
    }
    window.showDirectoryPicker = () => Promise.resolve(folder);
    document.querySelector('#give-folder').click();
    return 'given';
  })()`;
  await expect.poll(() => person.read(given), PATIENCE).toBe('given');
  await person.fill('.ask-field select', keeping, 'change');
};

it('later uploads come by their names from the folder that a person gave, each with a press', async () => {
  const upload = (name: string) => rig.server.call('interact', { steps: [`upload label=CV ${name}`] });
  // Another name than that of a file which the agent did not name: cards hide those.
  const first = upload('vita.txt');
  await giveFolder({ 'vita.txt': 'life', 'letters/one.txt': 'dear', 'salary.txt': 'secret' }, 'session');
  await person.allow();
  const { text } = await first;
  expect(text).toContain('has vita.txt');
  await expect.poll(evaluated, PATIENCE).toBe('Got vita.txt=life');
  const second = upload('letters/one.txt');
  await person.allow();
  await expect.poll(evaluated, PATIENCE).toBe('Got one.txt=dear');
  for (const answer of [text, (await second).text]) expect(answer).not.toMatch(/salary|applications/);
  const isLive = () => person.read(`document.querySelector('#allow').ariaDisabled`);
  // Only names below the folder lead anywhere.
  for (const name of sample(
    ['../vita.txt', 'letters/../salary.txt', '/salary.txt', 'gone.txt', 'letters'],
    3,
  )) {
    const refused = upload(name);
    await person.card();
    await expect.poll(isLive, PATIENCE).toBe('false');
    await person.pressNow('#allow');
    const problem = `document.querySelector('[role=alert]')?.textContent`;
    await expect.poll(() => person.read(problem), PATIENCE).toContain('no file of that name');
    await person.deny('');
    expect((await refused).code()).toBe('call_denied');
  }
  const last = upload('vita.txt');
  await person.card();
  await person.read(`document.querySelector('#take-back').click(), 'taken'`);
  await expect
    .poll(() => person.read(`document.querySelector('#allow').ariaDisabled`), PATIENCE)
    .toBe('true');
  await person.deny('');
  await last;
  expect(await evaluated()).toBe('Got one.txt=dear');
});

describe('cards alone', () => {
  let cards: ApprovalRig;
  beforeAll(async () => (cards = await ApprovalRig.start()));

  itDeep(
    'a file that has disappeared or changed since it was chosen is not sent, and the card says so',
    async () => {
      await cards.ask([CARDS.files]);
      const page = await cards.card('Give this site a file?');
      await cards.live(page);
      const folder = testFolder();
      const [gone, changed] = [join(folder, 'gone.txt'), join(folder, 'changed.txt')];
      for (const path of [gone, changed]) writeFileSync(path, 'first');
      const devtools = await page.context().newCDPSession(page);
      // By its path, as a person chooses it: Playwright would send a copy.
      const give = async (at: number, path: string): Promise<void> => {
        const { root } = await devtools.send('DOM.getDocument');
        const selector = 'input[type=file]';
        const { nodeIds } = await devtools.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector });
        await devtools.send('DOM.setFileInputFiles', { nodeId: nodeIds[at] ?? 0, files: [path] });
      };
      await give(0, gone);
      expect(await page.locator('#allow').getAttribute('aria-disabled')).toBe('true');
      await give(1, changed);
      rmSync(gone);
      await page.locator('#allow[aria-disabled="false"]').click();
      const problem = page.locator('[role=alert]', { hasText: 'has changed or is gone' });
      await problem.waitFor();
      await give(0, changed);
      writeFileSync(changed, 'another text');
      utimesSync(changed, 1, 1);
      await page.locator('#allow[aria-disabled="false"]').click();
      await problem.waitFor();
      expect(cards.pages()).toHaveLength(1);
      // Choosing the same path again changes nothing.
      const large = join(folder, 'large.txt');
      writeFileSync(large, '');
      truncateSync(large, LIMITS.uploadBytes + 1);
      await give(0, large);
      await page.locator('[role=alert]', { hasText: '64 MB together' }).waitFor();
      expect(await page.locator('#allow').getAttribute('aria-disabled')).toBe('true');
    },
  );

  it('a link in a given folder leads nowhere, and a file that has gone is not sent', async () => {
    const steps = ['upload label=CV gone.txt', 'upload label=Papers link.txt'];
    await cards.ask([{ ...CARDS.files, args: { steps } }]);
    const page = await cards.card('Give this site a file?');
    await cards.live(page);
    // Browsers give no page a folder below /dev, where the gate keeps temporary files.
    const folder = testFolder(CACHE);
    const [gone, link] = [join(folder, 'gone.txt'), join(folder, 'link.txt')];
    writeFileSync(gone, 'first');
    mkdirSync(join(folder, 'given'));
    symlinkSync(gone, link);
    const devtools = await page.context().newCDPSession(page);
    // Dropped, a folder is the same handle as a picked one.
    await devtools.send('Runtime.evaluate', {
      expression: `window.showDirectoryPicker = () => new Promise((done) => {
      document.addEventListener('dragover', (event) => event.preventDefault());
      document.addEventListener('drop', (event) => {
        event.preventDefault();
        done(event.dataTransfer.items[0].getAsFileSystemHandle());
      });
    })`,
    });
    await page.click('#give-folder');
    const data = { items: [], files: [folder], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await devtools.send('Input.dispatchDragEvent', { type, x: 40, y: 40, data });
    const problem = page.locator('[role=alert]', { hasText: 'no file of that name' });
    await page.locator('#allow[aria-disabled="false"]').click();
    await problem.waitFor();
    rmSync(link);
    rmSync(gone);
    writeFileSync(link, 'now a file');
    await page.locator('#allow[aria-disabled="false"]').click();
    await problem.waitFor();
    expect(cards.pages()).toHaveLength(1);
    writeFileSync(gone, 'again');
    await page.locator('#allow[aria-disabled="false"]').click();
    await expect.poll(() => cards.pages().length, PATIENCE).toBe(0);
  });
});
