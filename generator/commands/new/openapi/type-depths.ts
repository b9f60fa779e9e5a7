import { isObject } from "../../../shared/is-object.js";
import { type BoundedSchemas, referenceOf } from "./bounded-schemas.js";

/** TypeScript does not derive the type of a zod schema with more than about a dozen objects and lists inside each other. */
const maxDepth = 6;

/** Finds the schemas whose types must be stated, because they would be too deep to derive. */
export class TypeDepths {
  readonly #depths = new WeakMap<object, number>();

  constructor(readonly schemas: BoundedSchemas) {}

  /** Whether the type of an object or a list must be stated. Those that contain it then count from there. */
  isTooDeep(schema: object): boolean {
    return this.#depth(schema) > maxDepth;
  }

  /** How many objects and lists are inside each other, as far as their types are derived. */
  #depth(schema: unknown): number {
    if (!isObject(schema)) return 0;
    const known = this.#depths.get(schema);
    if (known !== undefined) return known;
    const name = referenceOf(schema);
    const depth = name === undefined ? this.#own(schema) : this.#ofName(name);
    this.#depths.set(schema, depth);
    return depth;
  }

  /** Recursive schemas have a stated type. */
  #ofName(name: string): number {
    return this.schemas.recursive.has(name) ? 0 : this.#derived(this.schemas.schemas.get(name));
  }

  #own({ properties, additionalProperties, items, allOf, anyOf, oneOf }: Readonly<Record<string, unknown>>): number {
    const alternatives = [allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));
    const inner = [...(isObject(properties) ? Object.values(properties) : []), additionalProperties, items];
    const level = isObject(properties) || isObject(additionalProperties) || items !== undefined ? 1 : 0;
    const deepest = Math.max(0, ...inner.map((one) => this.#derived(one)));
    return Math.max(level + deepest, ...alternatives.map((one) => this.#derived(one)));
  }

  #derived(schema: unknown): number {
    const depth = this.#depth(schema);
    return depth > maxDepth ? 0 : depth;
  }
}
