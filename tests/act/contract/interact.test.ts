import { expect, test, vi } from 'vitest';
import { SpillwayError, type WireError } from '../../../shared/base/errors.ts';
import { startMemoryServer } from '../../support/memory-client.ts';
import { fakeHandlers } from './interact.cases.ts';

const server = await startMemoryServer({ mode: 'apps', uploadRoot: [import.meta.dirname] });
const TABS = { 1: { url: 'https://a.test/', title: 'A', content: () => ['# A\n'] } };
server.bridge.addBrowser(TABS);

test('says how many steps were done', async () => {
  const answer = await server.call('interact', { tab: 'b1:1', fields: { Name: 'Ada' }, steps: ['click e6'] });
  expect(answer.isError, answer.text).toBe(false);
  expect(answer.text).toBe('done 2');
});

test('a failed act names what it has opened and saved, and what else came of the steps before', async () => {
  const url = 'https://a.test/r.pdf';
  const file = { name: 'r.pdf', url, state: 'completed' as const, received_bytes: 1, total_bytes: null };
  server.bridge.answer({
    'act.run': async (params) => {
      const result = await fakeHandlers['act.run'](params);
      const dialog = { type: 'alert', message: 'Hi' };
      const more = { dialog, console_errors: ['Oh'], notes: ['By a script.'] };
      const failed = { line: 'click e9', code: 'selector_not_found', message: 'There is no e9.', hint: '' };
      const opened = [{ ...result.tab, id: 9 }];
      const filled = { line: 'fill e1', note: '= Ada', element: 'textbox Name' };
      const done = [{ line: 'click e6', note: 'no click came of it' }, filled];
      return { ...result, ...more, done, failed, opened, downloads: [file], text: '+ New\n' };
    },
  });
  const steps = ['click e6', 'fill e1 Ada', 'click e9'];
  const { raw } = await server.call('interact', { tab: 'b1:1', steps });
  const body = { done: ['click e6', 'fill e1'], failed_step: 3, opened: ['b1:9'], downloads: [file] };
  const message =
    'Step 3 of 3 (click e9): There is no e9. Done before it: click e6 (no click came of it), fill e1. Meanwhile: dialog alert "Hi": answer it with the step "dialog accept" or "dialog dismiss"; opened b1:9 https://a.test/; download "r.pdf" completed https://a.test/r.pdf; error Oh; By a script.';
  expect(raw.structuredContent).toMatchObject({ error: { body, message }, state: body });
  expect(raw.content[1]).toEqual({ type: 'text', text: 'Name = Ada\n+ New' });
});

test('drops the files of an act that the browser did not begin', async () => {
  const { bridge } = server;
  const sent: object[] = [];
  bridge.answer({
    'act.stage': async (part) => ({ received: sent.push(part) }),
    'act.run': () => Promise.reject(new SpillwayError('dialog_open', 'It asks.')),
  });
  const answer = await server.call('interact', { tab: 'b1:1', fields: { CV: import.meta.filename } });
  expect(answer.code()).toBe('dialog_open');
  const [first, ...later] = sent;
  expect(later).toEqual([{ ...first, offset: 0, data: '' }]);
});

test('answers a dialog with a step of its own', async () => {
  const answer = await server.call('interact', { tab: 'b1:1', steps: ['dialog accept Ada'] });
  expect(answer.text).toBe('done 1\n= nothing changed');
  expect(answer.raw.content).toHaveLength(2);
});

test.each([
  [{ steps: ['click e6', 'dialog dismiss'] }, 'no other step'],
  [{}, 'pass fields or steps'],
  [{ steps: [{ tap_on: 'e3' }] }, 'Write "click e3" or {"do":"click","target":"e3"}.'],
  [{ steps: [{ do: 'check', ref: 'e3', on: true }] }, 'Write "check e3" or {"do":"check","target":"e3"}.'],
  [{ steps: [{ do: 'fill', ref: 'e3', with: 'A' }] }, '"fill e3 the value" or {"do":"fill","target":"e3",'],
  [{ steps: [{ do: 'drag', from: 'e1' }] }, 'Write "drag e1 e2" or {"do":"drag","target":"e1","to":"e2"}.'],
  [{ steps: [true] }, 'steps.0: takes string or object, such as "…".'],
  [{ steps: [{ fill: 'e3', value: true }] }, 'steps.0.value: takes string or array, such as {"value": "…"}.'],
  [{ fields: { To: { value: 'A' } } }, 'takes string or boolean or number or array, such as {"To": "…"}.'],
  [{ fields: { Tags: [true] } }, 'fields.Tags.0: takes a string.'],
  [{ steps: ['press'] }, 'takes keys'],
  [{ steps: ['click e6', 'pinch e7 20'] }, 'a factor from 0.1 to 10'],
  [{ steps: ['click e6', 'clik e7'] }, 'steps.1:'],
  [{ steps: ['click e6', 'press ArrowUp for 20000ms'] }, 'steps.1.hold: '],
  [{ steps: ['click e6 for 0ms'] }, 'steps.0.hold: '],
  [{ steps: [`${'Shift+'.repeat(6)}click e6`] }, 'steps.0.modifiers: '],
])('refuses %j', async (args, said) => {
  const answer = await server.call('interact', { tab: 'b1:1', ...args });
  expect(answer.code()).toBe('invalid_argument');
  expect(answer.json<{ error: WireError }>().error.message).toContain(said);
});

const gone = new SpillwayError('browser_disconnected', 'It is gone.');
const lost = (): never => {
  throw gone;
};
const failed = async (name: string, args: object): Promise<WireError> =>
  (await server.call(name, { tab: 'b1:1', ...args })).json<{ readonly error: WireError }>().error;

test.each([
  ['interact', { steps: ['click e6'] }],
  ['page_tool_call', { name: 'add_to_cart', arguments: { item: 'tea' } }],
  ['evaluate', { code: '() => 1' }],
  ['dialog', { action: 'accept' }],
])('%s whose browser goes may have been done', async (name, args) => {
  const { bridge } = server;
  bridge.answer({ 'act.run': lost, 'page_tools.call': lost, 'page.evaluate': lost, 'dialog.answer': lost });
  const message = expect.stringContaining('outcome is unknown') as string;
  expect(await failed(name, args)).toMatchObject({ code: gone.code, retryable: false, message });
});

test('an act that was not sent may be repeated', async () => {
  vi.spyOn(server.bridge, 'request').mockRejectedValueOnce(gone);
  const { message } = gone;
  expect(await failed('interact', { steps: ['click e6'] })).toMatchObject({ retryable: true, message });
});
