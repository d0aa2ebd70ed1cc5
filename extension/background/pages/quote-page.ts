import { cut } from '../../../shared/cut.ts';

/** Text of a page for a message: in quotes, so that an agent does not take it for Spillway's. */
export const quotePage = (text: string, mostUnits: number): string =>
  JSON.stringify(cut(text, mostUnits).toWellFormed());
