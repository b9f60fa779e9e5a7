import { structureKey } from "../../../shared/model/structure.js";
import { binding, code, type Code } from "../../../shared/code/code.js";
import type { Expression } from "../../../shared/code/expression.js";
import { call, type ValuePlace } from "./predicate-parts.js";

/** The functions of a module that check inline types; equal types share one. */
export class PrivateFunctions {
  /** The functions, in the order in which their bodies were finished. */
  readonly printed: Code[] = [];
  private readonly taken: Set<string>;
  /** By what they check. Those inside recursive types also take the depth, if they need it. */
  private readonly known = new Map<string, { readonly name: string; isDeep: boolean }>();

  constructor(taken: readonly string[]) {
    this.taken = new Set(taken);
  }

  /** Calls the function for a type, printing it first. */
  call(type: unknown, label: string, at: Code, place: ValuePlace, print: (place: ValuePlace) => Code): Expression {
    const identity = structureKey([type, place.depth !== undefined]);
    let known = this.known.get(identity);
    if (known === undefined) {
      known = { name: this.free(`is${label}`), isDeep: place.depth !== undefined };
      this.known.set(identity, known);
      const body = print({ path: label, ...(place.depth && { depth: binding("depth") }) });
      known.isDeep &&= /\bdepth\b/.test(body);
      const parameters = known.isDeep ? code`value: unknown, depth: number` : code`value: unknown`;
      this.printed.push(code`function ${binding(known.name)}(${parameters}): boolean {\n${body}}`);
    }
    return call(known.name, at, ...(place.depth && known.isDeep ? [place.depth] : []));
  }

  private free(name: string): string {
    let candidate = name;
    for (let count = 2; this.taken.has(candidate); count++) candidate = `${name}${count}`;
    this.taken.add(candidate);
    return candidate;
  }
}
