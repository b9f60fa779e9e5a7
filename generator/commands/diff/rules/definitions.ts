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
    purpose: "A type is new.",
    on: "definition",
    find: ({ before, after, isEnvelope }) => when(!before && !!after && !isEnvelope),
    message: "{name} is new",
    receiver: "Only what refers to it brings it to a {receiver}.",
    sender: "Only what refers to it lets a {sender} send it.",
    source: "There is one more name to import.",
    hint: "See `mcpwright explain {name}` for who refers to it.",
  }),
  rule({
    id: "definition-removed",
    category: "source",
    purpose: "A type is gone.",
    on: "definition",
    find: ({ before, after, isEnvelope }) => when(!!before && !after && !isEnvelope),
    message: "{name} is gone",
    receiver: "Whoever referred to it has a finding of its own.",
    sender: "Whoever referred to it has a finding of its own.",
    source: "Importing `{name}` from {new} does not compile.",
    hint: "Import it from {old}, or handle what took its place.",
  }),
  rule({
    id: "definition-renamed",
    category: "source",
    purpose:
      "A type that is gone and one that is new say the same, or have the same members: a guess, as schemas do not tell.",
    on: "definition",
    find: ({ formerName, after }) =>
      when(formerName !== undefined, { former: formerName ?? "", before: formerName ?? "", after: after?.name ?? "" }),
    message: "{former} seems to be called {name} now",
    receiver: "Names of types are not on the wire.",
    sender: "Names of types are not on the wire.",
    source: "`{former}` does not exist in {new}: import `{name}`.",
    hint: "Rename it where code takes both revisions, or import it under one name.",
  }),
  rule({
    id: "definition-kind-changed",
    category: "source",
    purpose: "An object type became another kind of type, or the other way round.",
    on: "definition",
    find: ({ before, after }) => when(!!before && !!after && before.kind !== after.kind),
    message: "{name} is of another kind",
    receiver: "Depends on how the two differ; see the other findings at {name}.",
    sender: "Depends on how the two differ; see the other findings at {name}.",
    source: "What extends it, or reads members of it, may not compile.",
    hint: "Narrow it before reading from it.",
  }),
  rule({
    id: "extends-changed",
    category: "source",
    purpose: "An object type is built from other types.",
    on: "definition",
    find: extendsChange,
    message: "{name} is built from other types",
    receiver: "Members that came or went have findings of their own.",
    sender: "Members that came or went have findings of their own.",
    source: "A {name} may not be assignable to what it extended.",
    hint: "Assign to the type that is meant, not to a base of it.",
  }),
  rule({
    id: "params-named",
    category: "addition",
    purpose: "Params that were written inside their message became a type of their own.",
    on: "definition",
    find: ({ before, after }) =>
      when(before?.derivedFrom !== undefined && !!after && after.derivedFrom === undefined, {
        before: `inside ${before?.derivedFrom ?? ""}`,
        after: "a type of its own",
      }),
    message: "{name} is declared by itself",
    receiver: "The messages are the same.",
    sender: "The messages are the same.",
    source: "Nothing changes: the generated type was called so before.",
    hint: "Nothing to do.",
  }),
  rule({
    id: "envelope-changed",
    category: "wire",
    purpose: "A type that wraps messages for the wire was added, removed or changed.",
    on: "definition",
    find: ({ before, after, isEnvelope }) => {
      if (!isEnvelope) return [];
      const what = !before ? "is new" : !after ? "is gone" : "has changed";
      return when(!before || !after || bodyKey(before) !== bodyKey(after), { what });
    },
    message: "the envelope {name} {what}",
    receiver: "A {receiver} reads messages by another envelope than a {sender} of the other revision writes.",
    sender: "A {sender} wraps messages as the agreed revision says.",
    source: "Transports and whatever builds messages by hand are concerned; handlers are not.",
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
    receiver: "A {receiver} still has to accept it.",
    sender: "A {sender} should do without it.",
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
