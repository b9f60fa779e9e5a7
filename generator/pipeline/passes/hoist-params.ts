import { digest } from "../../shared/fidelity/digest.js";
import type { Declaration, Member, Span, TypeExpression } from "../../shared/model/source.js";
import { findMember, listedMembers, mapListedMembers } from "./declared-members.js";
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
    const params = ownInlineParams(declaration, scope);
    if (!params) {
      hoisted.set(declaration.name, declaration);
      continue;
    }
    const name = `${declaration.name}Params`;
    const { span, text: _text, tags: _tags, ...rest } = params.member;
    const own = declared(name, params.type, span);
    const other = scope.get(name);
    if (other && (!messages.has(declaration.name) || digest(other) !== digest(own))) {
      if (messages.has(declaration.name)) collector.error("name-collision", { name, owner: declaration.name }, span);
      hoisted.set(declaration.name, declaration);
      continue;
    }
    const reference: Member = { ...rest, span, tags: {}, type: { kind: "reference", name, span } };
    hoisted.set(
      declaration.name,
      mapListedMembers(declaration, (member) => (member.name === "params" ? reference : member)),
    );
    // Some printers repeat declared params in the message.
    if (other) continue;
    hoisted.set(name, own);
    derived.set(name, declaration.name);
  }
  return { scope: hoisted, derived };
}

function declared(name: string, type: TypeExpression, span: Span): Declaration {
  if (type.kind !== "object") return { kind: "alias", name, span, tags: {}, type };
  const { members, index } = type;
  return { kind: "interface", name, span, tags: {}, heritage: [], members, ...(index && { index }) };
}

function ownInlineParams(
  declaration: Declaration,
  scope: Scope,
): { readonly type: TypeExpression; readonly member: Member } | undefined {
  const [member, ...more] = listedMembers(declaration).filter(({ name }) => name === "params");
  if (!member || more.length > 0 || !findMember(declaration, "method", scope)) return undefined;
  return inline.has(member.type.kind) ? { type: member.type, member } : undefined;
}

const inline: ReadonlySet<TypeExpression["kind"]> = new Set(["object", "intersection", "omit", "utility"]);
