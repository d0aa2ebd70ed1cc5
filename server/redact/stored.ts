import { z } from 'zod';
import { Json, JsonRecord } from '../../shared/json-schema.ts';
import { vouch, type CleanJson, type CleanRecord } from './mark.ts';

/*
 * Schemas of what a store of ours gives back. Its writers take clean values only, so what it holds is
 * clean. `npm run lint:tier` names the stores that may import this.
 */

export const StoredText = z.string().transform((text) => vouch(text));
export const StoredJson = Json.transform((value): CleanJson => vouch(value));
export const StoredRecord = JsonRecord.transform((value): CleanRecord => vouch(value));
