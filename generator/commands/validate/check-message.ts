import { isObject } from "../../shared/is-object.js";
import { checkResponse } from "./check-response.js";
import type { RecordEntry } from "./record-entry.js";
import type { RevisionFacts } from "./revision-facts.js";
import type { FindingCollector, MessagePath } from "./finding-collector.js";
import { checkNotification } from "./check-notification.js";
import { checkRequest } from "./check-request.js";
import type { RuleContext } from "./rule-context.js";
import type { ConversationState } from "./conversation-state.js";

/** Checks one line of a conversation. @returns the number of messages in it */
export function checkEntry(
  { line, from, message }: RecordEntry,
  state: ConversationState,
  facts: RevisionFacts,
  findings: FindingCollector,
): number {
  const context = (path: MessagePath, inBatch: boolean): RuleContext => ({
    from,
    line,
    inBatch,
    state,
    facts,
    report: findings.at(line, path),
  });
  if (!Array.isArray(message)) {
    checkMessage(message, context([], false));
    return 1;
  }
  const { report } = context([], true);
  const link = facts.link("profile", "batch");
  if (!facts.profile.batch) report("batch", [], `${facts.revision} has no batches`, link);
  else if (message.length === 0) report("batch", [], "the batch is empty", link);
  (message as unknown[]).forEach((one, index) => checkMessage(one, context([index], true)));
  return message.length;
}

function checkMessage(message: unknown, context: RuleContext): void {
  const { facts, report } = context;
  if (!isObject(message))
    return report("envelope", [], "the message is not an object", facts.link("definition", "JSONRPCMessage"));
  const has = (member: string): boolean => Object.hasOwn(message, member) && message[member] !== undefined;
  // Newer schemas rename the two responses; both names have the same shape.
  const failure = facts.model.definitions.some(({ name }) => name === "JSONRPCError")
    ? "JSONRPCError"
    : "JSONRPCErrorResponse";
  const success = failure === "JSONRPCError" ? "JSONRPCResponse" : "JSONRPCResultResponse";
  const [type, next] = has("method")
    ? Object.hasOwn(message, "id")
      ? (["JSONRPCRequest", checkRequest] as const)
      : (["JSONRPCNotification", checkNotification] as const)
    : has("error")
      ? ([failure, checkResponse] as const)
      : ([success, checkResponse] as const);
  if (!has("method") && has("error") === has("result"))
    return report(
      "envelope",
      [],
      "the message has no method, and not one of result and error",
      facts.link("definition", "JSONRPCMessage"),
    );
  // The rules for each method report issues in params and results.
  const around = facts
    .check(type, message)
    .filter(({ path: [first, ...rest] }) => rest.length === 0 || (first !== "params" && first !== "result"));
  for (const { path, expected, received } of around)
    report("envelope", path, `expected ${expected}, received ${received}`, facts.link("definition", type));
  if (around.length === 0) next(message, context);
}
