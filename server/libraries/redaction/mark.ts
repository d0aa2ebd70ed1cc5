import type { JsonObject, JsonValue } from '../../../shared/base/json.ts';
import { z } from 'zod';
import { Json, JsonRecord } from '../../../shared/base/json-schema.ts';

/*
 * Data that may leave the server or be kept is marked in its type. The mark exists only for the compiler: a sink that
 * takes `Clean` cannot be given a text that no redactor has seen.
 */

declare const CLEAN: unique symbol;

/** Text that a redactor has seen, or that Spillway wrote itself. */
export type CleanText = string & { readonly [CLEAN]: true };

/**
 * A value in which every text is clean. Only `string` needs the mark: a union of literals, a number or a
 * boolean contains nothing from a page. An object made of clean parts is clean without a cast.
 */
export type Clean<T> = [T] extends [CleanJson | undefined]
  ? T
  : JsonValue extends T
    ? CleanJson | Extract<T, undefined>
    : CleanPart<T>;

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

/** A JSON object of clean members. */
export interface CleanRecord {
  readonly [key: string]: CleanJson | undefined;
}

/** UTF-8 of clean text, or bytes that cannot be redacted: pictures, archives. */
export type CleanBytes = Uint8Array & { readonly [CLEAN]: true };

/** Marks bytes as clean; the same rule applies as for {@link vouch}. */
export function vouchBytes(bytes: Uint8Array): CleanBytes {
  return bytes as CleanBytes;
}

/**
 * Marks a value as clean. `npm run lint:tier` lists the modules that may import it: this folder, and those
 * that read back or forward clean data. Elsewhere a value becomes clean through a redactor, or by joining
 * clean parts.
 */
export function vouch<T>(value: T): Clean<T> {
  // The mark has no trace at run time.
  return value as Clean<T>;
}

/** Marks each value of a source as clean; the source stays the same object. */
export function vouchEach<T>(source: AsyncIterable<T>): AsyncIterable<Clean<T>> {
  return source as AsyncIterable<Clean<T>>;
}

/** Marks each chunk of bytes as clean; the source stays the same object. */
export function vouchEachBytes(source: AsyncIterable<Uint8Array>): AsyncIterable<CleanBytes> {
  return source as AsyncIterable<CleanBytes>;
}

/** Marks a value whose type {@link Clean} cannot follow, such as a payload of streams. */
export function vouchAs<T, Marked extends T>(value: T): Marked {
  return value as Marked;
}

/*
 * Schemas of what a store of ours gives back. Its writers take clean values only, so what it holds is
 * clean. `npm run lint:tier` names the stores that may import this.
 */

export const StoredText = z.string().transform((text) => vouch(text));
export const StoredJson = Json.transform((value): CleanJson => vouch(value));
export const StoredRecord = JsonRecord.transform((value): CleanRecord => vouch(value));
