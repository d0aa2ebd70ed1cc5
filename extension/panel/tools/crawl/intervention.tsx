import { EditForm } from '../../components/edit-form.tsx';
import type { FacesOf, Intervention } from '../face.ts';
import { words } from './face-words.ts';

/** Where a crawl starts, what it may reach, and when it stops. */
const Reach: Intervention = ({ language, args, onEdit }) => {
  const { intervention: text } = words[language];
  const number = (name: string, label: string, least: number, most: number) =>
    ({ kind: 'number', path: [name], label, least, most, otherwise: text.number(least, most) }) as const;
  const { scope } = args;
  return (
    <EditForm
      args={args}
      onEdit={onEdit}
      fields={[
        { kind: 'text', path: ['url'], label: text.url },
        { kind: 'lines', path: ['urls'], label: text.urls },
        { kind: 'text', path: ['sitemap'], label: text.sitemap },
        number('max_pages', text.maxPages, 1, 1_000_000),
        number('max_depth', text.maxDepth, 0, 1_000),
        scope === 'origin' || scope === 'host'
          ? {
              kind: 'choice',
              path: ['scope'],
              label: text.scope,
              choices: [
                ['origin', text.origin],
                ['host', text.host],
              ],
            }
          : { kind: 'text', path: ['scope'], label: text.scopeGlob },
        { kind: 'lines', path: ['include'], label: text.include },
        { kind: 'lines', path: ['exclude'], label: text.exclude },
        { kind: 'check', path: ['respect_robots'], label: text.robots },
      ]}
    />
  );
};

export const faces: FacesOf<Intervention> = { crawl: Reach };
