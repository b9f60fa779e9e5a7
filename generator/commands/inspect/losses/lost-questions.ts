import type { ConvertedPart, Side } from "@mcpwright/protocol/contract";
import { lossesOf } from "@mcpwright/runtime/gateway/losses";
import { canAsk, type KnownServer } from "./known-server.js";
import type { FoundLoss } from "./revision-losses.js";

/** What can be lost of questions of a server, of the answers of clients, and of the notifications about them. */
export function lostQuestions(server: KnownServer, from: Side, to: Side): readonly FoundLoss[] {
  if (!canAsk(server)) return [];
  const { requests, inputs = {}, notifications } = from.receives;
  const questions = methodsFor(requests).concat(methodsFor(inputs));
  return [
    ...questions.flatMap((method) => [...lost(from, to, "params", method), ...lost(to, from, "results", method)]),
    ...methodsFor(notifications).flatMap((method) => lost(from, to, "notifications", method)),
  ];
}

/** The methods that need a capability of clients; others, such as pings, do not concern users. */
function methodsFor(rows: Readonly<Record<string, { readonly capability: unknown }>>): readonly string[] {
  return Object.entries(rows)
    .filter(([, { capability }]) => typeof capability === "string" && capability.startsWith("client."))
    .map(([method]) => method);
}

function lost(from: Side, to: Side, part: ConvertedPart, method: string): readonly FoundLoss[] {
  const direction = part === "results" ? "toServer" : "toClient";
  const losses = lossesOf({ from: from.revision, to: to.revision, sender: "server", part, method });
  return losses.map(({ kind, at, text }) => ({ direction, method, kind, at, text, certainty: "possible" }));
}
