import { click, SAVE, type TargetCases } from './target-case.ts';

const ok = { shows: 'pressed save;' };

/** Targets that are hard to reach, and are reached. */
export const WORKS: TargetCases = {
  plain: { page: SAVE, steps: click, ...ok },
  'far below': {
    page: `<div style="height:5000px"></div>${SAVE}<div style="height:5000px"></div>`,
    steps: click,
    ...ok,
  },
  'at the end of a list that loads more': {
    page: `<ol id=list></ol><p id=end style="height:20px">More</p><script>
      let batch = 0;
      const more = () => {
        batch += 1;
        if (batch > 5) return;
        for (let at = 0; at < 20; at += 1) list.insertAdjacentHTML('beforeend', '<li style="height:60px">Entry ' + ((batch - 1) * 20 + at) + '</li>');
        if (batch === 5) list.insertAdjacentHTML('beforeend', '<li><button id=save onclick="out.append(\`pressed save;\`)">Save</button></li>');
      };
      new IntersectionObserver(([entry]) => { if (entry.isIntersecting) fetch(location.href).then(more); }).observe(end);
    </script>`,
    steps: ['scroll css=#save', ...click],
    ...ok,
  },
  'at the end of a list that loads more only when its end comes into view': {
    page: `<div style="height:5000px"></div><ol id=list></ol><p id=end>More</p><script>
      const more = () => {
        const isLast = list.childElementCount === 3;
        list.insertAdjacentHTML('beforeend', isLast ? '<li><button id=save onclick="out.append(\`pressed save;\`)">Save</button></li>' : '<li>Entry</li>');
      };
      // Entries are so low that the end stays within the margin.
      const options = { rootMargin: '2000px' };
      new IntersectionObserver(([entry]) => { if (entry.isIntersecting && list.childElementCount < 4) fetch(location.href).then(more); }, options).observe(end);
    </script>`,
    steps: ['scroll css=#save', ...click],
    ...ok,
  },
  'right to left': {
    page: `<html dir=rtl><div style="width:5000px;text-align:left">${SAVE}</div>`,
    steps: click,
    ...ok,
  },
  'smooth scrolling': {
    page: `<style>html{scroll-behavior:smooth}</style><div style="height:5000px"></div>${SAVE}<div style="height:900px"></div>`,
    steps: click,
    ...ok,
  },
  'scrolling that snaps': {
    page: `<style>html{scroll-snap-type:y mandatory}div{height:100vh;scroll-snap-align:start}</style><div></div><div></div><div style="padding-top:60vh">${SAVE}</div><div></div>`,
    steps: click,
    ...ok,
  },
  'boxes that scroll in boxes': {
    page: `<div style="height:200px;overflow:auto"><div style="height:900px"></div><div style="height:150px;overflow:auto"><div style="height:700px"></div>${SAVE}<div style="height:700px"></div></div><div style="height:900px"></div></div>`,
    steps: click,
    ...ok,
  },
  'a sticky header': {
    page: `<header id=head style="position:sticky;top:0;height:120px;background:#eee">Head</header><div style="height:3000px"></div>${SAVE}<div style="height:3000px"></div><footer id=foot style="position:fixed;bottom:0;left:0;right:0;height:55vh;background:#eee">Foot</footer>`,
    steps: click,
    ...ok,
  },
  "another site's frame that is covered for a moment": {
    page: `<iframe src="http://b.test:PORT/works/plain"></iframe><div id=glass style="position:fixed;inset:0"></div><script>setTimeout(() => glass.remove(), 800)</script>`,
    steps: click,
    ...ok,
  },
  'half covered': {
    page: `<button id=save style="width:300px;height:40px">Save</button><div id=half style="position:absolute;left:0;top:0;width:230px;height:80px;background:#eee"></div>`,
    steps: click,
    ...ok,
  },
  'larger than the window': {
    page: '<div style="height:3000px"></div><button id=save style="width:9000px;height:9000px">Save</button>',
    steps: click,
    ...ok,
  },
  'a link on two lines': {
    page: '<p style="width:160px"><a id=wrong href="#w">wrong wrong</a> <a id=save href="#s">several words which wrap</a> <a id=wrong2 href="#w">wrong wrong wrong</a></p>',
    steps: click,
    ...ok,
  },
  'display: contents': {
    page: '<div id=save style="display:contents"><b>Save</b></div>',
    steps: click,
    ...ok,
  },
  'a part of a drawing': {
    page: '<svg width=200 height=200><rect id=back width=200 height=200 fill=#eee /><circle id=save cx=100 cy=100 r=30 /></svg>',
    steps: click,
    ...ok,
  },
  'a drawing in a button': {
    page: '<button id=save><svg width=40 height=40 style="pointer-events:none"><path id=icon d="M0 0h40v40z"/></svg></button>',
    steps: ['click css=#icon'],
    ...ok,
  },
  'an area of an image': {
    page: `<img usemap="#m" width=200 height=100 src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><map name=m><area id=left shape=rect coords="0,0,100,100" href="#l" alt=Left><area id=save shape=rect coords="100,0,200,100" href="#r" alt=Right></map>`,
    steps: click,
    ...ok,
  },
  "another site's frame that is off screen": {
    page: `<div style="height:4000px"></div><iframe src="http://b.test:PORT/works/far below"></iframe>`,
    steps: click,
    ...ok,
  },
  'a zoomed page': {
    page: `<style>html{zoom:1.7}</style><div style="height:2000px"></div>${SAVE}`,
    steps: click,
    ...ok,
  },
  'a pulse without end': {
    page: `<style>@keyframes p{from{opacity:.3}to{opacity:1}}#save{animation:p 1s infinite}</style>${SAVE}`,
    steps: click,
    ...ok,
  },
  'after it has slid in': {
    page: `<style>@keyframes s{from{transform:translateX(500px)}to{transform:none}}#save{animation:s .4s}</style>${SAVE}`,
    steps: click,
    ...ok,
  },
  'a handler that blocks': {
    page: '<button id=save onclick="const t=Date.now();while(Date.now()-t<2000);">Save</button>',
    steps: click,
    ...ok,
  },
  'a page that stops events': {
    page: `<script>for (const t of ['pointerdown','mousedown','pointerup','mouseup']) window.addEventListener(t, (e) => e.stopPropagation(), true)</script>${SAVE}`,
    steps: click,
    ...ok,
  },
  'a navigation as the button goes down': {
    page: '<a id=save href="/works/plain" onmousedown="location=this.href">Go</a>',
    steps: ['click css=#save', 'click css=button'],
    ...ok,
  },
  'a check box that its label draws': {
    page: '<style>#box{position:absolute;opacity:0;width:0;height:0}</style><input type=checkbox id=box onchange="out.append(box.checked)"><label for=box>News</label>',
    steps: ['check css=#box'],
    shows: 'true',
  },
};
