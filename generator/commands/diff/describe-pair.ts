import { assertNever } from "../../shared/assert-never.js";
import { quote } from "../../shared/model/print-type-expression.js";
import type { MethodState, PairKind, Pairs } from "./pairs.js";
import { printDefinition, printMember, printType } from "./print-type.js";

/** One state of a pair, for a person: what it says, and where the specification does. */
export interface PairDescription {
  readonly text: string;
  readonly link?: string;
}

interface Both {
  /** What the place is called in a sentence. */
  readonly name: string;
  readonly before?: PairDescription;
  readonly after?: PairDescription;
}

/** How a pair reads. */
export function describePair<K extends PairKind>(kind: K, pair: Pairs[K]): Both {
  const given = { kind, pair } as { [P in PairKind]: { readonly kind: P; readonly pair: Pairs[P] } }[PairKind];
  switch (given.kind) {
    case "method": {
      const { before, after } = given.pair;
      return both((after ?? before)?.method ?? "", before, after, (state) => described(printMethod(state), state.link));
    }
    case "definition": {
      const { at, before, after } = given.pair;
      return both(at, before, after, (state) => described(printDefinition(state), state.link));
    }
    case "member": {
      const { at, before, after } = given.pair;
      return both(at, before, after, (state) => described(printMember(state)));
    }
    case "type": {
      const { at, before, after } = given.pair;
      return both(at, before, after, (state) => described(printType(state)));
    }
    case "index": {
      const { at, before, after } = given.pair;
      return both(at, before, after, (state) => described(`[key: string]: ${printType(state)}`));
    }
    case "capability": {
      const { at, before, after } = given.pair;
      return both(at, before, after, (state) => described(state.path, state.link));
    }
    case "error": {
      const { at, before, after } = given.pair;
      return both(at, before, after, (state) => described(`${state.name} = ${state.code}`, state.link));
    }
    case "constant": {
      const { at, before, after } = given.pair;
      return both(at, before, after, (state) => described(`${state.name} = ${quote(state.value)}`));
    }
    case "metaKey": {
      const { at, before, after } = given.pair;
      return both(at, before, after, (state) => described(quote(state)));
    }
    case "limit": {
      const { at, before, after } = given.pair;
      return both(at, before, after, ({ path, link, ...bounds }) => described(`${path}: ${quote(bounds)}`, link));
    }
    case "profile": {
      const { before, after } = given.pair;
      const name = (after ?? before)?.field ?? "";
      return both(name, before, after, (state) => described(String(state.value), state.link));
    }
    case "authorization": {
      const { before, after } = given.pair;
      const name = (after ?? before)?.field ?? "";
      return both(name, before, after, ({ value, link }) =>
        described(Array.isArray(value) ? value.join(", ") : quote(value), link),
      );
    }
    case "resultTag": {
      const { at, before, after } = given.pair;
      return both(at, before, after, ({ member, own, alternatives }) =>
        described(
          [own, ...alternatives.map(({ value }) => value)].map((value) => `${member}: ${quote(value)}`).join(" | "),
        ),
      );
    }
    default:
      return assertNever(given);
  }
}

function both<T>(
  name: string,
  before: T | undefined,
  after: T | undefined,
  describe: (state: T) => PairDescription,
): Both {
  return {
    name,
    ...(before !== undefined && { before: describe(before) }),
    ...(after !== undefined && { after: describe(after) }),
  };
}

function described(text: string, link?: string): PairDescription {
  return { text, ...(link !== undefined && { link }) };
}

function printMethod({ kind, sender, params, result }: MethodState): string {
  const answer = result === undefined ? "" : `: ${result}`;
  return `${kind} of the ${sender} (${params ?? ""})${answer}`;
}
