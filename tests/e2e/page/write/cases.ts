import type { ReadPageOptions } from '../../../../shared/tools/read_page/options.ts';

/** What is read, what has to be written for it, and how it is asked for. */
type ReadCase = readonly [html: string, expected: string, options?: Partial<ReadPageOptions>];

/** Cases by area and title. */
export type ReadCases = Readonly<Record<string, Readonly<Record<string, ReadCase>>>>;

/** A picture of one pixel that loads without a request. */
export const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

export const lines = (...all: readonly string[]): string => all.join('\n');
