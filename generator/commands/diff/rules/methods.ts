import type { MethodPair, MethodState } from "../pairs.js";
import { printCondition } from "../print-condition.js";
import { rule, when, type Detail } from "../rule.js";

const isInput = (state: MethodState | undefined): boolean => state?.kind === "input request";

/** Entries that only one of two lists has. */
function extra(list: readonly string[] = [], others: readonly string[] = []): readonly string[] {
  return list.filter((item) => !others.includes(item));
}

function capabilities(state: MethodState | undefined): readonly string[] {
  return state?.conditions.map(printCondition) ?? [];
}

function all(before: MethodState, after: MethodState): Detail {
  const list = (state: MethodState): string =>
    `needs ${[...(state.capability === null ? [] : [state.capability]), ...capabilities(state)].join(", ") || "nothing"}`;
  return { before: list(before), after: list(after) };
}

/** The capability that the newer revision wants and the older one does not. */
function needed({ before, after }: MethodPair): readonly Detail[] {
  if (!before || !after) return [];
  const whole = after.capability !== null && after.capability !== before.capability ? [after.capability] : [];
  return [...whole, ...extra(capabilities(after), capabilities(before))].map((capability) => ({
    capability,
    ...all(before, after),
  }));
}

function unneeded({ before, after }: MethodPair): readonly Detail[] {
  if (!before || !after) return [];
  const whole = before.capability !== null && after.capability !== before.capability ? [before.capability] : [];
  return [...whole, ...extra(capabilities(before), capabilities(after))].map((capability) => ({
    capability,
    ...all(before, after),
  }));
}

