import type { Definition } from "../../../shared/model/protocol.js";
import type { DefinitionPair } from "../pairs.js";
import { rule, when, type Detail } from "../rule.js";
import { typeKey } from "../type-key.js";

const bases = (definition: Definition | undefined): readonly string[] =>
  definition?.kind === "struct" ? definition.bases : [];

function bodyKey(definition: Definition): string {
  return typeKey(
    definition.kind === "alias" ? definition.type : { members: definition.members, index: definition.index },
  );
}

function extendsChange({ before, after, isEnvelope }: DefinitionPair): readonly Detail[] {
  if (!before || !after || isEnvelope) return [];
  const [was, is] = [bases(before), bases(after)];
  return when(before.kind === after.kind && JSON.stringify(was) !== JSON.stringify(is), {
    before: was.length > 0 ? `extends ${was.join(", ")}` : "extends nothing",
    after: is.length > 0 ? `extends ${is.join(", ")}` : "extends nothing",
  });
}

export const definitionRules = [
  rule({
    id: "definition-added",
    category: "addition",
    purpose: "A type was added.",
    on: "definition",
    find: ({ before, after, isEnvelope }) => when(!before && !!after && !isEnvelope),
    message: "{name} is new",
    receiver: "It reaches a {receiver} only inside the types and messages that reference it.",
    sender: "A {sender} sends it only inside the types and messages that reference it.",
    source: "One more name can be imported.",
    hint: "Run `mcpwright explain {name}` to see what references it.",
  }),
  rule({
    id: "definition-removed",
    category: "source",
    purpose: "A type was removed.",
    on: "definition",
    find: ({ before, after, isEnvelope }) => when(!!before && !after && !isEnvelope),
    message: "{name} was removed",
    receiver: "Each type that references it has its own finding.",
    sender: "Each type that references it has its own finding.",
    source: "Importing it from {new} does not compile.",
    hint: "Import it from {old}, or handle its replacement.",
  }),
  rule({
    id: "definition-renamed",
    category: "source",
    purpose:
      "A removed type and an added type have the same shape or the same members: probably a rename, which schemas do not record.",
    on: "definition",
    find: ({ formerName, after }) =>
      when(formerName !== undefined, { former: formerName ?? "", before: formerName ?? "", after: after?.name ?? "" }),
    message: "{former} was probably renamed {name}",
    receiver: "Type names are not sent.",
    sender: "Type names are not sent.",
    source: "`{former}` does not exist in {new}: import `{name}`.",
    hint: "Rename it in your code, or import both under one name where your code handles both revisions.",
  }),
  rule({
    id: "definition-kind-changed",
    category: "source",
    purpose: "An object type became another kind of type, or the reverse.",
    on: "definition",
    find: ({ before, after }) => when(!!before && !!after && before.kind !== after.kind),
    message: "{name} is a different kind of type",
    receiver: "Depends on how the two differ; see the other findings for {name}.",
    sender: "Depends on how the two differ; see the other findings for {name}.",
    source: "Code that extends it, or reads its members, may not compile.",
    hint: "Narrow it before you read its members.",
  }),
  rule({
    id: "extends-changed",
    category: "source",
    purpose: "An object type extends different types.",
    on: "definition",
    find: extendsChange,
    message: "{name} extends different types",
    receiver: "Each added or removed member has its own finding.",
    sender: "Each added or removed member has its own finding.",
    source: "A value of the type may no longer be assignable to the types it extended.",
    hint: "Declare the specific type instead of one of its base types.",
  }),
  rule({
    id: "params-named",
    category: "addition",
    purpose: "Params that were declared inline became a named type.",
    on: "definition",
    find: ({ before, after }) =>
      when(before?.derivedFrom !== undefined && !!after && after.derivedFrom === undefined, {
        before: `inline in ${before?.derivedFrom ?? ""}`,
        after: "a named type",
      }),
    message: "{name} is a named type",
    receiver: "The messages do not change.",
    sender: "The messages do not change.",
    source: "Nothing changes: the generated type already had this name.",
    hint: "Nothing to do.",
  }),
  rule({
    id: "envelope-changed",
    category: "wire",
    purpose: "A type that wraps messages on the wire was added, removed or changed.",
    on: "definition",
    find: ({ before, after, isEnvelope }) => {
      if (!isEnvelope) return [];
      const what = !before ? "is new" : !after ? "was removed" : "changed";
      return when(!before || !after || bodyKey(before) !== bodyKey(after), { what });
    },
    message: "the envelope {name} {what}",
    receiver: "A {receiver} expects a different envelope than a {sender} of the other revision writes.",
    sender: "A {sender} wraps messages as the negotiated revision requires.",
    source: "Affects transports and code that builds messages by hand; handlers do not change.",
    hint: "Leave envelopes to the runtime.",
  }),
  rule({
    id: "definition-deprecated",
    category: "deprecation",
    purpose: "A type became deprecated.",
    on: "definition",
    find: ({ before, after }) =>
      when(!!after?.deprecated && !!before && !before.deprecated, {
        instead: after?.deprecated?.text ?? "",
        before: "",
        after: "deprecated",
      }),
    message: "{name} is deprecated",
    receiver: "A {receiver} must still accept it.",
    sender: "A {sender} should avoid it.",
    source: "Editors strike the name through.",
    hint: "{instead}",
  }),
  rule({
    id: "definition-undeprecated",
    category: "addition",
    purpose: "A type is no longer deprecated.",
    on: "definition",
    find: ({ before, after }) =>
      when(!!before?.deprecated && !!after && !after.deprecated, { before: "deprecated", after: "" }),
    message: "{name} is no longer deprecated",
    receiver: "Nothing changes.",
    sender: "A {sender} may use it again.",
    source: "Nothing changes.",
    hint: "Nothing to do.",
  }),
] as const;
