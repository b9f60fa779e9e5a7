import { lossyRules, type LossyRule } from "../../shared/fidelity/lossy-rules.js";
import type { Declaration, InterfaceDeclaration, SourceModule, TypeExpression } from "../../shared/model/source.js";
import { changesBetween, type Change } from "./changes.js";

/** A change by one lossy rule. */
export interface LossyStep extends Change {
  readonly rule: LossyRule;
}

export interface LossySteps {
  /** The result of applying the rules to schema.ts. */
  readonly printed: SourceModule;
  /** schema.ts with inherited members inlined, so that members are comparable. */
  readonly flat: SourceModule;
  /** Type -> the changes of each rule, in the order of the rules. */
  readonly steps: ReadonlyMap<string, readonly LossyStep[]>;
}

/** Applies the lossy rules one by one and records the changes of each. */
export function traceLossyRules(module: SourceModule, rules: readonly LossyRule[]): LossySteps {
  const steps = new Map<string, readonly LossyStep[]>();
  let current = module;
  for (const rule of rules) {
    const before = current;
    const byName = new Map(before.declarations.map((declaration) => [declaration.name, declaration]));
    const declarations = before.declarations.flatMap((declaration) => {
      const after = rule.apply(declaration, before);
      const made = changesBetween(declaration, after, (child) => inheritedIndex(child, byName));
      const known = steps.get(declaration.name) ?? [];
      if (made.length > 0) steps.set(declaration.name, [...known, ...made.map((change) => ({ ...change, rule }))]);
      return after ? [after] : [];
    });
    current = { ...before, syntax: "json-schema", declarations };
  }
  return { printed: current, flat: flattened(module), steps };
}

function flattened(module: SourceModule): SourceModule {
  const rule = lossyRules.find(({ id }) => id === "extends-flattened");
  const declarations = module.declarations.map((declaration) => rule?.apply(declaration, module) ?? declaration);
  return { ...module, declarations };
}

function inheritedIndex(
  { heritage }: InterfaceDeclaration,
  declarations: ReadonlyMap<string, Declaration>,
): TypeExpression | undefined {
  for (const { name } of heritage) {
    const base = declarations.get(name);
    if (base?.kind === "alias" && base.type.kind === "object" && base.type.index) return base.type.index;
    if (base?.kind === "alias" && base.type.kind === "record") return base.type.values;
    const index = base?.kind === "interface" ? (base.index ?? inheritedIndex(base, declarations)) : undefined;
    if (index) return index;
  }
  return undefined;
}
