import type { MemberModel } from "../../../shared/model/protocol.js";
import { entryHints, rule, when } from "../rule.js";

export const memberRules = [
  rule({
    id: "member-added",
    category: "addition",
    purpose: "An object has a new optional member.",
    on: "member",
    find: ({ before, after, isEnvelope }) => when(!before && !!after?.optional && !isEnvelope),
    message: "{at} is new and optional",
    receiver: "A {receiver} of {old} does not read it; a {receiver} of {new} does not get it from a {sender} of {old}.",
    sender: "A {sender} may send it to any {receiver}, but cannot rely on a {receiver} of {old} to act on it.",
    source: "Existing code compiles; code that reads it must handle `undefined`.",
    hint: "Decide what its absence means.",
  }),
  rule({
    id: "member-added-required",
    category: "wire",
    purpose: "An object has a new required member.",
    on: "member",
    find: ({ before, after, isEnvelope }) => when(!before && !!after && !after.optional && !isEnvelope),
    message: "{at} is new and required",
    receiver: "A {receiver} of {new} rejects what a {sender} of {old} sends, because the member is missing.",
    sender: "A {sender} must send it once {new} is negotiated.",
    source: "Code that creates the object does not compile without it.",
    ...entryHints("up", "what to fill in"),
  }),
  rule({
    id: "member-removed",
    category: "wire",
    purpose: "An object lost an optional member.",
    on: "member",
    find: ({ before, after, isEnvelope, isUnlisted, successors }) =>
      when(!!before?.optional && !after && !isEnvelope && !isUnlisted, { perhaps: perhaps(successors) }),
    message: "{at} was removed",
    receiver: "A {receiver} of {new} does not act on it; unknown members are accepted and kept.",
    sender: "A {sender} of {new} does not send it; a {sender} of {old} cannot rely on its effect.",
    source: "Code that reads or writes it does not compile.",
    hint: "{perhaps}The overlay of {new} states under `conversions.up.{key}` how to convert a message that has it.",
    withoutEntry: {
      direction: "up",
      key: "{key}",
      hint: "{perhaps}A converted message keeps the member. If that changes its meaning, add `drop` or `unsupported` under `conversions.up.{key}` to the overlay of {new}.",
    },
  }),
  rule({
    id: "member-unlisted",
    category: "source",
    purpose: "An optional member is no longer listed, in an object that now allows any member.",
    on: "member",
    find: ({ before, after, isUnlisted }) => when(!!before?.optional && !after && isUnlisted),
    message: "{at} is allowed, but no longer listed",
    receiver: "A {receiver} of {new} must check it before use: it may have any type.",
    sender: "A {sender} may still send it.",
    source: "Its type is `unknown`.",
    hint: "Narrow it before you read from it.",
  }),
  rule({
    id: "required-member-removed",
    category: "wire",
    purpose: "An object lost a required member.",
    on: "member",
    find: ({ before, after, isEnvelope, successors }) =>
      when(!!before && !before.optional && !after && !isEnvelope, { perhaps: perhaps(successors) }),
    message: "the required member {at} was removed",
    receiver: "A {receiver} of {old} rejects what a {sender} of {new} sends, because the member is missing.",
    sender: "A {sender} must still send it to a {receiver} of {old}.",
    source: "Code that reads it does not compile.",
    ...entryHints("down", "what to fill in", { before: "{perhaps}" }),
  }),
  rule({
    id: "member-required",
    category: "wire",
    purpose: "An optional member became required.",
    on: "member",
    find: ({ before, after }) => when(!!before?.optional && !!after && !after.optional),
    message: "{at} became required",
    receiver: "A {receiver} of {new} rejects what a {sender} of {old} sends without it.",
    sender: "A {sender} must send it once {new} is negotiated; in {old} it is optional.",
    source: "Code that creates the object without it does not compile.",
    ...entryHints("up", "what to fill in"),
  }),
  rule({
    id: "member-optional",
    category: "wire",
    purpose: "A required member became optional.",
    on: "member",
    find: ({ before, after }) => when(!!before && !before.optional && !!after?.optional),
    message: "{at} became optional",
    receiver: "A {receiver} of {old} rejects what a {sender} of {new} sends without it.",
    sender: "A {sender} must still send it to a {receiver} of {old}.",
    source: "Code that reads it must handle `undefined`.",
    ...entryHints("down", "what to fill in"),
  }),
  rule({
    id: "envelope-declared",
    category: "source",
    purpose:
      "A message type now declares an envelope member such as `jsonrpc`, or no longer declares it; messages have the member in both cases.",
    on: "member",
    find: ({ before, after, isEnvelope }) =>
      when(isEnvelope && !before !== !after, { what: after ? "lists" : "no longer lists" }),
    message: "{owner} {what} the envelope member `{member}`",
    receiver: "The messages do not change.",
    sender: "The messages do not change.",
    source: "The TypeScript type gains or loses the member.",
    hint: "Leave envelopes to the runtime.",
  }),
  rule({
    id: "default-changed",
    category: "behaviour",
    purpose: "An absent member stands for a different value.",
    on: "member",
    find: ({ before, after }) =>
      when(!!before && !!after && before.default !== after.default, {
        before: printDefault(before),
        after: printDefault(after),
      }),
    message: "the default of {at} changed",
    receiver: "A {receiver} reads an absent member as a different value.",
    sender: "A {sender} that means the old default must send it.",
    source: "Types do not change.",
    hint: "Send the value instead of leaving it out.",
  }),
  rule({
    id: "member-deprecated",
    category: "deprecation",
    purpose: "A member became deprecated.",
    on: "member",
    find: ({ before, after }) =>
      when(!!after?.deprecated && !!before && !before.deprecated, { instead: after?.deprecated?.text ?? "" }),
    message: "{at} is deprecated",
    receiver: "A {receiver} must still accept it.",
    sender: "A {sender} should avoid it.",
    source: "Editors strike the name through.",
    hint: "{instead}",
  }),
] as const;

function printDefault(member: MemberModel | undefined): string {
  return member?.default === undefined ? "no default" : JSON.stringify(member.default);
}

function perhaps(successors: readonly string[]): string {
  return successors.length === 0
    ? ""
    : `${successors.map((name) => `\`${name}\``).join(" or ")} has the same type and may be its new name. `;
}
