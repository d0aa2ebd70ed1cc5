import axe from 'axe-core';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itDeep } from '../../support/depth.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { CARDS } from './cards.ts';
import { ApprovalRig, type KeptQuestion } from './rig.ts';

/* What a person changes in a tool's own fields is what the card says then, and what runs. */

let rig: ApprovalRig;
beforeAll(async () => {
  rig = await ApprovalRig.start();
});
afterAll(() => rig.close());

const EXTRACT: KeptQuestion = {
  ...CARDS.read,
  id: 'q_extract',
  tool: 'extract_data',
  title: 'Extract data',
  args: {
    schema: { properties: { name: { type: 'string' } } },
    run: 'run_AAAAAAAAAAAA',
    multiple: false,
    paginate: { max_pages: 10 },
    explain: false,
  },
};

const FETCH: KeptQuestion = {
  ...CARDS.download,
  args: { ...CARDS.download.args, max_bytes: 268_435_456, timeout_ms: 120_000 },
};
const CRAWL: KeptQuestion = {
  ...CARDS.crawl,
  args: { ...CARDS.crawl.args, max_depth: 3, respect_robots: true, include: ['/docs/**', '/blog/**'] },
};

async function open(question: KeptQuestion): Promise<Page> {
  await rig.ask([question]);
  const page = await rig.card('?');
  await page.click('summary');
  return page;
}

const sentences = (page: Page): Promise<string[]> => page.locator('.steps li').allTextContents();

/** Allows what the card says, and returns the arguments that run. */
async function allow(page: Page, id: string): Promise<unknown> {
  await rig.press(page, '#allow');
  const { decision } = await rig.port.call('question.wait', { id });
  expect(decision).toMatchObject({ approve: true });
  return decision !== null && 'args' in decision ? decision.args : null;
}

interface Change {
  readonly question: KeptQuestion;
  /** What a person does. */
  readonly change: (page: Page) => Promise<unknown>;
  /** What the card says then. */
  readonly says: string;
  /** What is different in the arguments. */
  readonly runs: JsonObject;
}

describe.each<[string, Change]>([
  [
    'navigate',
    {
      question: CARDS.navigate,
      change: (page) => page.getByLabel('Address').fill('https://intranet.example.com/'),
      says: 'Open https://intranet.example.com/ in a new tab.',
      runs: { url: 'https://intranet.example.com/' },
    },
  ],
  [
    'fetch',
    {
      question: FETCH,
      change: (page) => page.getByLabel('At most this many bytes').fill('1000'),
      says: 'Load https://files.example.org/reports/2026-Q3.pdf with your cookies, as if you had opened it, and read what comes.',
      runs: { max_bytes: 1_000 },
    },
  ],
  [
    'dialog',
    {
      question: CARDS.dialog,
      change: (page) => page.getByLabel('Button').selectOption({ label: 'Cancel' }),
      says: "Press Cancel in the page's dialog.",
      runs: { action: 'dismiss' },
    },
  ],
  [
    'network',
    {
      question: CARDS.capture_network,
      change: (page) => page.getByLabel('What is kept').selectOption({ label: 'Nothing' }),
      says: 'Record the address and the headers of every request that the page makes from now on, without what it carries.',
      runs: { bodies: 'none' },
    },
  ],
  [
    'crawl',
    {
      question: CRAWL,
      change: async (page) => {
        await page.getByLabel('At most this many pages').fill('5');
        await page.getByLabel('Only addresses like these').fill('/docs/**\n');
      },
      says: 'It stops after 5 pages.',
      runs: { max_pages: 5, include: ['/docs/**'] },
    },
  ],
  [
    'extract_data',
    {
      question: EXTRACT,
      change: (page) => page.getByLabel('At most this many pages').fill('2'),
      says: 'It goes to the next page again and again, up to 2 pages.',
      runs: { paginate: { max_pages: 2 } },
    },
  ],
  [
    'upload',
    {
      question: CARDS.upload,
      change: (page) =>
        page
          .getByLabel('Step 1', { exact: true })
          .fill('upload label="Curriculum vitae" /home/ada/public.pdf'),
      says: 'Give the page a copy of /home/ada/public.pdf through the field Curriculum vitae.',
      runs: { steps: ['upload label="Curriculum vitae" /home/ada/public.pdf', 'submit'] },
    },
  ],
  [
    'fields of interact',
    {
      question: CARDS.input,
      change: async (page) => {
        await page.getByLabel('To', { exact: true }).fill('grace@example.com');
        await page.getByLabel('Send me a copy').uncheck();
      },
      says: 'Fill the field To with grace@example.com.',
      runs: {
        fields: { To: 'grace@example.com', Subject: 'Minutes of Thursday', 'Send me a copy': false },
      },
    },
  ],
])('%s', (_name, { question, change, says, runs }) => {
  it('is changed in fields: the card says so, and it is what runs', async () => {
    const page = await open(question);
    await change(page);
    await expect.poll(() => sentences(page)).toContain(says);
    expect(await page.textContent('#allow')).toBe('Allow with my changes');
    expect(await allow(page, question.id)).toEqual({ ...question.args, ...runs });
  });

  itDeep('is accessible and fits with its fields open', async () => {
    const page = await open(question);
    await page.locator('.edit-form, .edit-steps').first().waitFor();
    for (const width of [320, 440])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 640 });
        await page.emulateMedia({ colorScheme });
        const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        expect(await page.evaluate(overflow)).toBe(0);
        await page.evaluate(axe.source);
        expect(
          await page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))'),
        ).toEqual([]);
      }
  });
});

