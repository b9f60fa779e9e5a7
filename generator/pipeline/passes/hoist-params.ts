import type { Declaration, InterfaceDeclaration, Member, TypeExpression } from "../../shared/model/source.js";
import type { DiagnosticCollector } from "./diagnostic-collector.js";
import type { Scope } from "./scope.js";

export interface HoistedParams {
  readonly scope: Scope;
  /** Derived type -> the message that declares it as inline params. */
  readonly derived: ReadonlyMap<string, string>;
}

/**
 * PARAMS: names the inline `params` of a message `<Message>Params`, as later revisions declare them, so that both
 * layouts of the schema produce one model.
 */
export function hoistParams(
  scope: Scope,
  messages: ReadonlySet<string>,
  collector: DiagnosticCollector,
): HoistedParams {
  const hoisted = new Map<string, Declaration>();
  const derived = new Map<string, string>();
  for (const declaration of scope.values()) {
    const params = declaration.kind === "interface" ? ownInlineParams(declaration, scope) : undefined;
    if (declaration.kind !== "interface" || !params) {
      hoisted.set(declaration.name, declaration);
      continue;
    }
    const name = `${declaration.name}Params`;
    if (scope.has(name)) {
      if (messages.has(declaration.name))
        collector.error("name-collision", { name, owner: declaration.name }, params.member.span);
      hoisted.set(declaration.name, declaration);
      continue;
    }
    const { span, text: _text, tags: _tags, ...rest } = params.member;
    const reference: Member = { ...rest, span, tags: {}, type: { kind: "reference", name, span } };
    hoisted.set(declaration.name, {
      ...declaration,
      members: declaration.members.map((member) => (member.name === "params" ? reference : member)),
    });
    const { type } = params;
    hoisted.set(
      name,
      type.kind === "object"
        ? {
            kind: "interface",
            name,
            span,
            tags: {},
            heritage: [],
            members: type.members,
            ...(type.index && { index: type.index }),
          }
        : { kind: "alias", name, span, tags: {}, type },
    );
    derived.set(name, declaration.name);
  }
  return { scope: hoisted, derived };
}

function ownInlineParams(
  declaration: InterfaceDeclaration,
  scope: Scope,
):
  | { readonly type: Extract<TypeExpression, { kind: "object" | "intersection" | "omit" }>; readonly member: Member }
  | undefined {
  const member = declaration.members.find(({ name }) => name === "params");
  if (!member || !hasMethod(declaration, scope)) return undefined;
  const { type } = member;
  return type.kind === "object" || type.kind === "intersection" || type.kind === "omit" ? { type, member } : undefined;
}

function hasMethod(declaration: InterfaceDeclaration, scope: Scope, seen: ReadonlySet<string> = new Set()): boolean {
  if (declaration.members.some(({ name }) => name === "method")) return true;
  return declaration.heritage.some(({ name }) => {
    const base = scope.get(name);
    return base?.kind === "interface" && !seen.has(name) && hasMethod(base, scope, new Set([...seen, name]));
  });
}
