import { expect, it } from 'vitest';
import { notePicture, placeTarget } from '../../../server/core/pictures.ts';
import { createSession } from '../../support/session.ts';

it('a pixel of the last picture of a tab is a point of its page, at whatever scale', () => {
  const [session, other] = [createSession('one'), createSession('other')];
  notePicture(session, 'b1:2', { scale: 1, shown: { x: 0, y: 0 } });
  notePicture(session, 'b1:2', { scale: 0.5, shown: { x: 10, y: 1_500 } });
  const place = (target: string, tabId = 2, by = session): string =>
    placeTarget(target, by, { browser: 'b1', tabId });
  expect(place('picture=30,20')).toBe('point=70,1540');
  expect(place('css=canvas')).toBe('css=canvas');
  for (const unseen of [() => place('picture=1,1', 3), () => place('picture=1,1', 2, other)])
    expect(unseen).toThrow('no picture of the tab');
});
