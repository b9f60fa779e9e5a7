import { entryExpressions } from "../../shared/model/entry-expressions.js";
import type { Declaration, Heritage, SourceModule, Span, TypeExpression } from "../../shared/model/source.js";
import { formatPlace } from "../../shared/diagnostics/diagnostic.js";
import { assertNever } from "../../shared/assert-never.js";
import { printType } from "../../shared/model/print-type-expression.js";
import { isTypeName } from "../../shared/names/identifier.js";
import type { DiagnosticCollector } from "./diagnostic-collector.js";

const maxChain = 64;

/** Declarations by name, in source order. */
export type Scope = ReadonlyMap<string, Declaration>;

/** RESOLVE: checks names and references; the collector receives every problem. */
export function resolveReferences(module: SourceModule, collector: DiagnosticCollector): Scope {
  const scope = new Map<string, Declaration>();
  const byCase = new Map<string, Declaration>();
  for (const declaration of module.declarations) {
    const { name, span } = declaration;
    const first = scope.get(name);
    if (first) {
      collector.error("duplicate-declaration", { name, first: formatPlace(first.span) }, span);
      continue;
    }
    scope.set(name, declaration);
    if (!isTypeName(name)) collector.error("name-not-identifier", { name: JSON.stringify(name) }, span);
    if (declaration.kind === "constant") continue;
    const other = byCase.get(name.toLowerCase());
    if (other) collector.error("name-case-collision", { name, other: other.name }, span);
    byCase.set(name.toLowerCase(), declaration);
  }
  for (const declaration of scope.values()) {
    checkReferences(declaration, scope, collector);
  }
  checkCycles("cyclic-extends", scope, collector);
  checkCycles("cyclic-alias", scope, collector);
  return scope;
}

function checkReferences(declaration: Declaration, scope: Scope, collector: DiagnosticCollector): void {
  const expectKind = (name: string, span: Span, wanted: (target: Declaration) => boolean): void => {
    const target = scope.get(name);
    if (!target) collector.error("unresolved-reference", { name }, span);
    else if (!wanted(target)) collector.error("wrong-reference", { name, kind: target.kind }, span);
  };
  const heritage = ({ name, type, span }: Heritage): void => {
    if (type) visit(type);
    if (type && !isObjectLike(type, scope))
      collector.error("unsupported-construct", { construct: `the base ${name}, which is not an object type,` }, span);
    if (type) return;
    expectKind(
      name,
      span,
      (target) => target.kind === "interface" || (target.kind === "alias" && isObjectLike(target.type, scope)),
    );
  };
  const visit = (type: TypeExpression): void => {
    switch (type.kind) {
      case "primitive":
      case "literal":
        return;
      case "constant":
        expectKind(type.name, type.span, (target) => target.kind === "constant");
        if (isWidened(scope.get(type.name)))
          collector.error(
            "unsupported-construct",
            { construct: "typeof of a constant with a declared type" },
            type.span,
          );
        return;
      case "reference":
        expectKind(type.name, type.span, (target) => target.kind !== "constant");
        return;
      case "parameter":
        collector.error("unresolved-reference", { name: type.name }, type.span);
        return;
      case "template":
        return;
      case "utility":
      case "keyof":
        visit(type.of);
        if (type.kind === "utility" && type.keys) visit(type.keys);
        if (!isOperand(type, scope)) {
          const construct = `${printType(type)}, whose operand is not an object type,`;
          collector.error("unsupported-construct", { construct }, type.span);
        }
        return;
      case "indexed":
        visit(type.of);
        visit(type.key);
        return;
      case "omit":
        expectKind(
          type.name,
          type.span,
          (target) => target.kind === "interface" || (target.kind === "alias" && isObjectLike(target.type, scope)),
        );
        return;
      case "array":
        visit(type.items);
        return;
      case "record":
        if (type.keys) visit(type.keys);
        visit(type.values);
        return;
      case "object":
        for (const member of type.members) visit(member.type);
        if (type.index) visit(type.index);
        return;
      case "union":
      case "intersection":
        type.members.forEach(visit);
        return;
      case "not":
        visit(type.type);
        return;
      case "entries":
        entryExpressions(type).forEach(visit);
        return;
      default:
        assertNever(type);
    }
  };
  switch (declaration.kind) {
    case "constant":
      return;
    case "derived-constant":
    case "alias":
      visit(declaration.type);
      return;
    case "interface":
      declaration.heritage.forEach(heritage);
      visit({ kind: "object", members: declaration.members, ...(declaration.index && { index: declaration.index }) });
      return;
    default:
      assertNever(declaration);
  }
}

