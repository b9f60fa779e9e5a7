import type { ProtocolModel, RequestModel, Side } from "../../shared/model/protocol.js";
import { pageItems } from "./page-items.js";

/** The names of types, nested like the predicates in the descriptors of a side. */
interface Types {
  readonly [member: string]: string | Types | undefined;
}

/** The types of all predicates in the descriptors of a side, in the order in which JavaScript lists them. */
export function receivedTypes(side: Side, model: ProtocolModel): readonly string[] {
  const { requests, notifications, inputRequests } = model;
  const byMethod = <Message extends { readonly method: string }>(
    messages: readonly Message[],
    typesOf: (message: Message) => Types,
  ): Types => Object.fromEntries(messages.map((message) => [message.method, typesOf(message)]));
  const isClient = side === "client";
  return namesIn({
    requests: byMethod(
      requests.filter(({ sender }) => sender !== side),
      ({ params, result }) => ({ params, answer: isClient ? result.type : undefined }),
    ),
    notifications: byMethod(
      notifications.filter(({ sender }) => sender !== side),
      ({ params }) => ({ params }),
    ),
    results: byMethod(
      requests.filter(({ sender }) => sender === side),
      (request) => resultTypes(request, model),
    ),
    inputs: isClient ? byMethod(inputRequests, ({ params, result }) => ({ params, answer: result })) : undefined,
    answers: isClient ? undefined : byMethod(inputRequests, ({ result }) => ({ result })),
  });
}

function resultTypes(request: RequestModel, model: ProtocolModel): Types {
  const { result } = request;
  const alternatives = (model.resultTag?.alternatives ?? []).filter(
    ({ value }) => result.kind === "tagged" && result.alternatives.includes(value),
  );
  const items = pageItems(request, model);
  return {
    result: result.type,
    alternative: result.kind === "presence" ? result.alternative : undefined,
    alternatives: Object.fromEntries(alternatives.map(({ value, type }) => [value, type])),
    item: items?.kind === "reference" ? items.name : undefined,
  };
}

function namesIn(types: Types): readonly string[] {
  return Object.values(types).flatMap((entry) =>
    entry === undefined ? [] : typeof entry === "string" ? [entry] : namesIn(entry),
  );
}
