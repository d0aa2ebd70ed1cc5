import type { z } from 'zod';
import { isJsonList, isObject, lookUp, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { CallAnswer } from '../bridge/answers.ts';
import type { TOOL_MANIFESTS } from './manifests.generated.ts';
import SHAPES from './shapes.generated.json';

/*
 * The members of an answer that faces read. Its tool's manifest types them, and `shapes.generated.json` has their shapes
 * to check it by: the schemas themselves would bring all of Zod into pages.
 */

type Manifest = (typeof TOOL_MANIFESTS)[number];
export type ShownTool = Manifest['name'];
type ManifestOf<Tool extends ShownTool> = Extract<Manifest, { readonly name: Tool }>;

/** JSON that fits a schema, without members that the schema does not name. */
type FromJson<T> = unknown extends T
  ? JsonValue
  : T extends readonly (infer Item)[]
    ? readonly FromJson<Item>[]
    : T extends object
      ? Members<[Named<T>] extends [never] ? T : Pick<T, Named<T>>>
      : T;
type Members<T> = { readonly [Name in keyof T]: FromJson<T[Name]> };
type Named<T> = keyof { [Name in keyof T as string extends Name ? never : Name]: true };

/** A mode may leave out any member of an answer, and so may a server of another version. */
type Shown<Schema> = Schema extends z.ZodType ? Optional<FromJson<z.output<Schema>>> : Optional<unknown>;
type Optional<T> = { readonly [Name in keyof T]?: T[Name] | undefined };

export type ShownValue<Tool extends ShownTool> = Shown<
  ManifestOf<Tool>['shown'] extends { readonly value: infer Value } ? Value : ManifestOf<Tool>['output']
>;
export type ShownState<Tool extends ShownTool> = Shown<
  ManifestOf<Tool>['shown'] extends { readonly state: infer State } ? State : null
>;

/**
 * A schema in short: types, or values as JSON, with `|` between them; a list with the shape of its items, or with
 * several alternatives; or members, of which `name?` may be missing and `*` is any.
 */
export type Shape = string | readonly Shape[] | { readonly [name: string]: Shape };

/** Whether a value has a shape. */
function fitsShape(value: JsonValue, shape: Shape): boolean {
  if (typeof shape === 'string') {
    const types = ['any', value === null ? 'null' : typeof value];
    return shape.split('|').some((one) => types.includes(one) || one === JSON.stringify(value));
  }
  if (isList(shape)) {
    if (shape.length > 1) return shape.some((one) => fitsShape(value, one));
    return isJsonList(value) && value.every((item) => shape.every((one) => fitsShape(item, one)));
  }
  if (!isObject(value)) return false;
  return Object.entries(shape).every(([name, member]) => {
    if (name === '*') return Object.values(value).every((one) => one === undefined || fitsShape(one, member));
    const own = lookUp(value, name.replace('?', ''));
    return own === undefined ? name.endsWith('?') : fitsShape(own, member);
  });
}

const isList = (shape: Shape): shape is readonly Shape[] => Array.isArray(shape);

const isOf = <T>(value: JsonObject, shape: Shape): value is JsonObject & T => fitsShape(value, shape);

/** An answer that has the types of its tool's manifest. */
export interface ShownAnswer<Tool extends ShownTool> {
  /** The members of a JSON answer; a list is its `items`. */
  readonly value: ShownValue<Tool>;
  /** An answer in words. */
  readonly text: string;
  /** Survives failure, unlike the value. */
  readonly state: ShownState<Tool>;
  /** False if the tool's face does not show the state. */
  readonly hasState: boolean;
}

type Shapes = { readonly [Part in 'value' | 'state']?: { readonly [name: string]: Shape } };

/** @returns null for an answer of another shape, as a server of another version may give it */
export function readShown<Tool extends ShownTool>(
  tool: Tool,
  { value, state = {} }: Partial<Pick<CallAnswer, 'value' | 'state'>>,
): ShownAnswer<Tool> | null {
  const shapes: Shapes = (SHAPES as Readonly<Record<ShownTool, Shapes>>)[tool];
  const isText = value === undefined || typeof value === 'string';
  const shape = isText ? {} : shapes.value;
  if (shape === undefined || (isJsonList(value) && !('items?' in shape))) return null;
  const members = isJsonList(value) ? { items: value } : isText ? {} : value;
  const hasState = shapes.state !== undefined && fitsShape(state, shapes.state);
  const facts = hasState ? state : {};
  if (!isObject(members) || !isOf<ShownValue<Tool>>(members, shape)) return null;
  if (!isOf<ShownState<Tool>>(facts, {})) return null;
  return { value: members, text: typeof value === 'string' ? value : '', state: facts, hasState };
}
