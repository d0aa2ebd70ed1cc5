import type { JsonObject, JsonValue } from '../../shared/json.ts';

/*
 * What may leave the server or be kept is marked in its type. The mark exists for the compiler alone:
 * a sink that takes `Clean` cannot be given a text that no redactor has seen.
 */

declare const CLEAN: unique symbol;

/** Text that a redactor has seen, or that Spillway wrote itself. */
export type CleanText = string & { readonly [CLEAN]: true };

/**
 * A value whose every text is clean. Only `string` needs the mark: a union of literals, a number or
 * a boolean holds nothing of a page. An object made of clean parts is clean without a cast.
 */
export type Clean<T> = JsonValue extends T ? CleanJson | Extract<T, undefined> : CleanPart<T>;

type CleanPart<T> = T extends string
  ? string extends T
    ? CleanText
    : T
  : T extends number | boolean | null | undefined
    ? T
    : JsonObject extends T
      ? CleanRecord
      : { readonly [Key in keyof T]: Clean<T[Key]> };

/** Any JSON value of clean texts. */
export type CleanJson = CleanText | number | boolean | null | readonly CleanJson[] | CleanRecord;

/** UTF-8 of clean text. */
export type CleanBytes = Buffer & { readonly [CLEAN]: true };

/** A JSON object of clean members. */
export interface CleanRecord {
  readonly [key: string]: CleanJson | undefined;
}

/** Encodes clean text as UTF-8. */
export const encode = (text: CleanText): CleanBytes => Buffer.from(text) as CleanBytes;

/**
 * Marks a value as clean. Only this folder may import it (`npm run lint:tier`): elsewhere a value
 * becomes clean by a redactor, or by being joined from clean parts.
 */
export function vouch<T>(value: T): Clean<T> {
  // The mark has no trace at run time.
  return value as Clean<T>;
}

/** Marks a value whose type `Clean` cannot follow, such as a stream. `vouch` says who may import it. */
export function vouchAs<T, Marked extends T>(value: T): Marked {
  return value as Marked;
}
