import { expect, it } from 'vitest';
import { actingRig } from './rig.ts';

/* How long the end of an act is waited for: until its page has stopped changing. */
const WIDGET = `<div id=outer></div><script>
  const mode = new URLSearchParams(location.search).get('mode');
  const inner = document.createElement('div');
  outer.attachShadow({ mode }).append(inner);
  const root = inner.attachShadow({ mode });
  root.innerHTML = '<button>Add</button><ul></ul>';
  const add = (n) => {
    root.querySelector('ul').append(Object.assign(document.createElement('li'), { textContent: 'Item ' + n }));
    if (n < 12) setTimeout(add, 10, n + 1);
  };
  root.querySelector('button').onclick = async () => { await fetch('/answer'); add(1); };
</script>`;
const rig = actingRig((name) => (name === 'widget' ? WIDGET : name === 'answer' ? 'yes' : null));

// The page's timers are what is tested; the test itself never sleeps. In front, or the browser stretches them.
it.each(['open', 'closed'])('an act lasts as long as nested %s shadow trees change', async (mode) => {
  const tab = await rig.open(`widget?mode=${mode}`, { front: true });
  const { text } = await rig.act(tab, 'click role=button[name="Add"]');
  expect(text).toMatch(/\bItem 12$/m);
  await rig.close(tab);
});
