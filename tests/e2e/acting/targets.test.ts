import { describe, expect, it } from 'vitest';
import { WORKS } from './reached-targets.ts';
import { REFUSED } from './refused-targets.ts';
import { actingRig } from './rig.ts';
import type { TargetCases } from './target-case.ts';

/** Every element with an id but the output tells what was pressed, once. */
const TELL = `<output id=out></output><script>
  for (const el of document.querySelectorAll('[id]:not(output)'))
    el.addEventListener('click', (event) => { if (event.target.closest('[id]') === el) out.append('pressed ' + el.id + ';'); });
</script>`;
const GROUPS: Readonly<Record<string, TargetCases>> = { ...REFUSED, works: WORKS };
const rig = actingRig((path) => {
  const [group = '', name = ''] = path.split('/');
  const page = GROUPS[group]?.[name]?.page;
  return page === undefined ? null : `<!doctype html><title>${name}</title>${page}${TELL}`;
});

describe.each(Object.entries(GROUPS))('a target that is %s', (group, cases) => {
  it.concurrent.each(Object.entries(cases))(
    '%s',
    { timeout: 60_000 },
    async (name, { steps, code, says, shows = '' }) => {
      const tab = await rig.open(`${group}/${name}`);
      const answer = await rig.act(tab, ...steps);
      const pressed = [...(await rig.text(tab)).matchAll(/pressed \w+;/g)].join('');
      expect({ code: answer.code(), text: answer.text }).toEqual({ code, text: answer.text });
      if (says !== undefined) expect(answer.text).toMatch(says);
      if (shows.startsWith('pressed') || shows === '') expect(pressed).toBe(shows);
      else expect(await rig.text(tab)).toContain(shows);
      await rig.close(tab);
    },
  );
});
