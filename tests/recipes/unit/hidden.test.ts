import { expect, it } from 'vitest';
import { hiddenIn } from '../../../server/recipes/folder.ts';

const CODE = '482913';
const STEP = { do: 'type', target: 'e3', value: CODE };

it.each([
  { fields: { e3: CODE } },
  { fields: JSON.stringify({ e3: [CODE] }) },
  { fields: { e3: 482913 } },
  { steps: [`type e3 ${CODE}`] },
  { steps: STEP },
  { steps: [{ action: 'type', ref: 'e3', text: CODE }] },
  { steps: [JSON.stringify(STEP)] },
  { steps: JSON.stringify([JSON.stringify(STEP)]) },
])('a value that a receipt hid is found however the call writes it: case %#', (args) => {
  expect(hiddenIn(args, [0])).toEqual([CODE]);
});
