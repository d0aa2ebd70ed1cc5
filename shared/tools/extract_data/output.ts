import { z } from 'zod';
import { OutputDescriptor } from '../../output/descriptor.ts';
import { RunAnswerFields } from '../run-answer.ts';

const OTHERS = [...Object.keys(RunAnswerFields.shape), ...Object.keys(OutputDescriptor.shape)];

/**
 * A record, `{ items }`, a run or a descriptor. The caller's schema names the fields of a record, and
 * may name them as those of the others: so none of them has a type.
 */
export const ExtractDataFields = z.looseObject(
  Object.fromEntries(OTHERS.map((key) => [key, z.unknown().optional()])),
);