export const methodRules = [
  rule({
    id: "method-added",
    category: "addition",
    purpose: "A side may send a request or notification that nobody could send before.",
    on: "method",
    find: ({ before, after, otherSender }) =>
      when(!before && !!after && !otherSender.before, { kind: after?.kind ?? "" }),
    message: "the {sender} may send the {kind} `{name}`",
    receiver:
      "A {receiver} of {old} answers a request with -32601 and ignores a notification; one of {new} has to handle it.",
    sender: "A {sender} sends it only when {new} was agreed upon.",
    source: "Handler maps and stubs have one entry more; existing code compiles.",
    hint: "Add a handler where the feature is wanted; ask the availability table before sending.",
  }),
  rule({
    id: "method-removed",
    category: "wire",
    purpose: "A side may no longer send a request or notification, and neither may the other one.",
    on: "method",
    find: ({ before, after, otherSender }) =>
      when(!!before && !after && !otherSender.after, { kind: before?.kind ?? "" }),
    message: "the {kind} `{name}` of the {sender} is gone",
    receiver:
      "A {receiver} of {new} answers a request with -32601 and ignores a notification; one of {old} waits for it in vain.",
    sender: "A {sender} must not send it once {new} was agreed upon.",
    source: "Its handler entry, its stub and its types do not exist in {new}.",
    hint: "The overlay of {new} says under `conversions.up.{name}` what to do instead (`unsupported`).",
  }),
  rule({
    id: "method-sender-added",
    category: "addition",
    purpose: "A method that only one side could send may be sent by the other one, too.",
    on: "method",
    find: ({ before, after, otherSender }) => when(!before && !!after && otherSender.before),
    message: "the {sender} may send `{name}`, too",
    receiver: "A {receiver} has to handle it in both directions.",
    sender: "A {sender} sends it only when {new} was agreed upon.",
    source: "The {receiver}'s handler map has one entry more.",
    hint: "Dispatch by direction and method, never by method alone.",
  }),
  rule({
    id: "method-sender-removed",
    category: "wire",
    purpose: "A method that both sides could send is left to one of them.",
    on: "method",
    find: ({ before, after, otherSender }) => when(!!before && !after && otherSender.after),
    message: "the {sender} may no longer send `{name}`; the {receiver} still may",
    receiver: "A {receiver} of {new} does not expect it from a {sender}.",
    sender: "A {sender} must not send it once {new} was agreed upon.",
    source: "The {receiver}'s handler map of {new} lacks it.",
    hint: "The overlay of {new} says under `conversions.up.{name}` what to do instead (`unsupported`).",
  }),
  rule({
    id: "method-in-band",
    category: "wire",
    purpose: "A request of its own on the wire became one that is carried inside a result.",
    on: "method",
    find: ({ before, after }) => when(!!before && !isInput(before) && isInput(after)),
    message: "`{name}` is no wire request any more: it travels inside a result, and its answer inside the next request",
    receiver:
      "A {receiver} of {new} answers the bare request with -32601; it finds the question in a result and repeats its own request with the answer.",
    sender: "A {sender} of {new} answers the request it is working on with the question, and is called again.",
    source: "There is no stub that sends it; handlers return what they want to ask instead of awaiting it.",
    hint: "Ask through the runtime (`ask`, `inputRequired`): it does either, as the peer's revision wants it.",
  }),
  rule({
    id: "method-on-wire",
    category: "wire",
    purpose: "What was carried inside a result became a request of its own on the wire.",
    on: "method",
    find: ({ before, after }) => when(isInput(before) && !!after && !isInput(after)),
    message: "`{name}` is a wire request: it no longer travels inside a result",
    receiver: "A {receiver} of {old} does not know the bare request.",
    sender: "A {sender} of {new} must send it by itself.",
    source: "It has a stub and an entry in the {receiver}'s handler map.",
    hint: "Ask through the runtime: it does either, as the peer's revision wants it.",
  }),
  rule({
    id: "result-alternative-added",
    category: "wire",
    purpose: "A request may be answered by another kind of result than its own.",
    on: "method",
    find: ({ before, after }) =>
      before && after ? extra(after.alternatives, before.alternatives).map((type) => ({ type, after: type })) : [],
    message: "`{name}` may be answered by {type} instead of its own result",
    receiver: "A {sender} that does not tell the alternatives apart takes {type} for the method's own result.",
    sender: "A {receiver} gives it only to a peer that speaks {new}.",
    source: "The result's type is a union: compare its tag before you read from it.",
    hint: "Use the generated outcome type; it narrows by the tag.",
  }),
  rule({
    id: "result-alternative-removed",
    category: "wire",
    purpose: "A request is no longer answered by a certain kind of result.",
    on: "method",
    find: ({ before, after }) =>
      before && after ? extra(before.alternatives, after.alternatives).map((type) => ({ type, before: type })) : [],
    message: "`{name}` is no longer answered by {type}",
    receiver: "A {sender} of {old} that asked for {type} gets the method's own result.",
    sender: "A {receiver} must not give it once {new} was agreed upon.",
    source: "Code that handles {type} is never reached for {new}.",
    hint: "The overlay of {new} says under `conversions.up.{type}` what becomes of it.",
  }),
  rule({
    id: "params-type-changed",
    category: "source",
    purpose: "A method has params of another type.",
    on: "method",
    find: ({ before, after }) =>
      when(!!before && !!after && before.params !== after.params, {
        before: before?.params ?? "no params",
        after: after?.params ?? "no params",
      }),
    message: "the params of `{name}` are of another type",
    receiver: "Depends on how the two types differ.",
    sender: "Depends on how the two types differ.",
    source: "Code that names the type has to name the other one.",
    hint: "Compare the two types with `mcpwright explain`.",
  }),
  rule({
    id: "params-required",
    category: "wire",
    purpose: "A method's params may no longer be left out.",
    on: "method",
    find: ({ before, after }) =>
      when(!!before?.paramsOptional && !!after && !after.paramsOptional, {
        before: "params optional",
        after: "params required",
      }),
    message: "`{name}` needs params",
    receiver: "A {receiver} of {new} refuses the message without params with -32602.",
    sender: "A {sender} of {old} may leave them out and has to learn not to.",
    source: "The stub's argument is required.",
    hint: "The connection adds what every request carries; see what else the type requires.",
  }),
  rule({
    id: "params-optional",
    category: "wire",
    purpose: "A method's params may be left out.",
    on: "method",
    find: ({ before, after }) =>
      when(!!before && !before.paramsOptional && !!after?.paramsOptional, {
        before: "params required",
        after: "params optional",
      }),
    message: "`{name}` may come without params",
    receiver: "A {receiver} of {old} refuses the message without params with -32602.",
    sender: "A {sender} gives them to a {receiver} of {old} all the same.",
    source: "Handlers have to allow for their absence.",
    hint: "Send them as long as {old} is spoken.",
  }),
  rule({
    id: "result-type-changed",
    category: "source",
    purpose: "A request is answered by a result of another type.",
    on: "method",
    find: ({ before, after }) =>
      when(!!before?.result && !!after?.result && before.result !== after.result, {
        before: before?.result ?? "",
        after: after?.result ?? "",
      }),
    message: "the result of `{name}` is of another type",
    receiver: "Depends on how the two types differ.",
    sender: "Depends on how the two types differ.",
    source: "Code that names the type has to name the other one.",
    hint: "Compare the two types with `mcpwright explain`.",
  }),
  rule({
    id: "capability-needed",
    category: "wire",
    purpose: "A method, or a use of it, asks for a capability that it did not ask for.",
    on: "method",
    find: needed,
    message: "`{name}` needs the capability {capability}",
    receiver: "A {receiver} of {new} that has not declared it refuses the message.",
    sender: "A {sender} sends it only when the capability was declared.",
    source: "Nothing changes in types; the runtime checks it before sending.",
    hint: "Declare the capability where the feature is served.",
  }),
  rule({
    id: "capability-not-needed",
    category: "wire",
    purpose: "A method, or a use of it, no longer asks for a capability.",
    on: "method",
    find: unneeded,
    message: "`{name}` does not need the capability {capability} any more",
    receiver: "A {receiver} of {new} may be sent it without having declared anything; one of {old} may refuse it.",
    sender: "A {sender} still needs it towards a {receiver} of {old}.",
    source: "Nothing changes in types.",
    hint: "Check whether something else took its place.",
  }),
  rule({
    id: "stream-opened",
    category: "wire",
    purpose: "A request opens a stream of notifications, or no longer does.",
    on: "method",
    find: ({ before, after }) =>
      when(!!before && !!after && before.opensStream !== after.opensStream, {
        before: before?.opensStream ? "opens a stream" : "one answer",
        after: after?.opensStream ? "opens a stream" : "one answer",
      }),
    message: "what answers `{name}` changed from {before} to {after}",
    receiver: "A {receiver} has to keep the request open, or must not.",
    sender: "A {sender} has to read on after the first message, or must not.",
    source: "The stub returns a subscription instead of a promise, or the other way round.",
    hint: "Use the generated stub.",
  }),
  rule({
    id: "routing-changed",
    category: "behaviour",
    purpose: "Intermediaries route a request by another member of its params.",
    on: "method",
    find: ({ before, after }) =>
      when(!!before && !!after && before.routedBy !== after.routedBy, {
        before: before?.routedBy ?? "by its method only",
        after: after?.routedBy ?? "by its method only",
      }),
    message: "`{name}` is routed by {after}",
    receiver: "A {receiver} of {new} compares the header with the params and refuses a difference.",
    sender: "Over HTTP a {sender} of {new} repeats the member in a header.",
    source: "Nothing changes; the transport does it.",
    hint: "Let proxies pass the header on.",
  }),
] as const;
