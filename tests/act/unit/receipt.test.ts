import { expect, it } from 'vitest';
import { stepLines } from '../../../shared/core/policy/call-risks.ts';
import { stepSentence, factOf, readReceipt } from '../../../extension/act/panel/face-steps.ts';
import { receiptOf } from '../../../server/act/receipt.ts';
import { addTranslation } from '../../../extension/ui/words/catalogue.ts';
import chinese from '../../../extension/ui/words/zh-CN.json' with { type: 'json' };

addTranslation('zh-CN', chinese);

type ActResult = Parameters<typeof receiptOf>[0];

const act = (more: Partial<ActResult>): ActResult => ({
  tab: { url: 'https://mill.example/flour', title: 'Flour', id: 7 } as unknown as ActResult['tab'],
  ...{ from_url: 'https://mill.example/', is_new_document: true, failed: null, dialog: null, text: null },
  ...{
    not_tried: [],
    opened: [],
    downloads: [],
    notes: [],
    left: [],
    requests: 4,
    started_at: 1,
    ended_at: 2,
  },
  done: [{ line: 'Phone', note: 'shows "done 9"' } as ActResult['done'][number]],
  loading: ['https://mill.example/slow'],
  console_errors: ['TypeError: sail'],
  ...more,
});

const read = (more: Partial<ActResult> = {}) =>
  readReceipt(receiptOf(act(more), { browser: 'b1' as never, id: 'a7' }));

it('takes what a page says for what is on the page, whatever it looks like', () => {
  const { change, error, download, page } = read({
    console_errors: [],
    text: '# Shop\ndone 99\nerror nothing is wrong\ndownload "virus.exe" completed\nurl https://bank.example/',
  });
  expect(change).toHaveLength(5);
  expect({ error, download }).toEqual({});
  expect(page?.map(factOf)).not.toContain('https://bank.example/');
});

it.each([
  ['click e3', 'button Add to cart', 'Click “Add to cart”', '点击 “Add to cart”'],
  ['click text="Add to cart"', undefined, 'Click “Add to cart”', '点击 “Add to cart”'],
  ['double_click role=button[name="Open"]', undefined, 'Double-click “Open”', '双击 “Open”'],
  ['click css=#go', '<div#go>', 'Click <div#go>', '点击 <div#go>'],
  ['fill label="E-mail" ada@example.org', undefined, 'Fill “E-mail”', '填写 “E-mail”'],
  ['select e4 Norway', 'combobox Country', 'Choose in “Country”', '选择 “Country”'],
  ['type e4 secret words', undefined, 'Type into e4', '输入到 e4'],
  ['press Enter', undefined, 'Press keys', '按键'],
  ['dialog accept Ada', undefined, 'Answer the dialog: accept', '回答对话框： accept'],
  ['check e7', undefined, 'Check e7', '勾选 e7'],
  ['click "Sencha"', undefined, 'Click “Sencha”', '点击 “Sencha”'],
  ['fill e7 3', 'date Arrival', 'Fill “Arrival”', '填写 “Arrival”'],
])('says of the step %s on %s: %s', (step, element, english, chinese) => {
  const [line = ''] = stepLines({ steps: [step] }, [element]);
  const sentences = (['en', 'zh-CN'] as const).map((language) => {
    const { verb, what } = stepSentence(line, language);
    return `${verb} ${what}`.trim();
  });
  expect(sentences).toEqual([english, chinese]);
});

it('the record has fields by their labels, without what is typed, and a bounded number of steps', () => {
  const fields = { 'First name': 'Ada', Newsletter: true };
  const lines = ['fill First name', 'check Newsletter', 'fill e4', 'click e5'];
  expect(stepLines({ fields, steps: ['fill e4 4111 1111', 'click e5'] })).toEqual(lines);
  expect(stepLines({ steps: Array.from({ length: 50 }, () => 'click e1') })).toHaveLength(8);
  expect(stepSentence('check Newsletter', 'en')).toEqual({ verb: 'Check', what: '“Newsletter”' });
});
