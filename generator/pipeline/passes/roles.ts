import type { Side } from "../../shared/model/protocol.js";
import type { Declaration, TypeExpression } from "../../shared/model/source.js";
import { findMember, isObjectDeclaration } from "./declared-members.js";
import type { DiagnosticCollector } from "./diagnostic-collector.js";
import type { Scope } from "./scope.js";

export interface RoleMember {
  readonly sender: Side;
  readonly kind: "request" | "notification";
  readonly type: string;
  readonly method: string;
}

const roles = [
  { union: "ClientRequest", sender: "client", kind: "request" },
  { union: "ServerRequest", sender: "server", kind: "request" },
  { union: "ClientNotification", sender: "client", kind: "notification" },
  { union: "ServerNotification", sender: "server", kind: "notification" },
] as const;

/** The names of the role unions. */
export const roleUnions: ReadonlySet<string> = new Set(roles.map(({ union }) => union));

/** ROLES: the sender of each message, read from the role unions and from nothing else. */
export function readRoles(scope: Scope, collector: DiagnosticCollector): readonly RoleMember[] {
  if (!roles.some(({ union }) => scope.has(union))) {
    collector.error("role-missing", { roles: roles.map(({ union }) => union).join(", ") });
  }
  return rolesOf(scope, scope, collector);
}

/**
 * The messages of the role unions.
 * @param scope the declarations to which the unions refer
 */
export function rolesOf(unions: Scope, scope: Scope, collector: DiagnosticCollector): readonly RoleMember[] {
  return roles.flatMap(({ union, sender, kind }) => {
    const declaration = unions.get(union);
    if (!declaration) return [];
    return unionMessages(declaration, scope, collector).map(({ name, method }) => ({
      sender,
      kind,
      type: name,
      method,
    }));
  });
}

export interface NamedMessage {
  readonly name: string;
  readonly method: string;
}

/** The messages of a union, distinguished by their literal `method`. */
export function unionMessages(
  union: Declaration,
  scope: Scope,
  collector: DiagnosticCollector,
): readonly NamedMessage[] {
  const messages: NamedMessage[] = [];
  const report = (member: string, at: Declaration): void => {
    collector.error("role-member-not-message", { role: union.name, member }, at.span);
  };
  const visit = (declaration: Declaration, seen: readonly string[]): void => {
    if (isObjectDeclaration(declaration) && (declaration.kind === "interface" || declaration !== union)) {
      const method = literalMethod(declaration, scope);
      if (method === undefined) {
        report(declaration.name, declaration);
        return;
      }
      const name = original(declaration, union, method, scope);
      const first = messages.find((message) => message.method === method);
      if (first)
        collector.error(
          "role-method-repeated",
          { role: union.name, method, first: first.name, second: name },
          declaration.span,
        );
      else messages.push({ name, method });
    } else if (declaration.kind === "constant") {
      report(declaration.name, declaration);
    } else if (declaration.kind === "alias" && !seen.includes(declaration.name)) {
      for (const member of alternatives(declaration.type)) {
        const target = member.kind === "reference" ? scope.get(member.name) : undefined;
        if (target) visit(target, [...seen, declaration.name]);
        else if (member.kind !== "reference") report(`a member of type ${member.kind}`, union);
      }
    }
  };
  visit(union, []);
  return messages;
}

/**
 * The declaration of a message. The official printer can copy the only member of a union into the union; then the
 * message is the other declaration with the same method.
 */
function original(declaration: Declaration, union: Declaration, method: string, scope: Scope): string {
  if (declaration !== union) return declaration.name;
  const copied = [...scope.values()].find(
    (other) => other !== union && isObjectDeclaration(other) && literalMethod(other, scope) === method,
  );
  return copied?.name ?? declaration.name;
}

function alternatives(type: TypeExpression): readonly TypeExpression[] {
  return type.kind === "union" ? type.members.flatMap(alternatives) : [type];
}

export function literalMethod(declaration: Declaration, scope: Scope): string | undefined {
  const type = findMember(declaration, "method", scope)?.type;
  if (type?.kind === "literal" && typeof type.value === "string") return type.value;
  const constant = type?.kind === "constant" ? scope.get(type.name) : undefined;
  return constant?.kind === "constant" && typeof constant.value === "string" ? constant.value : undefined;
}
