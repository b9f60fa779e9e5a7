import { isObject } from "../../shared/is-object.js";
import { hearAnswer } from "./answers.js";
import type { Entry } from "./entry.js";
import type { Facts } from "./facts.js";
import type { Findings, Path } from "./finding.js";
import { hearNotification } from "./notifications.js";
import { hearRequest } from "./requests.js";
import type { Scene } from "./scene.js";
import type { State } from "./state.js";

/** Looks at one line of a conversation. @returns how many messages it holds */
export function hear({ line, from, message }: Entry, state: State, facts: Facts, findings: Findings): number {
  const scene = (path: Path, inBatch: boolean): Scene => ({
    from,
    line,
    inBatch,
    state,
    facts,
    tell: findings.at(line, path),
  });
  if (!Array.isArray(message)) {
    hearOne(message, scene([], false));
    return 1;
  }
  const { tell } = scene([], true);
  const link = facts.link("profile", "batch");
  if (!facts.profile.batch) tell("batch", [], `${facts.revision} has no batches`, link);
  else if (message.length === 0) tell("batch", [], "the batch is empty", link);
  (message as unknown[]).forEach((one, index) => hearOne(one, scene([index], true)));
  return message.length;
}

function hearOne(message: unknown, scene: Scene): void {
  const { facts, tell } = scene;
  if (!isObject(message))
    return tell("envelope", [], "the message is no object", facts.link("definition", "JSONRPCMessage"));
  const has = (member: string): boolean => Object.hasOwn(message, member) && message[member] !== undefined;
  // The newer schemas call the two answers differently; both names lead to one shape.
  const failure = facts.model.definitions.some(({ name }) => name === "JSONRPCError")
    ? "JSONRPCError"
    : "JSONRPCErrorResponse";
  const success = failure === "JSONRPCError" ? "JSONRPCResponse" : "JSONRPCResultResponse";
  const [type, next] = has("method")
    ? Object.hasOwn(message, "id")
      ? (["JSONRPCRequest", hearRequest] as const)
      : (["JSONRPCNotification", hearNotification] as const)
    : has("error")
      ? ([failure, hearAnswer] as const)
      : ([success, hearAnswer] as const);
  if (!has("method") && has("error") === has("result"))
    return tell(
      "envelope",
      [],
      "the message has no method, and not one of result and error",
      facts.link("definition", "JSONRPCMessage"),
    );
  // What is wrong inside of params and results is said by the rules that know the method.
  const around = facts
    .check(type, message)
    .filter(({ path: [first, ...rest] }) => rest.length === 0 || (first !== "params" && first !== "result"));
  for (const { path, expected, received } of around)
    tell("envelope", path, `expected ${expected}, received ${received}`, facts.link("definition", type));
  if (around.length === 0) next(message, scene);
}
