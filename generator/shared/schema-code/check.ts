import { code, type Code } from "../code/code.js";
import { and, not, or, type Expression } from "../code/expression.js";

/** The keys that lead to a value inside the checked one, as code. */
export type Path = readonly Code[];

/**
 * A condition on a value. One list of checks is printed twice: as a predicate, which stops at the first failed check,
 * and as a function that reports all failed ones.
 */
export type Check =
  /** `test` must hold; the checks in `then` depend on it. */
  | {
      readonly kind: "must";
      readonly test: Expression;
      readonly message: Code;
      readonly path: Path;
      readonly then: readonly Check[];
    }
  | {
      readonly kind: "when";
      readonly test: Expression;
      readonly then: readonly Check[];
      readonly otherwise: readonly Check[];
    }
  | { readonly kind: "members"; readonly object: Code; readonly members: readonly MemberCheck[] }
  | {
      readonly kind: "element";
      readonly array: Code;
      readonly index: number;
      readonly local: Code;
      readonly then: readonly Check[];
    }
  | {
      readonly kind: "items";
      readonly array: Code;
      readonly from: number;
      readonly index: Code;
      readonly local: Code;
      readonly then: readonly Check[];
    }
  | {
      readonly kind: "entries";
      readonly object: Code;
      readonly key: Code;
      readonly local: Code;
      readonly then: readonly Check[];
    }
  /** Counts the items that pass `test`. */
  | {
      readonly kind: "matches";
      readonly array: Code;
      readonly index: Code;
      readonly local: Code;
      readonly count: Code;
      readonly test: Expression;
      readonly then: readonly Check[];
    }
  /** Another schema must match the same value. */
  | { readonly kind: "apply"; readonly fits: Expression; readonly issues: Code; readonly at: Code; readonly path: Path }
  /** One of several schemas must match; if none does, `recognised` finds the one that was meant. */
  | {
      readonly kind: "alternatives";
      readonly test: Expression;
      readonly message: Code;
      readonly path: Path;
      readonly recognised: readonly { readonly test: Expression; readonly then: readonly Check[] }[];
    };

export interface MemberCheck {
  readonly name: string;
  readonly local: Code;
  readonly required: boolean;
  readonly path: Path;
  readonly then: readonly Check[];
}

/** The checks as one expression; undefined when they need a loop or a local name. */
export function expressionOf(checks: readonly Check[]): Expression | undefined {
  const parts: Expression[] = [];
  for (const check of checks) {
    const part = single(check);
    if (!part) return undefined;
    parts.push(part);
  }
  return and(parts);
}

function single(check: Check): Expression | undefined {
  switch (check.kind) {
    case "must": {
      const then = expressionOf(check.then);
      return then && and([check.test, then]);
    }
    case "when": {
      const [then, otherwise] = [expressionOf(check.then), expressionOf(check.otherwise)];
      if (!then || !otherwise) return undefined;
      if (otherwise.kind === "always") return or([not(check.test), then]);
      return { kind: "choose", when: check.test, then, otherwise };
    }
    case "apply":
      return check.fits;
    case "alternatives":
      return check.test;
    default:
      return undefined;
  }
}

/** How many terms an expression has. */
export function sizeOf(expression: Expression): number {
  switch (expression.kind) {
    case "and":
    case "or":
      return expression.items.reduce((sum, item) => sum + sizeOf(item), 0);
    case "not":
      return sizeOf(expression.of);
    case "choose":
      return sizeOf(expression.when) + sizeOf(expression.then) + sizeOf(expression.otherwise);
    default:
      return 1;
  }
}

/** A member of a value whose type is not known yet. */
export function memberOf(object: Code, name: Code): Code {
  return code`(${object} as Fields)[${name}]`;
}

export function unless(test: Expression, then: readonly Check[]): Check {
  return { kind: "when", test: not(test), then, otherwise: [] };
}
