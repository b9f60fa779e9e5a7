import type { MethodPair, MethodState } from "../pairs.js";
import { printCondition } from "../print-condition.js";
import { entryHints, rule, when, type Detail } from "../rule.js";

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

/** Of a method that a side may no longer send. */
const alternativeHints = {
  hint: "The overlay of {new} states under `conversions.up.{name}`, as `unsupported`, what to use instead.",
  withoutEntry: {
    direction: "up",
    key: "{name}",
    hint: "If there is an alternative, state it as `unsupported` under `conversions.up.{name}` in the overlay of {new}.",
  },
} as const;

export const methodRules = [
  rule({
    id: "method-added",
    category: "addition",
    purpose: "A request or notification was added that neither side could send before.",
    on: "method",
    find: ({ before, after, otherSender }) =>
      when(!before && !!after && !otherSender.before, { kind: after?.kind ?? "" }),
    message: "the {sender} may send the {kind} `{name}`",
    receiver:
      "A {receiver} of {old} replies to a request with -32601 and ignores a notification; a {receiver} of {new} must handle it.",
    sender: "A {sender} sends it only after {new} is negotiated.",
    source: "Handler maps and stubs have one more entry; existing code compiles.",
    hint: "Add a handler if you want the feature; check the availability table before you send it.",
  }),
  rule({
    id: "method-removed",
    category: "wire",
    purpose: "A request or notification was removed; neither side may send it any more.",
    on: "method",
    find: ({ before, after, otherSender }) =>
      when(!!before && !after && !otherSender.after, { kind: before?.kind ?? "" }),
    message: "the {kind} `{name}` of the {sender} was removed",
    receiver:
      "A {receiver} of {new} replies to a request with -32601 and ignores a notification; a {receiver} of {old} never gets it from a {sender} of {new}.",
    sender: "A {sender} must not send it once {new} is negotiated.",
    source: "Its handler entry, its stub and its types do not exist in {new}.",
    ...alternativeHints,
  }),
  rule({
    id: "method-sender-added",
    category: "addition",
    purpose: "A method that only one side could send may now be sent by both.",
    on: "method",
    find: ({ before, after, otherSender }) => when(!before && !!after && otherSender.before),
    message: "the {sender} may also send `{name}`",
    receiver: "A {receiver}, which could already send it, must also handle it.",
    sender: "A {sender} sends it only after {new} is negotiated.",
    source: "The {receiver}'s handler map has one more entry.",
    hint: "Dispatch by direction and method, never by method alone.",
  }),
  rule({
    id: "method-sender-removed",
    category: "wire",
    purpose: "A method that both sides could send may now be sent by only one of them.",
    on: "method",
    find: ({ before, after, otherSender }) => when(!!before && !after && otherSender.after),
    message: "the {sender} may no longer send `{name}`; the {receiver} still may",
    receiver: "A {receiver} of {new} does not expect it from a {sender}.",
    sender: "A {sender} must not send it once {new} is negotiated.",
    source: "The {receiver}'s handler map of {new} does not have it.",
    ...alternativeHints,
  }),
  rule({
    id: "method-in-band",
    category: "wire",
    purpose: "A request on the wire became a request inside a result.",
    on: "method",
    find: ({ before, after }) => when(!!before && !isInput(before) && isInput(after)),
    message:
      "`{name}` is no longer a request on the wire: it is part of a result, and its response is part of the next request",
    receiver:
      "A {receiver} of {new} replies to a request on the wire with -32601; it reads the question from a result, and repeats its own request with the answer.",
    sender:
      "A {sender} of {new} returns the question as the result of the request it handles, and gets the answer with the next request.",
    source: "No stub sends it; handlers return the question instead of awaiting the answer.",
    hint: "Ask through the runtime (`inputRequests`, `inputRequired`), which uses the form that the peer's revision needs.",
  }),
  rule({
    id: "method-on-wire",
    category: "wire",
    purpose: "A request inside a result became a request on the wire.",
    on: "method",
    find: ({ before, after }) => when(isInput(before) && !!after && !isInput(after)),
    message: "`{name}` is a request on the wire: it is no longer part of a result",
    receiver: "A {receiver} of {old} does not know the request on the wire.",
    sender: "A {sender} of {new} must send it as a request of its own.",
    source: "It has a stub and an entry in the {receiver}'s handler map.",
    hint: "Ask through the runtime, which uses the form that the peer's revision needs.",
  }),
  rule({
    id: "result-alternative-added",
    category: "wire",
    purpose: "A request may return another result type besides its own.",
    on: "method",
    find: ({ before, after }) =>
      before && after ? extra(after.alternatives, before.alternatives).map((type) => ({ type, after: type })) : [],
    message: "`{name}` may return {type} instead of its own result",
    receiver: "A {sender} that does not distinguish the alternatives takes {type} for the method's own result.",
    sender: "A {receiver} returns it only to a peer of {new}.",
    source: "The result's type is a union: compare its tag before you read from it.",
    hint: "Use the generated outcome type, which narrows by the tag.",
  }),
  rule({
    id: "result-alternative-removed",
    category: "wire",
    purpose: "A request no longer returns a certain result type.",
    on: "method",
    find: ({ before, after }) =>
      before && after ? extra(before.alternatives, after.alternatives).map((type) => ({ type, before: type })) : [],
    message: "`{name}` no longer returns {type}",
    receiver: "A {sender} of {old} that asked for {type} gets the method's own result.",
    sender: "A {receiver} must not return it once {new} is negotiated.",
    source: "Code that handles {type} is never reached in {new}.",
    ...entryHints("up", "how to convert it", { key: "{type}" }),
  }),
  rule({
    id: "params-type-changed",
    category: "source",
    purpose: "The params of a method have a different type.",
    on: "method",
    find: ({ before, after }) =>
      when(!!before && !!after && before.params !== after.params, {
        before: before?.params ?? "no params",
        after: after?.params ?? "no params",
      }),
    message: "the params of `{name}` have a different type",
    receiver: "Depends on how the two types differ.",
    sender: "Depends on how the two types differ.",
    source: "Code that names the type must name the new one.",
    hint: "Compare the two types with `mcpwright explain`.",
  }),
  rule({
    id: "params-required",
    category: "wire",
    purpose: "The params of a method became required.",
    on: "method",
    find: ({ before, after }) =>
      when(!!before?.paramsOptional && !!after && !after.paramsOptional, {
        before: "params optional",
        after: "params required",
      }),
    message: "`{name}` requires params",
    receiver: "A {receiver} of {new} rejects the message without params with -32602.",
    sender: "A {sender} must send them once {new} is negotiated; in {old} they are optional.",
    source: "The stub's argument is required.",
    hint: "The connection adds the `_meta` members that every request needs. Check the type for other required members.",
  }),
  rule({
    id: "params-optional",
    category: "wire",
    purpose: "The params of a method became optional.",
    on: "method",
    find: ({ before, after }) =>
      when(!!before && !before.paramsOptional && !!after?.paramsOptional, {
        before: "params required",
        after: "params optional",
      }),
    message: "`{name}` may be sent without params",
    receiver: "A {receiver} of {old} rejects the message without params with -32602.",
    sender: "A {sender} must still send them to a {receiver} of {old}.",
    source: "Handlers must handle their absence.",
    hint: "Send them as long as you support {old}.",
  }),
  rule({
    id: "result-type-changed",
    category: "source",
    purpose: "The result of a request has a different type.",
    on: "method",
    find: ({ before, after }) =>
      when(!!before?.result && !!after?.result && before.result !== after.result, {
        before: before?.result ?? "",
        after: after?.result ?? "",
      }),
    message: "the result of `{name}` has a different type",
    receiver: "Depends on how the two types differ.",
    sender: "Depends on how the two types differ.",
    source: "Code that names the type must name the new one.",
    hint: "Compare the two types with `mcpwright explain`.",
  }),
  rule({
    id: "capability-needed",
    category: "wire",
    purpose: "A method, or a use of it, needs a capability that it did not need.",
    on: "method",
    find: needed,
    message: "`{name}` needs the capability {capability}",
    receiver: "A {receiver} of {new} that has not declared it rejects the message.",
    sender: "A {sender} sends it only if the capability is declared.",
    source: "Types do not change; the runtime checks the capability before it sends.",
    hint: "Declare the capability where you offer the feature.",
  }),
  rule({
    id: "capability-not-needed",
    category: "wire",
    purpose: "A method, or a use of it, no longer needs a capability.",
    on: "method",
    find: unneeded,
    message: "`{name}` no longer needs the capability {capability}",
    receiver:
      "A {receiver} of {new} can receive the method even if it has not declared the capability; a {receiver} of {old} may reject it.",
    sender: "A {sender} still needs the capability to send it to a {receiver} of {old}.",
    source: "Types do not change.",
    hint: "Check whether another capability replaced it.",
  }),
  rule({
    id: "stream-opened",
    category: "wire",
    purpose: "A request opens a stream of notifications, or no longer does.",
    on: "method",
    find: ({ before, after }) =>
      when(!!before && !!after && before.opensStream !== after.opensStream, {
        before: before?.opensStream ? "a stream of notifications" : "a single response",
        after: after?.opensStream ? "a stream of notifications" : "a single response",
      }),
    message: "`{name}` returns {after} instead of {before}",
    receiver: "A {receiver} must keep the request open if it opens a stream, and must not otherwise.",
    sender: "A {sender} must keep reading if the request opens a stream, and must not otherwise.",
    source: "The stub returns a subscription instead of a promise, or the reverse.",
    hint: "Use the generated stub.",
  }),
  rule({
    id: "routing-changed",
    category: "behaviour",
    purpose: "Intermediaries route a request by a different member of its params.",
    on: "method",
    find: ({ before, after }) =>
      when(!!before && !!after && before.routedBy !== after.routedBy, {
        before: before?.routedBy ?? "its method only",
        after: after?.routedBy ?? "its method only",
      }),
    message: "`{name}` is routed by {after}",
    receiver: "A {receiver} of {new} compares the header with the params and rejects a mismatch.",
    sender: "Over HTTP, a {sender} of {new} repeats the member in a header.",
    source: "Handlers do not change; the transport does it.",
    hint: "Let proxies pass the header through.",
  }),
] as const;
