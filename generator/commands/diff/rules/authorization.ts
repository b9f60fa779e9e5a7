import { authorizationFields } from "../../../shared/model/authorization.js";
import type { AuthorizationValue } from "../../../shared/model/protocol.js";
import type { Pair } from "../pairs.js";
import { rule, when, type Detail } from "../rule.js";

function changes({ before, after }: Pair<AuthorizationValue>): readonly Detail[] {
  const text = authorizationFields.find(({ name }) => name === after?.field)?.text ?? "";
  return when(!!before && !!after && JSON.stringify(before.value) !== JSON.stringify(after.value), { meaning: text });
}

export const authorizationRules = [
  rule({
    id: "authorization-changed",
    category: "behaviour",
    purpose: "A rule changed by which clients find an authorization server or log in to it.",
    on: "authorization",
    find: changes,
    message: "`{name}` changed from {before} to {after}. {meaning}",
    receiver: "Authorization servers receive requests in the form of the revision that the client follows.",
    sender: "A client follows the newest revision whose metadata it finds.",
    source: "Types do not change; code that logs in must read the rules.",
    hint: "In code, read a row of `authorizationRules` instead of comparing revision ids.",
  }),
  rule({
    id: "authorization-unstated",
    category: "unstated",
    purpose: "Only one of the revisions states an authorization field.",
    on: "authorization",
    find: ({ before, after }) => when(!before !== !after),
    message: "{name} is stated for one revision only",
    receiver: "No overlay states what to expect.",
    sender: "No overlay states what to do.",
    source: "The revision has no row in `authorizationRules`.",
    hint: "State it in the overlay, under authorization.{name}.",
  }),
] as const;
