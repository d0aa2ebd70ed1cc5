import { sample } from '../../support/depth.ts';
import { expect, it } from 'vitest';
import { actingRig } from './rig.ts';

/** A page in which `#card` is dragged to `#zone`, unless a step says otherwise, and its output afterwards. */
interface DragCase {
  readonly page: string;
  readonly step?: string;
  readonly shows?: string;
  readonly says?: RegExp;
}

const CARD =
  '<div id=card style="position:absolute;left:10px;top:60px;width:80px;height:40px;background:#ccf">Card</div>';
const ZONE =
  '<div id=zone style="position:absolute;left:300px;top:200px;width:150px;height:100px;background:#eee">Zone</div>';
/** Reports whether the pointer was released in the zone's box. */
const JUDGE = `const judge = (e) => {
  const { left, top, right, bottom } = zone.getBoundingClientRect();
  out.textContent = e.clientX > left && e.clientX < right && e.clientY > top && e.clientY < bottom ? 'inside' : 'outside';
};`;
/** The card follows the pointer, and so receives the release. */
const FOLLOWS = `card.onmousedown = () => {
  const move = (e) => { card.style.left = e.clientX - 40 + 'px'; card.style.top = e.clientY - 20 + 'px'; };
  addEventListener('mousemove', move);
  addEventListener('mouseup', (e) => { removeEventListener('mousemove', move); judge(e); }, { once: true });
};`;
const script = (code: string): string => `<output id=out></output><script>${JUDGE}${code}</script>`;
const both = (code: string): string => `${CARD}${ZONE}${script(code)}`;
/** Rows that swap places with the dragged one once it is past their middles. */
const ROWS = `<style>#rows div{height:40px;width:200px;background:#efe}</style><div id=rows>${[...'ABCD'].map((name) => `<div id=${name}>Row ${name}</div>`).join('')}</div>${script(`
  rows.onmousedown = (e) => {
    const row = e.target;
    let last = e.clientY;
    const move = (e) => {
      for (const other of rows.children) {
        const { top, height } = other.getBoundingClientRect();
        const middle = top + height / 2;
        if (other === row || e.clientY < top || e.clientY > top + height) continue;
        if (e.clientY > last && e.clientY > middle) other.after(row);
        else if (e.clientY < last && e.clientY < middle) other.before(row);
      }
      last = e.clientY;
    };
    addEventListener('mousemove', move);
    addEventListener('mouseup', () => {
      removeEventListener('mousemove', move);
      out.textContent = [...rows.children].map(({ id }) => id).join('');
    }, { once: true });
  };`)}`;

