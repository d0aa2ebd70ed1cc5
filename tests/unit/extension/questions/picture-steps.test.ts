import { expect, it } from 'vitest';
import { pictureOf } from '../../../../extension/background/questions/shown-elements.ts';

const plain = { isField: false, to: null, position: null };

it.each([
  [{ steps: ['click css=#map at 10,20'] }, { ...plain, element: 'css=#map', position: { x: 10, y: 20 } }],
  [{ steps: ['drag e1 e2'] }, { ...plain, element: 'e1', to: 'e2' }],
  [
    { fields: { Name: 'A' }, steps: ['click e5'] },
    { ...plain, element: 'Name', isField: true },
  ],
])('what is shown of %j', (args, expected) => expect(pictureOf(args)).toEqual(expected));
