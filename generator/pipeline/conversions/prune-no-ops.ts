import { assertNever } from "../../shared/assert-never.js";
import type { ConversionFunction, MemberChange, Plan } from "../../shared/model/conversion.js";

export type ConversionFunctions = ReadonlyMap<string, Plan>;

/** The plans without steps that change nothing, and the functions that are still called. */
export function pruneNoOps(
  roots: readonly Plan[],
  functions: readonly ConversionFunction[],
): { readonly roots: readonly Plan[]; readonly functions: readonly ConversionFunction[] } {
  const plans = new Map(functions.map(({ name, plan }) => [name, plan]));
  const idle = idleFunctions(plans);
  const settled = new Map([...plans].map(([name, plan]) => [name, simplify(plan, idle)]));
  const simple = roots.map((plan) => simplify(plan, idle));
  const called = new Set<string>();
  const visit = (plan: Plan): void => {
    for (const name of callsOf(plan)) {
      if (called.has(name)) continue;
      called.add(name);
      visit(settled.get(name) ?? { kind: "same" });
    }
  };
  simple.forEach(visit);
  return {
    roots: simple,
    functions: [...settled].filter(([name]) => called.has(name)).map(([name, plan]) => ({ name, plan })),
  };
}

/** Functions that change nothing: they contain no action, and call only functions that change nothing. */
function idleFunctions(plans: ConversionFunctions): ReadonlySet<string> {
  const idle = new Set(plans.keys());
  for (let before = -1; before !== idle.size;) {
    before = idle.size;
    for (const name of idle) {
      const plan = plans.get(name);
      if (plan && simplify(plan, idle).kind !== "same") idle.delete(name);
    }
  }
  return idle;
}

function simplify(plan: Plan, idle: ReadonlySet<string>): Plan {
  switch (plan.kind) {
    case "call":
      return idle.has(plan.name) ? { kind: "same" } : plan;
    case "array": {
      const items = simplify(plan.items, idle);
      return items.kind === "same" ? items : { kind: "array", items };
    }
    case "map": {
      const values = simplify(plan.values, idle);
      return values.kind === "same" ? values : { kind: "map", values };
    }
    case "struct": {
      const changes = plan.changes.flatMap((change): readonly MemberChange[] => {
        if (change.kind !== "convert") return [change];
        const inner = simplify(change.plan, idle);
        return inner.kind === "same" ? [] : [{ ...change, plan: inner }];
      });
      return changes.length === 0 ? { kind: "same" } : { kind: "struct", changes };
    }
    case "cases": {
      // A case that changes nothing needs no test unless a later case would match its values.
      const cases = plan.cases.map(({ when, plan: inner }) => ({ when, plan: simplify(inner, idle) }));
      const last = cases.findLastIndex(({ plan: inner }) => inner.kind !== "same");
      const kept = cases
        .slice(0, last + 1)
        .filter(({ plan: inner, when }) => inner.kind !== "same" || when.length === 0);
      const [only] = kept;
      return !only ? { kind: "same" } : only.when.length === 0 ? only.plan : { kind: "cases", cases: kept };
    }
    case "same":
    case "values":
    case "substitute":
    case "function":
    case "refuse":
      return plan;
    default:
      return assertNever(plan);
  }
}

/** The places at which a plan acts, including the functions that it calls. */
export function actionsOf(plan: Plan, functions: ConversionFunctions, seen = new Set<string>()): ReadonlySet<string> {
  const found = new Set<string>();
  visitActions(plan, (at) => found.add(at));
  for (const name of callsOf(plan)) {
    if (seen.has(name)) continue;
    seen.add(name);
    for (const at of actionsOf(functions.get(name) ?? { kind: "same" }, functions, seen)) found.add(at);
  }
  return found;
}

function visitActions(plan: Plan, act: (at: string) => void): void {
  if ("at" in plan) act(plan.at);
  if (plan.kind === "struct") for (const change of plan.changes) if ("at" in change) act(change.at);
  for (const inner of partsOf(plan)) visitActions(inner, act);
}

function callsOf(plan: Plan): readonly string[] {
  return plan.kind === "call" ? [plan.name] : partsOf(plan).flatMap(callsOf);
}

function partsOf(plan: Plan): readonly Plan[] {
  switch (plan.kind) {
    case "array":
      return [plan.items];
    case "map":
      return [plan.values];
    case "struct":
      return plan.changes.flatMap((change) => (change.kind === "convert" ? [change.plan] : []));
    case "cases":
      return plan.cases.map(({ plan: inner }) => inner);
    default:
      return [];
  }
}
