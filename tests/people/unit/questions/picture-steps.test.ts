import { expect, it } from 'vitest';
import { pictureOf } from '../../../../extension/people/worker/shown-elements.ts';

const plain = { isField: false, to: null, position: null, last: null };

it.each([
  [{ steps: ['click css=#map at 10,20'] }, { ...plain, element: 'css=#map', position: { x: 10, y: 20 } }],
  [{ steps: ['drag e1 e2'] }, { ...plain, element: 'e1', to: 'e2' }],
  [
    { fields: { Name: 'A' }, steps: ['click e5'] },
    { ...plain, element: 'Name', isField: true, last: 'e5' },
  ],
  [
    { fields: { Name: 'A' }, steps: ['submit'] },
    { ...plain, element: 'Name', isField: true, last: 'the form' },
  ],
  [{ steps: ['fill e1 a', 'click e2', 'click e3', 'wait "Done"'] }, { ...plain, element: 'e1', last: 'e3' }],
  [{ steps: ['click e1', 'fill e2 a', 'click e1'] }, { ...plain, element: 'e1' }],
])('what is shown of %j', (args, expected) => expect(pictureOf(args)).toEqual(expected));
