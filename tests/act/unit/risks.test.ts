import { expect, it } from 'vitest';
import { risksOfInteract, risksOfStep } from '../../../shared/core/policy/call-risks.ts';
import type { Risk } from '../../../shared/core/policy/risks.ts';
import { parseStep } from '../../../shared/act/parse-step.ts';
import { STEP_KINDS } from '../../../shared/act/step-words.ts';

const CLICK: readonly Risk[] = ['input', 'submit', 'navigate', 'download'];

it.each<[readonly Risk[], ...string[]]>([
  [CLICK, 'click e1', 'submit', 'type e1 buy it\n', 'type e1 Ada\tB ', 'press Enter', 'press Tab return'],
  [CLICK, 'press e4 Shift+Spacebar', 'press e4 Control+Enter', 'drag e1 e2'],
  [['input'], 'right_click e1', 'fill e1 buy it\nnow', 'type e1 Ada\t', 'press Control+A'],
  [[...CLICK, 'upload'], 'upload e1 /home/a/cv.pdf'],
  [[], 'wait text Saved'],
])('the risks %j are those of %j', (risks, ...lines) => {
  for (const line of lines) expect(risksOfStep(parseStep(line)), line).toEqual(risks);
});

it('the risks of a step are known of every kind, and of lists as of the text they make', () => {
  for (const kind of STEP_KINDS) expect(risksOfStep({ do: kind }), kind).toBeInstanceOf(Array);
  for (const value of [['Tab', 'Enter'], ['Space']])
    expect(risksOfStep({ do: 'press', value })).toEqual(CLICK);
  for (const value of [['a\n'], ['a\t', 'b']]) expect(risksOfStep({ do: 'type', value })).toEqual(CLICK);
});

it('the risks of a call name their steps, lines or objects, and come after those of the fields', () => {
  expect(
    risksOfInteract({
      fields: { Name: 'Ada', CV: '/home/ada/cv.pdf', Photos: ['C:\\a.png'], Newsletter: true },
      steps: ['fill e1 x', { do: 'upload', target: 'e2', value: '/a' }, 'wait text Saved', 'press Enter'],
    }),
  ).toEqual([
    { risk: 'input', step: null },
    { risk: 'upload', step: null },
    { risk: 'input', step: 0 },
    ...[...CLICK, 'upload' as const].map((risk) => ({ risk, step: 1 })),
    ...CLICK.map((risk) => ({ risk, step: 3 })),
  ]);
});

it('the risks of a call leave out steps that are refused, and nothing else', () => {
  const risks = risksOfInteract({ steps: ['jump e1', { do: 'fly' }, 'hover e1'] });
  expect(risks).toEqual([{ risk: 'input', step: 2 }]);
  expect(risksOfInteract({})).toEqual([]);
});
