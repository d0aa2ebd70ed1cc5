import type { JSX } from 'preact';
import type { Shown } from '../model/answer.ts';
import type { WidgetProps } from './card.tsx';
import { AnyResult } from './result.tsx';

/** Records with all their fields, and a way to take them elsewhere. */
export const RecordsResult = (props: WidgetProps & { readonly shown: Shown }): JSX.Element => (
  <AnyResult {...props} canExport />
);
