import { binding, code, type Code } from "../code/code.js";
import { isBindingName } from "../names/identifier.js";

/** A declaration of a module, by its name. */
export interface Declaration {
  readonly name: Code;
  readonly text: Code;
}

/** The names in a piece of code; the content of string literals is ignored. */
export function namesIn(text: Code): ReadonlySet<string> {
  return new Set(text.replace(/"(?:[^"\\]|\\.)*"/g, '""').match(/[A-Za-z_$][A-Za-z0-9_$]*/g));
}

/** The declarations that `roots` need, directly or indirectly, in their order. */
export function neededBy(roots: Code, declarations: readonly Declaration[]): readonly Declaration[] {
  const byName = new Map<string, Declaration>(declarations.map((one) => [one.name, one]));
  const needed = new Set<Declaration>();
  const queue = [roots];
  for (let text = queue.pop(); text !== undefined; text = queue.pop()) {
    for (const name of namesIn(text)) {
      const found = byName.get(name);
      if (!found || needed.has(found)) continue;
      needed.add(found);
      queue.push(found.text);
    }
  }
  return declarations.filter((one) => needed.has(one));
}

/** Creates unique names. */
export class Names {
  private readonly taken: Set<string>;

  /** @param avoid matches names that must not be created */
  constructor(
    taken: Iterable<string>,
    private readonly avoid?: RegExp,
  ) {
    this.taken = new Set(taken);
  }

  /** A name similar to `wish`, which may be any string. */
  take(wish: string): Code {
    const words = wish.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
    const base = words
      .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
      .join("");
    const name = (/^[A-Za-z]/.test(base) ? base : `_${base}`).slice(0, 60);
    for (let number = 1; ; number++) {
      const numbered = number === 1 ? name : `${name}${number}`;
      if (this.avoid?.test(numbered) === true) return this.take(`the ${wish}`);
      if (this.taken.has(numbered) || !isBindingName(numbered)) continue;
      this.taken.add(numbered);
      return binding(numbered);
    }
  }

  /** Names for locals of a function: none that the module has, or may get. */
  inner(): Names {
    return new Names(this.taken, /^(constant|fits|pattern|report|values)([A-Z0-9]|$)/);
  }
}

/** Constants of a module that printed functions refer to; equal ones are declared once. */
export class Constants {
  private readonly known = new Map<string, { readonly name: Code; readonly type: Code }>();

  constructor(private readonly names: Names) {}

  /** The name of a constant with this value. */
  name(wish: string, value: Code, type: Code): Code {
    const known = this.known.get(value);
    if (known) return known.name;
    const name = this.names.take(wish);
    this.known.set(value, { name, type });
    return name;
  }

  declarations(): readonly Declaration[] {
    return [...this.known].map(([value, { name, type }]) => ({
      name,
      text: code`const ${name}${type} = ${value as Code};`,
    }));
  }
}
