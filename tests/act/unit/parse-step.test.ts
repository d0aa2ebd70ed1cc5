import { expect, it } from 'vitest';
import { STEP_KINDS } from '../../../shared/act/step-words.ts';
import { Step } from '../../../shared/act/steps.ts';
import { exampleAfter, parseStep } from '../../../shared/act/parse-step.ts';

it.each<[string, Partial<Step>]>([
  ['drag e1 to e2', { target: 'e1', to: 'e2' }],
  ['drag e1 at 5,6.5 e2', { target: 'e1', position: { x: 5, y: 6.5 }, to: 'e2' }],
  [
    'drag text="at 1,2" at 5,6 to text="Look at me" at 10,20',
    {
      target: 'text="at 1,2"',
      position: { x: 5, y: 6 },
      to: 'text="Look at me"',
      to_position: { x: 10, y: 20 },
    },
  ],
  ['drag e1 at 1,1 by 40,0 by 0 , 40', { target: 'e1', position: { x: 1, y: 1 }, to: 'by=40,0 by=0,40' }],
])('%s', (line, step) => expect(parseStep(line)).toEqual({ do: 'drag', ...step }));

it.each<[string, Step]>([
  ['click e1 at 2,3 for 800ms', { do: 'click', target: 'e1', position: { x: 2, y: 3 }, hold: 800 }],
  ['click at 120, 80.5', { do: 'click', target: 'point=120,80.5' }],
  ['drag e1 to at 30,40', { do: 'drag', target: 'e1', to: 'point=30,40' }],
  ['pinch picture=5,6 0.5', { do: 'pinch', target: 'picture=5,6', value: '0.5' }],
  ['tap text=Wait for 5', { do: 'tap', target: 'text=Wait for 5' }],
  ['press e1 Shift+? for 600ms', { do: 'press', target: 'e1', value: 'Shift+?', hold: 600 }],
  ...['#', '.', '[', '(', '"', '# Enter', '[ ]', '" Enter', '/ /'].map((keys): [string, Step] => [
    `press ${keys}`,
    { do: 'press', value: keys },
  ]),
  ['press # for 600ms', { do: 'press', value: '#', hold: 600 }],
  ['press #a #', { do: 'press', target: '#a', value: '#' }],
  ['press "Send" Enter', { do: 'press', target: '"Send"', value: 'Enter' }],
  ['wheel 300', { do: 'wheel', value: 'by 0,300' }],
  ['scroll bottom', { do: 'scroll', value: 'bottom' }],
  [
    'Shift+swipe e1 left for 500ms',
    { do: 'swipe', modifiers: ['Shift'], hold: 500, target: 'e1', to: 'by=-300,0' },
  ],
  ['swipe e1 at 5,6 e2', { do: 'swipe', target: 'e1', position: { x: 5, y: 6 }, to: 'e2' }],
  ['drag e1 left', { do: 'drag', target: 'e1', to: 'left' }],
  ['wheel e1 by 0,-40', { do: 'wheel', target: 'e1', value: 'by 0,-40' }],
])('%s', (line, step) => expect(parseStep(line)).toEqual(step));

it('takes modifiers for the steps that send them, and refuses them for all others', () => {
  const refused = STEP_KINDS.filter((kind) => {
    const step = { do: kind, target: 'e1', ...exampleAfter(kind) };
    expect(Step.safeParse(step).success, kind).toBe(true);
    const { error } = Step.safeParse({ ...step, modifiers: ['Shift'] });
    if (error !== undefined) expect(error.issues[0]?.message).toMatch(new RegExp(`^${kind}: takes `));
    return error !== undefined;
  });
  expect(refused).toEqual(
    'fill type press select check uncheck scroll pinch upload focus clear submit wait'.split(' '),
  );
});

it('refuses a drag that ends nowhere', () =>
  expect(Step.safeParse({ do: 'swipe', target: 'e1', value: 'left 200' }).success).toBe(false));
