import './zod-setup.ts';
import { effect } from '@preact/signals';
import { render } from 'preact';
import { chooseHost } from './host.ts';
import { ToolWidget } from './model/tool-widget.ts';
import { Card, type Renders } from './view/card.tsx';

/**
 * Shows a widget in its page.
 * @param name of its folder
 * @param renders of the widget's tools: they show its answers
 */
export function startWidget(name: string, renders: Renders): void {
  const root = document.querySelector('main');
  if (root === null) throw new Error('The page has no main part.');
  const host = chooseHost(window, name);
  let isInView = true;
  const isHidden = (): boolean => document.hidden || !isInView;
  const widget = new ToolWidget(host, {
    locale: navigator.language,
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
  });
  effect(() => {
    document.documentElement.lang = widget.language.value;
    document.title = `Spillway: ${widget.title.value}`;
    root.setAttribute('aria-label', document.title);
  });
  render(<Card widget={widget} renders={renders} />, root);
  // The content's own height: the window's is only what the host has given so far.
  const sizes = new ResizeObserver(() => host.reportHeight(Math.ceil(root.getBoundingClientRect().height)));
  void widget.start().then(() => sizes.observe(root));
}
