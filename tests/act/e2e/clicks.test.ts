import { describe, expect, it } from 'vitest';
import { sample } from '../../support/depth.ts';
import { clickPage, DOCUMENTS, judge, stepsOf } from '../../../bench/clicks/pages.mjs';
import { actingRig } from './rig.ts';

const CALLS = 2;
const rig = actingRig((name) => clickPage(name, 'http://b.test:PORT'));

describe.each(['front', 'hidden'])('clicks on buttons that move, in a %s tab', (where) => {
  it.each(sample(DOCUMENTS, where === 'front' ? 9 : 6))(
    'each arrive once, at their button: %s',
    async (name) => {
      const tab = await rig.open(name, { front: where === 'front' });
      for (let call = 0; call < CALLS; call += 1) {
        await rig.did(tab, ...stepsOf(call));
      }
      await rig.act(tab, 'click css=#tell');
      expect(judge(await rig.text(tab), CALLS)).toEqual({ lost: 0, twice: 0, elsewhere: 0 });
      await rig.close(tab);
    },
  );
});