function isWidened(target: Declaration | undefined): boolean {
  return target?.kind === "constant" && target.isWidened === true;
}

/** Whether an alias refers to a type that an interface can extend. */
function isObjectLike(type: TypeExpression, scope: Scope, depth = 0): boolean {
  switch (type.kind) {
    case "object":
    case "record":
    case "omit":
    case "utility":
    case "indexed":
    case "intersection":
      return true;
    case "reference": {
      const target = scope.get(type.name);
      return (
        target?.kind === "interface" ||
        (target?.kind === "alias" && depth < 32 && isObjectLike(target.type, scope, depth + 1))
      );
    }
    default:
      return false;
  }
}

/** Whether an operator applies to its operand; `Partial` and `Required` also apply to each object of a union. */
function isOperand(type: Extract<TypeExpression, { kind: "utility" | "keyof" }>, scope: Scope): boolean {
  const isEach = type.kind === "utility" && (type.name === "Partial" || type.name === "Required");
  const fits = (operand: TypeExpression, depth: number): boolean => {
    if (isObjectLike(operand, scope)) return true;
    if (!isEach || depth > maxChain) return false;
    if (operand.kind === "union") return operand.members.every((member) => fits(member, depth + 1));
    const target = operand.kind === "reference" ? scope.get(operand.name) : undefined;
    return target?.kind === "alias" && fits(target.type, depth + 1);
  };
  return fits(type.of, 0);
}

type Edges = (name: string, scope: Scope) => readonly string[];

const basesOf: Edges = (name, scope) => {
  const declaration = scope.get(name);
  if (declaration?.kind === "interface")
    return declaration.heritage.flatMap((base) => (base.type ? direct(base.type) : [base.name]));
  return declaration?.kind === "alias" ? direct(declaration.type) : [];
};

const aliasesOf: Edges = (name, scope) => {
  const declaration = scope.get(name);
  return declaration?.kind === "alias" ? direct(declaration.type) : [];
};

/** The names in a type that are not inside an object, array or record. */
function direct(type: TypeExpression): readonly string[] {
  switch (type.kind) {
    case "reference":
    case "omit":
      return [type.name];
    case "union":
    case "intersection":
      return type.members.flatMap(direct);
    case "not":
      return direct(type.type);
    case "utility":
    case "indexed":
    case "keyof":
      return direct(type.of);
    default:
      return [];
  }
}

/**
 * Reports each cycle once. Chains longer than any real schema has are rejected too, because later passes recurse along
 * them.
 */
function checkCycles(id: "cyclic-extends" | "cyclic-alias", scope: Scope, collector: DiagnosticCollector): void {
  const [kind, edges] = id === "cyclic-extends" ? (["interface", basesOf] as const) : (["alias", aliasesOf] as const);
  const heights = new Map<string, number>();
  const path: string[] = [];
  const visit = (name: string): number => {
    const known = heights.get(name);
    const start = path.indexOf(name);
    if (known !== undefined || start >= 0 || path.length > maxChain) {
      const cycle = start < 0 ? [] : path.slice(start);
      if (cycle.some((part) => scope.get(part)?.kind === kind))
        collector.error(id, { name, path: [...cycle, name].join(" -> ") }, scope.get(name)?.span);
      return known ?? 0;
    }
    path.push(name);
    const height = edges(name, scope).reduce((highest, next) => Math.max(highest, 1 + visit(next)), 0);
    path.pop();
    heights.set(name, height);
    return height;
  };
  for (const { name, kind: found, span } of scope.values()) {
    if (found !== kind || visit(name) < maxChain) continue;
    collector.error("unsupported-construct", { construct: `a chain of more than ${maxChain} bases or aliases` }, span);
    return;
  }
}