const CASES: Readonly<Record<string, string | DragCase>> = {
  'what is dragged lies over the target': both(FOLLOWS),
  'a layer comes up over all of the page': both(`card.onmousedown = () => {
      const layer = document.createElement('div');
      layer.style = 'position:fixed;inset:0';
      document.body.append(layer);
      layer.onmouseup = (e) => { layer.remove(); judge(e); };
    };`),
  'the target takes no pointer during the drag': both(`${FOLLOWS}
    card.addEventListener('mousedown', () => { zone.style.pointerEvents = 'none'; });`),
  'the target moves when the drag begins': both(`${FOLLOWS}
      card.addEventListener('mousedown', () => { zone.style.top = '320px'; });`),
  'it begins only when the button has been down for a while': both(`card.onmousedown = () => {
      const timer = setTimeout(() => { card.style.background = '#f88'; addEventListener('mouseup', judge, { once: true }); }, 250);
      addEventListener('mouseup', () => clearTimeout(timer), { once: true });
    };`),
  'rows make room downwards': { page: ROWS, step: 'drag css=#A css=#C', shows: 'BCAD' },
  'rows make room upwards': { page: ROWS, step: 'drag css=#D css=#B', shows: 'ADBC' },
  'it is grabbed and let go at points': {
    page: both(`card.onmousedown = ({ offsetX, offsetY }) => {
      out.textContent = offsetX + ',' + offsetY;
      zone.onmouseup = ({ offsetX, offsetY }) => out.append(' to ' + offsetX + ',' + offsetY);
    };`),
    step: 'drag css=#card at 5,6 css=#zone at 20,30',
    shows: '5,6 to 20,30',
  },
  'it follows a path': {
    page: `<canvas id=card width=200 height=200></canvas>${script(`const turns = [];
      card.onmousedown = ({ offsetX, offsetY }) => { turns.push([offsetX, offsetY]); };
      card.onmousemove = ({ buttons, offsetX, offsetY }) => { if (buttons === 1) turns.push([offsetX, offsetY]); };
      card.onmouseup = () => {
        const has = (x, y) => turns.some((turn) => turn[0] === x && turn[1] === y);
        out.textContent = has(10, 10) && has(90, 10) && has(90, 60) && !has(50, 60) ? 'a corner' : JSON.stringify(turns);
      };`)}`,
    step: 'drag css=#card at 10,10 by 80,0 by 0,50',
    shows: 'a corner',
  },
  'a key is held': {
    page: both(`card.onmousedown = ({ shiftKey }) => { out.textContent = shiftKey; };
      zone.onmouseup = ({ shiftKey }) => out.append(' ' + shiftKey);`),
    step: 'Shift+drag css=#card css=#zone',
    shows: 'true true',
  },
  'the wheel turns with a key held': {
    page: both(
      `zone.onwheel = ({ ctrlKey, deltaY }) => { out.textContent = ctrlKey + ' ' + deltaY; return false; };`,
    ),
    step: 'Control+wheel css=#zone down 120',
    shows: 'true 120',
  },
  'the page takes touches only': {
    page: both(`card.addEventListener('touchmove', (e) => e.preventDefault());
      card.addEventListener('touchend', ({ changedTouches: [at] }) => judge(at));`),
    step: 'swipe css=#card css=#zone',
  },
  'its page tells the way of a finger': {
    page: both(`let from;
      card.addEventListener('touchstart', ({ touches: [at] }) => { from = at.clientX; });
      card.addEventListener('touchend', ({ changedTouches: [at] }) => { out.textContent = 'by ' + (at.clientX - from); });`),
    step: 'swipe css=#card right 120',
    shows: 'by 120',
  },
  'the page looks where the pointer is now and then': both(`card.onmousedown = () => {
      let at = [0, 0], seen = [0, 0];
      addEventListener('mousemove', (e) => { at = [e.clientX, e.clientY]; });
      const timer = setInterval(() => { seen = at; card.style.opacity = 0.5; }, 50);
      addEventListener('mouseup', () => { clearInterval(timer); judge({ clientX: seen[0], clientY: seen[1] }); }, { once: true });
    };`),
  'it begins once the button has been down for a while, and nearly still':
    both(`card.onmousedown = (down) => {
      const timer = setTimeout(() => { card.style.background = '#f88'; addEventListener('mouseup', judge, { once: true }); }, 250);
      addEventListener('mousemove', (e) => { if (Math.hypot(e.clientX - down.clientX, e.clientY - down.clientY) > 5) clearTimeout(timer); });
    };`),
  'its page draws the target again as it is dropped': {
    page: `<div id=list></div>${script(`let drops = 0;
      const draw = () => { list.innerHTML = '<div id=card draggable=true style="height:40px">Card</div><div id=zone style="height:40px">Zone</div>'; };
      addEventListener('dragover', (e) => e.preventDefault(), true);
      addEventListener('drop', () => { drops += 1; draw(); out.textContent = drops + ' drops'; }, true);
      draw();`)}`,
    shows: '1 drops',
  },
  'it is grabbed at a handle far from the middle of its row': {
    page: `<div id=rows>${[...'ABCD'].map((name) => `<div id=${name} style="height:40px"><i id=h${name} style="display:inline-block;width:20px;height:20px"></i>${name}</div>`).join('')}</div>${script(`
      rows.onmousedown = ({ target }) => {
        const row = target.closest('div');
        rows.onmousemove = ({ target, clientY }) => {
          const over = target.closest('#rows > div'), { top, height } = over.getBoundingClientRect();
          if (over !== row) over[clientY - top > height / 2 ? 'after' : 'before'](row);
        };
        addEventListener('mouseup', () => { rows.onmousemove = null; out.textContent = [...rows.children].map(({ id }) => id).join(''); }, { once: true });
      };`)}`,
    step: 'drag css=#hA css=#D',
    shows: 'BCDA',
  },
  'the page scrolls while the pointer is near its edge': {
    page: `<div id=rows style="margin-top:calc(100vh - 165px);height:3000px;overflow-anchor:none">${[...'ABCD'].map((name) => `<div id=${name} style="height:40px">Row ${name}</div>`).join('')}</div>${script(`
      rows.onmousedown = ({ target: row, clientY: from }) => {
        let at = null;
        rows.onmousemove = ({ clientX, clientY }) => {
          row.style.opacity = 0.5;
          if (Math.abs(clientY - from) > 3) at = [clientX, clientY];
        };
        const scrolls = setInterval(() => { if (at?.[1] > innerHeight - 40) scrollBy(0, 10); }, 10);
        const sorts = setInterval(() => {
          const over = at && document.elementFromPoint(...at)?.closest('#rows > div'), all = [...rows.children];
          if (over && over !== row) over[all.indexOf(row) < all.indexOf(over) ? 'after' : 'before'](row);
        }, 50);
        addEventListener('mouseup', () => {
          [scrolls, sorts].forEach(clearInterval);
          out.textContent = [...rows.children].map(({ id }) => id).join('');
        }, { once: true });
      };`)}`,
    step: 'drag css=#D css=#A',
    shows: 'DABC',
  },
  'nothing moves': { page: `${CARD}${ZONE}`, shows: 'Zone', says: /no visible movement/ },
  "the target is in another site's frame": {
    page: '<div id=lift>Lift</div><iframe src="http://b.test:PORT/nothing moves" width=500 height=400></iframe>',
    step: 'drag css=#lift css=#zone',
    shows: '',
    says: /"code":"target_unsuitable"/,
  },
  'something covered the target before': {
    page: `${CARD}${ZONE}<div style="position:absolute;left:280px;top:180px;width:300px;height:300px;background:#fff">Cover</div>${script(FOLLOWS)}`,
    shows: '',
    says: /"code":"target_covered"/,
  },
};

const rig = actingRig((name) => {
  const one = CASES[name];
  const page = typeof one === 'string' ? one : one?.page;
  return page === undefined ? null : `<!doctype html><title>${name}</title><body style="margin:0">${page}`;
});

it.concurrent.each(sample(Object.entries(CASES), 5))('a gesture arrives though %s', async (name, one) => {
  const given: Partial<DragCase> = typeof one === 'string' ? {} : one;
  const { step = 'drag css=#card css=#zone', shows = 'inside', says = /^done 1/ } = given;
  const tab = await rig.open(name);
  const answer = await rig.act(tab, step);
  expect(answer.text).toMatch(says);
  const text = await rig.text(tab);
  if (shows === '') expect(text).not.toContain('inside');
  else expect(text).toContain(shows);
  await rig.close(tab);
});
