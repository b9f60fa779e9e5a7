import type { RequestModel, Side } from "../../shared/model/protocol.js";
import type { Facts } from "./facts.js";
import type { Path, Tell } from "./finding.js";
import type { State } from "./state.js";
import { shown } from "./values.js";

/** A message as the rules see it: who says it, after what, in which revision. */
export interface Scene {
  readonly from: Side;
  readonly line: number;
  readonly inBatch: boolean;
  readonly state: State;
  readonly facts: Facts;
  readonly tell: Tell;
}

/** Reports what is wrong with a value of a type of the schema, place by place. */
export function checkShape(
  rule: "params" | "result" | "question",
  type: string,
  value: unknown,
  path: Path,
  { facts, tell }: Scene,
  link = facts.link("definition", type),
): void {
  for (const issue of facts.check(type, value))
    tell(rule, [...path, ...issue.path], `expected ${issue.expected}, received ${issue.received}`, link);
}

/** Mentions once that a revision deprecates a method. */
export function mentionDeprecated(
  { method, deprecated, link }: Pick<RequestModel, "method" | "deprecated" | "link">,
  path: Path,
  { state, facts, tell }: Scene,
): void {
  if (!deprecated || state.deprecated.has(method)) return;
  state.deprecated.add(method);
  tell("deprecated", path, `${facts.revision} deprecates ${shown(method)}: ${deprecated.text}`, link);
}
