import type { Rule } from "./rule.js";
import type { PairKind } from "./pairs.js";
import { authorizationRules } from "./rules/authorization.js";
import { behaviourRules } from "./rules/behaviour.js";
import { definitionRules } from "./rules/definitions.js";
import { factRules } from "./rules/overlay-facts.js";
import { memberRules } from "./rules/members.js";
import { methodRules } from "./rules/methods.js";
import { typeRules } from "./rules/types.js";

/** Every rule, in the order in which reports list them. */
export const rules = [
  ...behaviourRules,
  ...authorizationRules,
  ...methodRules,
  ...factRules,
  ...definitionRules,
  ...memberRules,
  ...typeRules,
] as const;

export type DiffRuleId = (typeof rules)[number]["id"];

/** The rules for one kind of pair. */
export function rulesOn<K extends PairKind>(kind: K): readonly Rule<K>[] {
  return (rules as readonly Rule[]).filter(({ on }) => on === kind) as unknown as readonly Rule<K>[];
}
