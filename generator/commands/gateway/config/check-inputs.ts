import { isObject } from "../../../shared/is-object.js";
import type { Report } from "./check-type.js";

/** The ids of the inputs that a configuration declares; reports those that occur twice. */
export function checkInputs(inputs: unknown, report: Report): readonly string[] {
  const all: readonly unknown[] = Array.isArray(inputs) ? inputs : [];
  const ids = all.map((input) => (isObject(input) && typeof input["id"] === "string" ? input["id"] : ""));
  ids.forEach((id, at) => {
    const first = ids.indexOf(id);
    if (id !== "" && first < at)
      report("gateway-field-repeated", { field: `the input ${id}`, first: `inputs[${first}]` }, ["inputs", String(at)]);
  });
  return ids.filter((id) => id !== "");
}
