import { expect, it } from 'vitest';
import { plainStep } from '../../../shared/act/parse-step.ts';

it.each([
  [
    { do: 'click', target: 'e3' },
    { do: 'click', target: 'e3' },
  ],
  [{ click: 'e3' }, { do: 'click', target: 'e3' }],
  [
    { action: 'click', ref: 'e3' },
    { do: 'click', target: 'e3' },
  ],
  [
    { action: 'fill', ref: 'e4', text: 'Ada' },
    { do: 'fill', target: 'e4', value: 'Ada' },
  ],
  [
    { fill: 'e4', value: 'Ada' },
    { do: 'fill', target: 'e4', value: 'Ada' },
  ],
  [
    { type: 'e4', text: 'secret:KEY' },
    { do: 'type', target: 'e4', value: 'secret:KEY' },
  ],
  [{ press: 'Enter' }, { do: 'press', value: 'Enter' }],
  [{ press: '#' }, { do: 'press', value: '#' }],
  [{ press: ' ' }, { do: 'press', value: 'Space' }],
  [
    { press: 'e5', value: ' ' },
    { do: 'press', target: 'e5', value: 'Space' },
  ],
  [
    { do: 'press', key: ' ' },
    { do: 'press', value: 'Space' },
  ],
  [
    { drag: 'e1', to: 'e2' },
    { do: 'drag', target: 'e1', to: 'e2' },
  ],
  [{ scroll: 'down 300' }, { do: 'scroll', value: 'down 300' }],
  [{ fill: 'label=Name' }, { do: 'fill', target: 'label=Name', value: '' }],
  [
    { click: 'e3', hover: 'e4' },
    { click: 'e3', hover: 'e4' },
  ],
  [{ clik: 'e3' }, { clik: 'e3' }],
])('%j is the step %j', (given, step) => {
  expect(plainStep<unknown>(given)).toEqual(step);
  expect(plainStep(plainStep<unknown>(given))).toEqual(step);
});
