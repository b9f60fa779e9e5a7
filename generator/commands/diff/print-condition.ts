import type { ConditionModel } from "../../shared/model/protocol.js";

/** A capability that is needed for a use of a message. */
export function printCondition({ member, values, capability }: ConditionModel): string {
  const uses = values?.map((value) => `${member}: ${JSON.stringify(value)}`) ?? [member];
  return `${capability} for ${uses.join(" or ")}`;
}
