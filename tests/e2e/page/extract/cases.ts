import type { JsonObject, JsonValue } from '../../../../shared/json.ts';
import type { STRATEGIES } from '../../../../shared/extract/plan.ts';

/** What is looked for: a schema a field, or the name of its type. */
export type Fields = Readonly<Record<string, string | JsonObject>>;

export interface ExtractOptions {
  readonly strategies?: (typeof STRATEGIES)[number][];
  readonly selectors?: Readonly<Record<string, JsonValue>>;
  readonly scope?: string;
  /** Many records unless said. */
  readonly multiple?: boolean;
}

/** A page, the fields of a record, and the records before coercion, or the error. */
type ExtractCase = readonly [
  html: string,
  fields: Fields,
  expected: readonly Readonly<Record<string, JsonValue>>[] | string,
  options?: ExtractOptions,
];

export type ExtractCases = Readonly<Record<string, Readonly<Record<string, ExtractCase>>>>;

export const script = (value: unknown): string =>
  `<script type="application/ld+json">${typeof value === 'string' ? value : JSON.stringify(value)}</script>`;

export const ONE = { multiple: false } as const;
