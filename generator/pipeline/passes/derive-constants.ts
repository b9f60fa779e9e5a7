import { printType } from "../../shared/model/print-type-expression.js";
import type { ConstantDeclaration, SourceModule, TypeExpression } from "../../shared/model/source.js";
import { findMember } from "./declared-members.js";
import type { DiagnosticCollector } from "./diagnostic-collector.js";
import type { Scope } from "./scope.js";

/** Longest path from a constant to its literal. */
const maxSteps = 64;

/** CONSTANTS: gives each constant that is declared by its type the value of that type. */
export function deriveConstants(module: SourceModule, collector: DiagnosticCollector): SourceModule {
  if (module.declarations.every(({ kind }) => kind !== "derived-constant")) return module;
  const scope: Scope = new Map(module.declarations.map((declaration) => [declaration.name, declaration]));
  const declarations = module.declarations.flatMap((declaration) => {
    if (declaration.kind !== "derived-constant") return [declaration];
    const { type, kind: _kind, ...rest } = declaration;
    const value = literalOf(type, scope);
    if (typeof value === "string" || typeof value === "number")
      return [{ ...rest, kind: "constant", value } satisfies ConstantDeclaration];
    const construct = `a constant of type ${printType(type)}, which is not one string or number,`;
    collector.error("unsupported-construct", { construct }, declaration.span);
    return [];
  });
  return { ...module, declarations };
}

function literalOf(type: TypeExpression, scope: Scope, steps = 0): string | number | boolean | undefined {
  if (steps > maxSteps) return undefined;
  switch (type.kind) {
    case "literal":
      return type.value;
    case "constant":
    case "reference": {
      const target = scope.get(type.name);
      if (target?.kind === "constant") return type.kind === "constant" ? target.value : undefined;
      return target?.kind === "alias" ? literalOf(target.type, scope, steps + 1) : undefined;
    }
    case "indexed": {
      const member = memberOf(type.of, literalOf(type.key, scope, steps + 1), scope, steps);
      return member && literalOf(member, scope, steps + 1);
    }
    default:
      return undefined;
  }
}

function memberOf(
  type: TypeExpression,
  key: string | number | boolean | undefined,
  scope: Scope,
  steps: number,
): TypeExpression | undefined {
  if (typeof key !== "string" || steps > maxSteps) return undefined;
  if (type.kind === "object") return type.members.find(({ name }) => name === key)?.type;
  if (type.kind === "indexed") {
    const inner = memberOf(type.of, literalOf(type.key, scope, steps + 1), scope, steps + 1);
    return inner && memberOf(inner, key, scope, steps + 1);
  }
  const target = type.kind === "reference" ? scope.get(type.name) : undefined;
  return target && findMember(target, key, scope)?.type;
}
