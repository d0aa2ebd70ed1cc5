import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sample } from '../../support/depth.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { CARDS } from './cards.ts';
import { expectGoodLooks } from './looks.ts';
import { ApprovalRig, type KeptQuestion } from './rig.ts';

/* What a person changes in a tool's own fields is what the card says then, and what runs. */

let rig: ApprovalRig;
beforeAll(async () => {
  rig = await ApprovalRig.start();
});
afterAll(() => rig.close());

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

const CHANGES: readonly [string, Change][] = [
  [
    'a choice',
    {
      question: CARDS.dialog,
      change: (page) => page.getByLabel('Button').selectOption({ label: 'Cancel' }),
      says: "Press Cancel in the page's dialog.",
      runs: { action: 'dismiss' },
    },
  ],
  [
    'fields of a form',
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
];
it.each(sample(CHANGES, 3))(
  '%s is changed in fields: the card says so, and it is what runs',
  async (_what, { question, change, says, runs }) => {
    const page = await open(question);
    await expectGoodLooks(page);
    await change(page);
    await expect.poll(() => sentences(page)).toContain(says);
    expect(await page.textContent('#allow')).toBe('Allow with my changes');
    expect(await allow(page, question.id)).toEqual({ ...question.args, ...runs });
  },
);

it('steps are left out and added, and a line that nobody could do is not sent', async () => {
  const page = await open(CARDS.submit);
  await page.getByRole('button', { name: 'Leave out step 2' }).click();
  expect(await sentences(page)).toHaveLength(3);
  await page.getByRole('button', { name: 'Add a step' }).click();
  await expect.poll(() => page.getAttribute('#allow', 'aria-disabled')).toBe('true');
  await page.getByLabel('Step 4', { exact: true }).fill('explode');
  await expect
    .poll(() => page.locator('.problem[role=alert]').textContent())
    .toMatch(/^4: "explode" is not a step/);
  await page.getByLabel('Step 4', { exact: true }).fill('press Escape');
  await expect.poll(() => sentences(page)).toContain('Press Escape on the keyboard.');
  const { steps } = CARDS.submit.args;
  expect(await allow(page, 'q_submit')).toEqual({ steps: [steps[0], steps[2], steps[3], 'press Escape'] });
});