describe('steps', () => {
  it('are left out and added, and a line that nobody could do is not sent', async () => {
    const page = await open(CARDS.submit);
    await page.getByRole('button', { name: 'Leave out step 2' }).click();
    expect(await sentences(page)).toHaveLength(3);
    await page.getByRole('button', { name: 'Add a step' }).click();
    await expect.poll(() => page.getAttribute('#allow', 'aria-disabled')).toBe('true');
    await page.getByLabel('Step 4', { exact: true }).fill('explode');
    await expect.poll(() => page.locator('.problem').textContent()).toMatch(/^4: "explode" is not a step/);
    await page.getByLabel('Step 4', { exact: true }).fill('press Escape');
    await expect.poll(() => sentences(page)).toContain('Press Escape on the keyboard.');
    const { steps } = CARDS.submit.args;
    expect(await allow(page, 'q_submit')).toEqual({ steps: [steps[0], steps[2], steps[3], 'press Escape'] });
  });

  itDeep('keep the lines of what is typed', async () => {
    const steps = ['type label=Notes first\nsecond', 'submit'];
    const page = await open({ ...CARDS.input, args: { steps } });
    expect(await page.getByLabel('Step 1', { exact: true }).inputValue()).toBe(steps[0]);
    await page.getByLabel('Step 2', { exact: true }).fill('click text=Save');
    expect(await allow(page, CARDS.input.id)).toEqual({ steps: [steps[0], 'click text=Save'] });
  });
});

it('a text in place of a number is not sent', async () => {
  const page = await open(CRAWL);
  const pages = page.getByLabel('At most this many pages');
  await pages.fill('many');
  await expect
    .poll(() => page.locator('.problem').textContent())
    .toMatch(/^This takes a whole number from 1 to/);
  await rig.live(page);
  expect(await page.getAttribute('#allow', 'aria-disabled')).toBe('true');
  await pages.fill('7');
  expect(await allow(page, CRAWL.id)).toMatchObject({ max_pages: 7 });
});

itDeep('fields and text show the same', async () => {
  const page = await open(CRAWL);
  const pages = page.getByLabel('At most this many pages');
  await pages.fill('9');
  await page.click('.raw > summary');
  const text = page.locator('.raw textarea');
  expect(JSON.parse(await text.inputValue())).toEqual({ ...CRAWL.args, max_pages: 9 });
  await text.fill(JSON.stringify({ ...CRAWL.args, max_pages: 11 }));
  await expect.poll(() => pages.inputValue()).toBe('11');
  await page.getByRole('button', { name: 'Undo my changes' }).click();
  await expect.poll(() => pages.inputValue()).toBe('200');
  expect(await page.textContent('#allow')).toBe('Allow');
});

itDeep('what a field does not show is written below it', async () => {
  const page = await open({ ...CARDS.navigate, args: { url: 'https://a.example/\u202egpj' } });
  expect(await page.locator('.edit-row .quoted').textContent()).toBe('https://a.example/⟨U+202E⟩gpj');
});

it('a tool without fields of its own shows its arguments, and is changed as text', async () => {
  const page = await open(CARDS.evaluate);
  await page.locator('.args dd', { hasText: "querySelectorAll('.card')" }).waitFor();
  await page.click('.raw > summary');
  await page.fill('.args textarea', '{ "code": "1" }');
  expect(await allow(page, CARDS.evaluate.id)).toEqual({ code: '1' });
});
