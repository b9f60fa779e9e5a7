import { printType } from "../print-type.js";
import type { TypePair } from "../pairs.js";
import { overlayKey } from "../print-type.js";
import { rule, when, type Detail } from "../rule.js";

const quoted = (values: readonly string[]): string => values.map((value) => JSON.stringify(value)).join(", ");

function union({ at, relation }: TypePair, which: "added" | "removed"): readonly Detail[] {
  if (relation.kind !== "union") return [];
  return relation[which].map(({ type, key }) => ({
    type,
    ...("name" in key
      ? { key: key.name, action: "substitute" }
      : { key: overlayKey(at) + key.step, action: "do, by a `function`" }),
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
    purpose: "A value may be of one type more.",
    on: "type",
    find: (pair) => union(pair, "added"),
    message: "{at} may be {type}",
    receiver: "A {receiver} of {old} refuses the message, or does not understand that part of it.",
    sender: "A {sender} must not use it towards a {receiver} of {old}.",
    source: "An exhaustive `switch` over it has a case more.",
    hint: "The overlay of {new} says under `conversions.down.{key}` what to {action}.",
  }),
  rule({
    id: "alternative-removed",
    category: "wire",
    purpose: "A value may no longer be of a certain type.",
    on: "type",
    find: (pair) => union(pair, "removed"),
    message: "{at} is no longer {type}",
    receiver: "A {receiver} of {new} refuses what a {sender} of {old} may send.",
    sender: "A {sender} must not use it once {new} was agreed upon.",
    source: "The case for it does not compile.",
    hint: "The overlay of {new} says under `conversions.up.{key}` what to {action}.",
  }),
  rule({
    id: "role-union-changed",
    category: "source",
    purpose: "A union that lists messages or results lists others; the methods have findings of their own.",
    on: "type",
    find: ({ relation }) =>
      relation.kind === "roles"
        ? when(relation.added.length + relation.removed.length > 0, {
            before: without(relation.removed),
            after: without(relation.added),
          })
        : [],
    message: "{at} lists other messages or results",
    receiver: "See the findings of the methods.",
    sender: "See the findings of the methods.",
    source: "An exhaustive `switch` over it has other cases.",
    hint: "Use the handler maps, which are by method.",
  }),
  rule({
    id: "enum-value-added",
    category: "wire",
    purpose: "A text may have a value more.",
    on: "type",
    find: (pair) => (isOpen(pair) ? [] : values(pair, "added")),
    message: "{at} may be {values}",
    receiver: "A {receiver} of {old} refuses the value.",
    sender: "A {sender} must not use it towards a {receiver} of {old}.",
    source: "An exhaustive `switch` over it has a case more.",
    hint: "The overlay of {new} says under `conversions.down.{key}` what to substitute.",
  }),
  rule({
    id: "enum-value-named",
    category: "addition",
    purpose: "A text that may be anything has a value more with a meaning.",
    on: "type",
    find: (pair) => (isOpen(pair) ? values(pair, "added") : []),
    message: "{at} may be {values} with a meaning of its own",
    receiver: "A {receiver} of {old} accepts the value and does not know it.",
    sender: "A {sender} must not count on a {receiver} of {old} to act on it.",
    source: "Nothing has to change.",
    hint: "Handle unknown values as before.",
  }),
  rule({
    id: "enum-value-removed",
    category: "wire",
    purpose: "A text may no longer have a certain value.",
    on: "type",
    find: (pair) => values(pair, "removed"),
    message: "{at} is no longer {values}",
    receiver: "A {receiver} of {new} refuses what a {sender} of {old} may send.",
    sender: "A {sender} must not use it once {new} was agreed upon.",
    source: "Comparing with it does not compile.",
    hint: "The overlay of {new} says under `conversions.up.{key}` what to substitute.",
  }),
  rule({
    id: "enum-opened",
    category: "wire",
    purpose: "A text may be anything besides its known values.",
    on: "type",
    find: ({ relation }) => when(relation.kind === "enum" && relation.openness === "opened"),
    message: "{at} may be any text",
    receiver: "A {receiver} of {old} refuses unknown values; one of {new} has to cope with them.",
    sender: "A {sender} keeps to the known values towards a {receiver} of {old}.",
    source: "An exhaustive `switch` needs a default.",
    hint: "Handle unknown values.",
  }),
  rule({
    id: "enum-closed",
    category: "wire",
    purpose: "A text may only be one of its known values.",
    on: "type",
    find: ({ relation }) => when(relation.kind === "enum" && relation.openness === "closed"),
    message: "{at} may only be one of its known values",
    receiver: "A {receiver} of {new} refuses unknown values.",
    sender: "A {sender} must keep to the known values.",
    source: "Other texts do not compile.",
    hint: "The overlay of {new} says under `conversions.up.{key}` what to substitute.",
  }),
  rule({
    id: "format-changed",
    category: "behaviour",
    purpose: "A text has another format.",
    on: "type",
    find: ({ relation, before, after }) =>
      when(relation.kind === "format", { before: printType(before), after: printType(after) }),
    message: "{at} has another format",
    receiver: "Formats are notes: a {receiver} should not refuse a text because of one.",
    sender: "A {sender} of {new} writes it in the new format.",
    source: "Nothing changes in types.",
    hint: "Accept both.",
  }),
  rule({
    id: "type-widened",
    category: "wire",
    purpose: "A place admits values that it did not admit.",
    on: "type",
    find: (pair) => becomes(pair, true, false),
    message: "{at} admits more",
    receiver: "A {receiver} of {old} refuses what is only valid in {new}.",
    sender: "A {sender} keeps to the narrower type towards a {receiver} of {old}.",
    source: "Reading it has to cope with more; writing it compiles as before.",
    hint: "The overlay of {new} says under `conversions.down.{key}` what becomes of the rest.",
  }),
  rule({
    id: "type-narrowed",
    category: "wire",
    purpose: "A place no longer admits certain values.",
    on: "type",
    find: (pair) => becomes(pair, false, true),
    message: "{at} admits less",
    receiver: "A {receiver} of {new} refuses part of what a {sender} of {old} may send.",
    sender: "A {sender} keeps to the narrower type once {new} was agreed upon.",
    source: "Writing it may not compile; reading it does as before.",
    hint: "The overlay of {new} says under `conversions.up.{key}` what becomes of the rest.",
  }),
  rule({
    id: "type-changed",
    category: "wire",
    purpose: "A place admits other values.",
    on: "type",
    find: (pair) => becomes(pair, false, false),
    message: "{at} is of another type",
    receiver: "A {receiver} refuses at least part of what a {sender} of the other revision sends.",
    sender: "A {sender} writes what the agreed revision says.",
    source: "Reading and writing it may not compile.",
    hint: "The overlay of {new} says under `conversions.up` and `conversions.down` what becomes of `{key}`.",
  }),
  rule({
    id: "type-restated",
    category: "source",
    purpose: "A place admits the same values, by another type.",
    on: "type",
    find: (pair) => becomes(pair, true, true),
    message: "{at} says the same in another way",
    receiver: "The messages are the same.",
    sender: "The messages are the same.",
    source: "Code that names the type may have to name the other one.",
    hint: "Nothing to do on the wire.",
  }),
  rule({
    id: "index-added",
    category: "source",
    purpose: "An object declares that it may have further members; it could have them before.",
    on: "index",
    find: ({ before, after }) => when(!before && !!after),
    message: "{owner} declares further members",
    receiver: "Unknown members were admitted before, of any type.",
    sender: "Unknown members were admitted before, of any type.",
    source: "Any member of it may be read and written.",
    hint: "Nothing to do on the wire.",
  }),
  rule({
    id: "index-removed",
    category: "source",
    purpose: "An object no longer declares that it may have further members; it may have them all the same.",
    on: "index",
    find: ({ before, after }) => when(!!before && !after),
    message: "{owner} no longer declares further members",
    receiver: "Unknown members are still admitted, of any type.",
    sender: "Unknown members are still admitted, of any type.",
    source: "Members that are not listed do not compile.",
    hint: "Put them into `_meta`, or read them through a type of your own.",
  }),
] as const;

function isOpen({ relation, before }: TypePair): boolean {
  return relation.kind === "enum" && relation.openness !== "opened" && before.kind === "enum" && before.open;
}

function without(names: readonly string[]): string {
  return names.length === 0 ? "nothing" : names.join(", ");
}
