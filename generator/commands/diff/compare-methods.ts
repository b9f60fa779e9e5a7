import type { ProtocolModel } from "../../shared/model/protocol.js";
import { inSchema, states, type Comparison, type Emit } from "./comparison.js";
import type { MethodState } from "./pairs.js";
import { alternativesOf } from "./senders.js";

/** Pairs up methods by name and sender. */
export function compareMethods({ before, after, formerNames }: Comparison, emit: Emit): void {
  const [was, is] = [methodsOf(before), methodsOf(after)];
  for (const at of new Set([...was.keys(), ...is.keys()])) {
    const [old, now] = [was.get(at), is.get(at)];
    const either = now ?? old;
    if (!either) continue;
    const { sender, method } = either;
    const other = `${sender === "client" ? "server" : "client"} ${method}`;
    const oldName = old && (formerNames.get(old.type) ?? old.type);
    emit("method", {
      at,
      senders: [sender],
      otherSender: { before: was.has(other), after: is.has(other) },
      ...states(old, now, old && inSchema(oldName ?? ""), now && inSchema(now.type)),
    });
  }
}

/** `side method` -> what is said of it. */
export function methodsOf(model: ProtocolModel): ReadonlyMap<string, MethodState> {
  const all: readonly MethodState[] = [
    ...model.requests.map(({ result, stream, ...request }) => ({
      ...request,
      kind: "request" as const,
      result: result.type,
      alternatives: alternativesOf(result, model),
      opensStream: stream !== undefined,
    })),
    ...model.notifications.map((notification) => ({ ...notification, ...plain, kind: "notification" as const })),
    ...model.inputRequests.map((request) => ({
      ...request,
      ...plain,
      conditions: request.conditions,
      kind: "input request" as const,
      sender: "server" as const,
    })),
  ];
  return new Map(all.map((state) => [`${state.sender} ${state.method}`, state]));
}

const plain = { conditions: [], alternatives: [], opensStream: false };
