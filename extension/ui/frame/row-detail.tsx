import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../kit.tsx';
import { onEscape, usePanelWords } from './panel-context.tsx';

interface RowDetailProps {
  readonly title: string;
  /** Next to its title. */
  readonly buttons?: ComponentChildren;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** The selected row in full, below its list. The focus returns from it to the list. */
export function RowDetail({ title, buttons, onClose, children }: RowDetailProps) {
  const { close } = usePanelWords();
  const section = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { current } = section;
    return () => {
      if (current?.contains(document.activeElement) === true)
        current.parentElement?.querySelector<HTMLElement>('.list')?.focus();
    };
  }, []);
  return (
    <section class="detail" aria-labelledby="detail-title" ref={section} onKeyDown={onEscape(onClose)}>
      <div class="line title">
        <h2 id="detail-title">{title}</h2>
        {buttons}
        <Button onClick={onClose}>{close}</Button>
      </div>
      {children}
    </section>
  );
}
