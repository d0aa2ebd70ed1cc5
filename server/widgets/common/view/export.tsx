import type { JSX } from 'preact';
import { CopyButton } from '../../../../extension/panel/components/copy-button.tsx';
import type { JsonValue } from '../../../../shared/json.ts';
import { toCsv } from '../model/csv.ts';
import type { ToolWidget } from '../model/tool-widget.ts';

interface Props {
  readonly widget: ToolWidget;
  readonly rows: readonly JsonValue[];
}

/** Copies the items that are shown, for a program or for a table. */
export function Export({ widget, rows }: Props): JSX.Element | null {
  const { value: words } = widget.words;
  if (rows.length === 0) return null;
  const csv = toCsv(rows);
  const label = words.exportOf(rows.length);
  return (
    <div class="export">
      <CopyButton text={JSON.stringify(rows, null, 2)} name={words.copyAs('JSON')} label={label} />
      {csv !== null && <CopyButton text={csv} name={words.copyAs('CSV')} label={label} />}
    </div>
  );
}
