import type { RequestModel, Side } from "../../shared/model/protocol.js";
import type { RevisionFacts } from "./revision-facts.js";
import type { MessagePath, Report } from "./finding-collector.js";
import type { ConversationState } from "./conversation-state.js";
import { shownValue } from "./json-values.js";

/** The context of a message: its sender, the state of the conversation and the revision. */
export interface RuleContext {
  readonly from: Side;
  readonly line: number;
  readonly inBatch: boolean;
  readonly state: ConversationState;
  readonly facts: RevisionFacts;
  readonly report: Report;
}

/** Reports each issue of a value of a schema type. */
export function checkType(
  rule: "params" | "result" | "question",
  type: string,
  value: unknown,
  path: MessagePath,
  { facts, report }: RuleContext,
  link = facts.link("definition", type),
): void {
  for (const issue of facts.check(type, value))
    report(rule, [...path, ...issue.path], `expected ${issue.expected}, received ${issue.received}`, link);
}

/** Reports once that a revision deprecates a method. */
export function reportDeprecated(
  { method, deprecated, link }: Pick<RequestModel, "method" | "deprecated" | "link">,
  path: MessagePath,
  { state, facts, report }: RuleContext,
): void {
  if (!deprecated || state.deprecated.has(method)) return;
  state.deprecated.add(method);
  report("deprecated", path, `${facts.revision} deprecates ${shownValue(method)}: ${deprecated.text}`, link);
}
