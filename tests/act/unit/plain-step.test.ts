import { expect, it } from 'vitest';
import { plainStep } from '../../../shared/act/parse-step.ts';

const step = (...[kind, target, value, to]: (string | undefined)[]) => ({ do: kind, target, value, to });

it.each<[given: Readonly<Record<string, unknown>>, expected: object]>([
  [{ do: 'click', target: 'e3' }, step('click', 'e3')],
  [{ click: 'e3' }, step('click', 'e3')],
  [{ action: 'click', ref: 'e3' }, step('click', 'e3')],
  [{ action: 'click', element: 'The button', ref: 'e3' }, step('click', 'e3')],
  [{ click: 'e3', element: 'The button' }, step('click', 'e3')],
  [{ action: 'fill', ref: 'e4', text: 'Ada' }, step('fill', 'e4', 'Ada')],
  [{ fill: 'e4', value: 'Ada' }, step('fill', 'e4', 'Ada')],
  [{ type: 'e4', text: 'secret:KEY' }, step('type', 'e4', 'secret:KEY')],
  [{ press: 'Enter' }, { do: 'press', value: 'Enter' }],
  [{ press: '#' }, { do: 'press', value: '#' }],
  [{ press: ' ' }, { do: 'press', value: 'Space' }],
  [{ press: 'e5', value: ' ' }, step('press', 'e5', 'Space')],
  [{ do: 'press', key: ' ' }, step('press', undefined, 'Space')],
  [{ drag: 'e1', to: 'e2' }, step('drag', 'e1', undefined, 'e2')],
  [{ scroll: 'down 300' }, { do: 'scroll', value: 'down 300' }],
  [{ fill: 'label=Name' }, { do: 'fill', target: 'label=Name', value: '' }],
  ...[{ click: 'e3', hover: 'e4' }, { clik: 'e3' }].map((same): [typeof same, object] => [same, same]),
])('%j is the step %j', (given, expected) => {
  expect(plainStep<unknown>(given)).toEqual(expected);
  expect(plainStep(plainStep<unknown>(given))).toEqual(expected);
});
