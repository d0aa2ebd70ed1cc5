import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';

/** Members of one object that are followed; a map with more is described as one. */
const MEMBERS_MAX = 100;
/** Levels that are followed. */
export const DEPTH_MAX = 8;
/** A member whose values are these few texts is one of them. */
const ENUM_MAX = 8;
const ENUM_UNITS = 40;

/** What the values of one place have in common. */
export class Shape {
  #count = 0;
  readonly #types = new Map<string, number>();
  readonly #members = new Map<string, Shape>();
  #items: Shape | null = null;
  #isMap = false;
  #texts: Map<string, number> | null = new Map();
  readonly #depth: number;

  constructor(depth = 0) {
    this.#depth = depth;
  }

  add(value: JsonValue): void {
    this.#count += 1;
    const type = typeOf(value);
    this.#types.set(type, (this.#types.get(type) ?? 0) + 1);
    if (typeof value === 'string') this.#addText(value);
    if (this.#depth === DEPTH_MAX) return;
    if (isJsonList(value)) {
      this.#items ??= new Shape(this.#depth + 1);
      for (const item of value) this.#items.add(item);
    } else if (isObject(value)) this.#addMembers(value);
  }

  /** As JSON Schema: a member is required that every value has. @param levels below which nothing is said */
  toSchema(levels: number): JsonObject {
    const types = [...this.#types.keys()].filter((type) => type !== 'integer' || !this.#types.has('number'));
    const texts = this.#texts;
    // Texts that differ in each value are not a choice.
    const isChoice = texts !== null && texts.size > 0 && texts.size * 4 <= (this.#types.get('string') ?? 0);
    return {
      ...(types.length === 1 ? { type: types[0] } : types.length === 0 ? {} : { type: types }),
      ...(isChoice && types.length === 1 ? { enum: [...texts.keys()] } : {}),
      ...(this.#items === null || levels === 0 ? {} : { items: this.#items.toSchema(levels - 1) }),
      ...(levels === 0 ? {} : this.#object(levels - 1)),
    };
  }

  #object(levels: number): JsonObject {
    if (!this.#types.has('object')) return {};
    if (this.#isMap) {
      const values = [...this.#members.values()];
      return { additionalProperties: values[0]?.toSchema(levels) ?? true };
    }
    const objects = this.#types.get('object') ?? 0;
    const members = [...this.#members];
    return {
      properties: Object.fromEntries(members.map(([name, shape]) => [name, shape.toSchema(levels)])),
      required: members.flatMap(([name, shape]) => (shape.#count === objects ? [name] : [])),
    };
  }

  #addMembers(value: JsonObject): void {
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue;
      let shape = this.#members.get(name);
      if (shape === undefined && this.#members.size >= MEMBERS_MAX) {
        this.#isMap = true;
        [shape] = this.#members.values();
      }
      shape ??= new Shape(this.#depth + 1);
      if (!this.#isMap) this.#members.set(name, shape);
      shape.add(member);
    }
  }

  #addText(text: string): void {
    if (this.#texts === null) return;
    this.#texts.set(text, 1);
    if (this.#texts.size > ENUM_MAX || text.length > ENUM_UNITS) this.#texts = null;
  }
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (isJsonList(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}
