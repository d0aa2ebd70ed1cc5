import './zod-setup.ts';
import { render } from 'preact';
import { chooseHost } from './host/choose.ts';
import { RunWidget, type World } from './model/widget.ts';
import { RunView } from './view/run-view.tsx';

const root = document.querySelector<HTMLElement>('#run');
if (root !== null) show(root);

function show(root: HTMLElement): void {
  const host = chooseHost(window);
  const widget = new RunWidget(host, pageWorld(root));
  render(<RunView widget={widget} />, root);
  // The content's own height: the window's is what the host has given so far.
  const sizes = new ResizeObserver(() => host.reportHeight(Math.ceil(root.getBoundingClientRect().height)));
  void widget.start().then(() => sizes.observe(root));
}

/** The page as the widget meets it. */
function pageWorld(root: HTMLElement): World {
  let isInView = true;
  const isHidden = (): boolean => document.hidden || !isInView;
  return {
    isHidden,
    onVisibility(listener) {
      document.addEventListener('visibilitychange', () => listener(isHidden()));
      new IntersectionObserver((entries) => {
        isInView = entries.at(-1)?.isIntersecting ?? true;
        listener(isHidden());
      }).observe(root);
    },
    setTimer(run, delayMs) {
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    },
    applyTheme(theme) {
      if (theme === null) delete document.documentElement.dataset['theme'];
      else document.documentElement.dataset['theme'] = theme;
    },
    applyStyle(variables) {
      for (const [name, value] of Object.entries(variables))
        if (value !== undefined && /^--(?:color|font)-[a-z0-9-]+$/.test(name))
          document.documentElement.style.setProperty(name, value);
    },
  };
}
