import type { MemberModel } from "../../../shared/model/protocol.js";
import { rule, when } from "../rule.js";

export const memberRules = [
  rule({
    id: "member-added",
    category: "addition",
    purpose: "An object has a member more, which may be absent.",
    on: "member",
    find: ({ before, after, isEnvelope }) => when(!before && !!after?.optional && !isEnvelope),
    message: "{at} is new and may be absent",
    receiver:
      "A {receiver} of {old} leaves it unread; one of {new} does not find it in what a {sender} of {old} sends.",
    sender: "A {sender} may send it to any {receiver}, but must not count on one of {old} to act on it.",
    source: "Nothing has to change; reading it has to allow for `undefined`.",
    hint: "Give it a meaning when it is absent.",
  }),
  rule({
    id: "member-added-required",
    category: "wire",
    purpose: "An object has a member more, which must be there.",
    on: "member",
    find: ({ before, after, isEnvelope }) => when(!before && !!after && !after.optional && !isEnvelope),
    message: "{at} is new and required",
    receiver: "A {receiver} of {new} refuses what a {sender} of {old} sends, because it is missing there.",
    sender: "A {sender} has to send it once {new} was agreed upon.",
    source: "Code that makes such an object does not compile without it.",
    hint: "The overlay of {new} says under `conversions.up.{key}` what to fill in.",
  }),
  rule({
    id: "member-removed",
    category: "wire",
    purpose: "An object lost a member that could be absent.",
    on: "member",
    find: ({ before, after, isEnvelope, isUnlisted, successors }) =>
      when(!!before?.optional && !after && !isEnvelope && !isUnlisted, { perhaps: perhaps(successors) }),
    message: "{at} is gone",
    receiver: "A {receiver} of {new} does not act on it; unknown members survive.",
    sender: "A {sender} of {new} does not send it; one of {old} must not count on it.",
    source: "Reading or writing it does not compile.",
    hint: "{perhaps}Where something is lost by it, the overlay of {new} states a `drop` under `conversions.up.{key}`.",
  }),
  rule({
    id: "member-unlisted",
    category: "source",
    purpose: "A member that could be absent is not listed any more, in an object that admits any member now.",
    on: "member",
    find: ({ before, after, isUnlisted }) => when(!!before?.optional && !after && isUnlisted),
    message: "{at} is admitted, but no longer listed",
    receiver: "A {receiver} of {new} has to check it before use: it may be anything.",
    sender: "A {sender} may go on sending it.",
    source: "Reading it gives `unknown`.",
    hint: "Narrow it before reading from it.",
  }),
  rule({
    id: "required-member-removed",
    category: "wire",
    purpose: "An object lost a member that had to be there.",
    on: "member",
    find: ({ before, after, isEnvelope, successors }) =>
      when(!!before && !before.optional && !after && !isEnvelope, { perhaps: perhaps(successors) }),
    message: "{at} is gone, which was required",
    receiver: "A {receiver} of {old} refuses what a {sender} of {new} sends, because it is missing there.",
    sender: "A {sender} has to go on sending it to a {receiver} of {old}.",
    source: "Reading it does not compile.",
    hint: "{perhaps}The overlay of {new} says under `conversions.down.{key}` what to fill in.",
  }),
  rule({
    id: "member-required",
    category: "wire",
    purpose: "A member that could be absent must be there.",
    on: "member",
    find: ({ before, after }) => when(!!before?.optional && !!after && !after.optional),
    message: "{at} became required",
    receiver: "A {receiver} of {new} refuses what a {sender} of {old} sends without it.",
    sender: "A {sender} of {old} may leave it out; it has to send it once {new} was agreed upon.",
    source: "Code that makes such an object without it does not compile.",
    hint: "The overlay of {new} says under `conversions.up.{key}` what to fill in.",
  }),
  rule({
    id: "member-optional",
    category: "wire",
    purpose: "A member that had to be there may be absent.",
    on: "member",
    find: ({ before, after }) => when(!!before && !before.optional && !!after?.optional),
    message: "{at} became optional",
    receiver: "A {receiver} of {old} refuses what a {sender} of {new} sends without it.",
    sender: "A {sender} has to go on sending it to a {receiver} of {old}.",
    source: "Reading it has to allow for `undefined`.",
    hint: "The overlay of {new} says under `conversions.down.{key}` what to fill in.",
  }),
  rule({
    id: "envelope-declared",
    category: "source",
    purpose: "A message type lists what its envelope has anyway, or no longer does.",
    on: "member",
    find: ({ before, after, isEnvelope }) =>
      when(isEnvelope && !before !== !after, { what: after ? "lists" : "no longer lists" }),
    message: "{owner} {what} `{member}` of its envelope",
    receiver: "The messages are the same.",
    sender: "The messages are the same.",
    source: "Objects of this type have the member, or do not.",
    hint: "Leave envelopes to the runtime.",
  }),
  rule({
    id: "default-changed",
    category: "behaviour",
    purpose: "The absence of a member stands for another value.",
    on: "member",
    find: ({ before, after }) =>
      when(!!before && !!after && before.default !== after.default, {
        before: printDefault(before),
        after: printDefault(after),
      }),
    message: "the default of {at} changed",
    receiver: "A {receiver} takes its absence for another value.",
    sender: "A {sender} that means the older default has to say so.",
    source: "Nothing changes in types.",
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
    receiver: "A {receiver} still has to accept it.",
    sender: "A {sender} should do without it.",
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
