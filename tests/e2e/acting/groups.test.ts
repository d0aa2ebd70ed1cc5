import { expect, it } from 'vitest';
import { actingRig } from './rig.ts';

/* A group of check boxes is one field: it holds the values that are given. */
const GROUPS: Readonly<Record<string, string>> = {
  boxes: `<fieldset><legend>Toppings</legend><label><input type=checkbox value=h>Ham</label>
    <label><input type=checkbox value=o>Olives</label><label><input type=checkbox value=c checked>Capers</label></fieldset>`,
  roles: `<div role=group aria-label=Toppings>${['Ham', 'Olives', 'Capers']
    .map(
      (name) =>
        `<span role=checkbox tabindex=0 aria-checked=${name === 'Capers'} onclick="this.ariaChecked = this.ariaChecked !== 'true'">${name}</span> `,
    )
    .join('')}</div>`,
};
const rig = actingRig((name) => GROUPS[name] ?? null);

it.each(Object.keys(GROUPS))('%s', async (page) => {
  const tab = await rig.open(page);
  const holds = async (values: readonly string[]): Promise<readonly string[]> => {
    const answer = await rig.server.call('interact', { tab, fields: { Toppings: values }, show: 'snapshot' });
    expect(answer.isError, answer.text).toBe(false);
    return answer.text.match(/(?<=checkbox \[checked\] )\w+/g) ?? [];
  };
  expect(await holds(['Ham', 'Olives'])).toEqual(['Ham', 'Olives']);
  expect(await holds(['Olives'])).toEqual(['Olives']);
  expect(await holds([])).toEqual([]);
  await rig.close(tab);
});
