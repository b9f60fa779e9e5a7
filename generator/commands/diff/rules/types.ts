import { printType } from "../print-type.js";
import type { TypePair } from "../pairs.js";
import { overlayKey } from "../print-type.js";
import { entryHints, rule, when, type Detail } from "../rule.js";

const quoted = (values: readonly string[]): string => values.map((value) => JSON.stringify(value)).join(", ");

function union({ at, relation }: TypePair, which: "added" | "removed"): readonly Detail[] {
  if (relation.kind !== "union") return [];
  return relation[which].map(({ type, key }) => ({
    type,
    ...("name" in key
      ? { key: key.name, action: "`substitute`" }
      : { key: overlayKey(at) + key.step, action: "`function`" }),
  }));
}

function values(pair: TypePair, which: "added" | "removed"): readonly Detail[] {
  const { relation } = pair;
  return relation.kind === "enum" ? when(relation[which].length > 0, { values: quoted(relation[which]) }) : [];
}

function becomes({ relation }: TypePair, widened: boolean, narrowed: boolean): readonly Detail[] {
  return when(relation.kind === "values" && relation.widened === widened && relation.narrowed === narrowed);
}

export const typeRules = [
  rule({
    id: "alternative-added",
    category: "wire",
    purpose: "A value may have one more type.",
    on: "type",
    find: (pair) => union(pair, "added"),
    message: "{at} may be {type}",
    receiver: "A {receiver} of {old} rejects the message, or does not understand that part of it.",
    sender: "A {sender} must not send it to a {receiver} of {old}.",
    source: "An exhaustive `switch` needs one more case.",
    ...entryHints("down", "how to convert it, by a {action}"),
  }),
  rule({
    id: "alternative-removed",
    category: "wire",
    purpose: "A value may no longer have a certain type.",
    on: "type",
    find: (pair) => union(pair, "removed"),
    message: "{at} may no longer be {type}",
    receiver: "A {receiver} of {new} rejects what a {sender} of {old} may send.",
    sender: "A {sender} must not send it once {new} is negotiated.",
    source: "The case for it does not compile.",
    ...entryHints("up", "how to convert it, by a {action}"),
  }),
  rule({
    id: "role-union-extended",
    category: "addition",
    purpose: "A union of messages or results has more members; the methods have their own findings.",
    on: "type",
    find: ({ relation }) =>
      relation.kind === "roles"
        ? when(relation.added.length > 0 && relation.removed.length === 0, { after: without(relation.added) })
        : [],
    message: "{at} lists more messages or results",
    receiver: "See the findings of the methods.",
    sender: "See the findings of the methods.",
    source: "Only an exhaustive `switch` over the union needs one more case.",
    hint: "Use the handler maps, which are keyed by method.",
  }),
  rule({
    id: "role-union-changed",
    category: "source",
    purpose: "A union of messages or results has different members; the methods have their own findings.",
    on: "type",
    find: ({ relation }) =>
      relation.kind === "roles"
        ? when(relation.removed.length > 0, {
            before: without(relation.removed),
            after: without(relation.added),
          })
        : [],
    message: "{at} lists different messages or results",
    receiver: "See the findings of the methods.",
    sender: "See the findings of the methods.",
    source: "An exhaustive `switch` has different cases.",
    hint: "Use the handler maps, which are keyed by method.",
  }),
  rule({
    id: "enum-value-added",
    category: "wire",
    purpose: "A string enum has a new value.",
    on: "type",
    find: (pair) => (isOpen(pair) ? [] : values(pair, "added")),
    message: "{at} may be {values}",
    receiver: "A {receiver} of {old} rejects the value.",
    sender: "A {sender} must not send it to a {receiver} of {old}.",
    source: "An exhaustive `switch` needs one more case.",
    ...entryHints("down", "what to substitute"),
  }),
  rule({
    id: "enum-value-named",
    category: "addition",
    purpose: "An open string enum, which allows any string, has a new value.",
    on: "type",
    find: (pair) => (isOpen(pair) ? values(pair, "added") : []),
    message: "{at} defines {values}",
    receiver: "A {receiver} of {old} accepts the value, but does not know it.",
    sender: "A {sender} cannot rely on a {receiver} of {old} to act on it.",
    source: "Nothing has to change.",
    hint: "Handle unknown values as before.",
  }),
  rule({
    id: "enum-value-removed",
    category: "wire",
    purpose: "A string enum lost a value.",
    on: "type",
    find: (pair) => values(pair, "removed"),
    message: "{at} may no longer be {values}",
    receiver: "A {receiver} of {new} rejects what a {sender} of {old} may send.",
    sender: "A {sender} must not send it once {new} is negotiated.",
    source: "Comparing with the value does not compile.",
    ...entryHints("up", "what to substitute"),
  }),
  rule({
    id: "enum-opened",
    category: "wire",
    purpose: "A string enum became open: besides its known values, any string is allowed.",
    on: "type",
    find: ({ relation }) => when(relation.kind === "enum" && relation.openness === "opened"),
    message: "{at} may be any string",
    receiver: "A {receiver} of {old} rejects unknown values; a {receiver} of {new} must handle them.",
    sender: "A {sender} sends only the known values to a {receiver} of {old}.",
    source: "An exhaustive `switch` needs a default.",
    hint: "Handle unknown values.",
  }),
  rule({
    id: "enum-closed",
    category: "wire",
    purpose: "A string enum became closed: only its known values are allowed.",
    on: "type",
    find: ({ relation }) => when(relation.kind === "enum" && relation.openness === "closed"),
    message: "{at} may only be one of its known values",
    receiver: "A {receiver} of {new} rejects unknown values.",
    sender: "A {sender} must send only the known values.",
    source: "Other strings do not compile.",
    ...entryHints("up", "what to substitute"),
  }),
  rule({
    id: "format-changed",
    category: "behaviour",
    purpose: "A string has a different format.",
    on: "type",
    find: ({ relation, before, after }) =>
      when(relation.kind === "format", { before: printType(before), after: printType(after) }),
    message: "{at} has a different format",
    receiver: "Formats are annotations: a {receiver} should not reject a string because of one.",
    sender: "A {sender} of {new} writes the new format.",
    source: "Types do not change.",
    hint: "Accept both.",
  }),
  rule({
    id: "type-widened",
    category: "wire",
    purpose: "A type allows more values.",
    on: "type",
    find: (pair) => becomes(pair, true, false),
    message: "{at} allows more values",
    receiver: "A {receiver} of {old} rejects values that are only valid in {new}.",
    sender: "A {sender} sends only values of the narrower type to a {receiver} of {old}.",
    source: "Code that reads it must handle more values; code that writes it compiles as before.",
    ...entryHints("down", "how to convert the other values"),
  }),
  rule({
    id: "type-narrowed",
    category: "wire",
    purpose: "A type allows fewer values.",
    on: "type",
    find: (pair) => becomes(pair, false, true),
    message: "{at} allows fewer values",
    receiver: "A {receiver} of {new} rejects part of what a {sender} of {old} may send.",
    sender: "A {sender} sends only values of the narrower type once {new} is negotiated.",
    source: "Code that writes it may not compile; code that reads it compiles as before.",
    ...entryHints("up", "how to convert the other values"),
  }),
  rule({
    id: "type-changed",
    category: "wire",
    purpose: "A type allows different values.",
    on: "type",
    find: (pair) => becomes(pair, false, false),
    message: "{at} has a different type",
    receiver: "A {receiver} rejects at least part of what a {sender} of the other revision sends.",
    sender: "A {sender} sends what the negotiated revision allows.",
    source: "Code that reads or writes it may not compile.",
    hint: "In `conversions.up` and `conversions.down`, the overlay of {new} needs an entry `{key}` for each direction that a finding `conversion-unstated` names: it states how to convert the value.",
  }),
  rule({
    id: "type-restated",
    category: "source",
    purpose: "A type allows the same values, but is written differently.",
    on: "type",
    find: (pair) => becomes(pair, true, true),
    message: "{at} allows the same values, but is written differently",
    receiver: "The messages do not change.",
    sender: "The messages do not change.",
    source: "Code that names the type may have to name the new one.",
    hint: "Nothing to do for messages.",
  }),
  rule({
    id: "index-added",
    category: "source",
    purpose: "An object declares that it may have additional members, which it could already have.",
    on: "index",
    find: ({ before, after }) => when(!before && !!after),
    message: "{owner} declares additional members",
    receiver: "Additional members of any type were already allowed.",
    sender: "Additional members of any type were already allowed.",
    source: "Code can read and write any member of it.",
    hint: "Nothing to do for messages.",
  }),
  rule({
    id: "index-removed",
    category: "source",
    purpose: "An object no longer declares that it may have additional members, but it still may.",
    on: "index",
    find: ({ before, after }) => when(!!before && !after),
    message: "{owner} no longer declares additional members",
    receiver: "Additional members of any type are still allowed.",
    sender: "Additional members of any type are still allowed.",
    source: "Members that are not listed do not compile.",
    hint: "Put them into `_meta`, or read them through your own type.",
  }),
] as const;

function isOpen({ relation, before }: TypePair): boolean {
  return relation.kind === "enum" && relation.openness !== "opened" && before.kind === "enum" && before.open;
}

function without(names: readonly string[]): string {
  return names.length === 0 ? "nothing" : names.join(", ");
}
