import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sample } from '../../support/depth.ts';
import { bundle } from '../../../scripts/lib/bundle.mjs';
import { actingRig } from './rig.ts';

/**
 * The steps of one act, in pages that render after each of them: a step acts on its own target, not on an element that
 * took its place.
 */
const script = await bundle(resolve(import.meta.dirname, '../../../fixtures/rerender/queue.ts'));
const page = `<!doctype html><title>Queue</title><style>button { display: block }</style>
  <div id=root></div><p>Removed: <output></output></p>
  <script type=module>${script.replaceAll('</script', String.raw`<\/script`)}</script>`;
const rig = actingRig((name) => (name === 'answer' ? 'yes' : name === 'queue' ? page : null));

const WAYS = [
  ...['in a microtask', 'in a frame', 'after an answer', 'in a frame after an answer'],
  ...['after two answers', 'with React', 'with an effect of React', 'with an effect of Preact'],
  ...['with Vue', 'with Lit'],
];

describe.each(['front', 'hidden'])('in a %s tab', (where) => {
  it.each(sample(WAYS, WAYS.length))('removes the named items from a list that renders %s', async (way) => {
    // With another query, since a new hash alone does not reload the page.
    const tab = await rig.open(`queue?${WAYS.indexOf(way)}#${way}`, { front: where === 'front' });
    const { text: shown } = await rig.server.call('read_page', { tab, format: 'snapshot' });
    const steps = ['Bread', 'Cheese', 'Eggs'].map((item) => {
      const [, ref] = new RegExp(String.raw`\b(e\d+) button Remove ${item}`).exec(shown) ?? [];
      expect(ref, shown).toBeDefined();
      return `click ${ref}`;
    });
    const answer = await rig.act(tab, ...steps);
    expect(answer.text).toMatch(/^done 3\n/);
    expect(await rig.text(tab)).toContain('Removed: Bread Cheese Eggs');
    // The receipt was made after the page had rendered the last step.
    expect(answer.text).toMatch(/ button Remove Figs \(was Remove Cheese\)$/m);
    await rig.close(tab);
  });
});

it('leaves the loads by which it measures the page out of a capture', async () => {
  const tab = await rig.open('queue?captured#after an answer');
  await rig.server.call('network', { action: 'start', tab });
  await rig.act(tab, 'click "Remove Bread"');
  const { text } = await rig.server.call('network', { action: 'slice', tab });
  expect(text).toContain('/answer');
  expect(text).not.toContain('blob:');
});
