import type { JSX } from 'preact';
import type { JsonValue } from '../../../shared/json.ts';
import { CopyButton } from './copy-button.tsx';
import { toCsv } from '../../../shared/csv.ts';
import { useWords } from './words.ts';

/** Copies the items that are shown, for a program or for a table. */
export function RecordCopy({ rows }: { readonly rows: readonly JsonValue[] }): JSX.Element {
  const words = useWords();
  const csv = toCsv(rows);
  const label = words.copyOf(rows.length);
  return (
    <div class="c-actions">
      <CopyButton text={JSON.stringify(rows, null, 2)} name={words.copyAs('JSON')} label={label} />
      {csv !== null && <CopyButton text={csv} name={words.copyAs('CSV')} label={label} />}
    </div>
  );
}
