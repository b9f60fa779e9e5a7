import { definitionsIn, type Definitions } from "../../shared/model/definitions.js";
import type { TypeModel } from "../../shared/model/protocol.js";
import { structureKey } from "../../shared/model/structure.js";

/** Whether two types are written in the same way, and so is every definition to which they lead. */
export function isUnchanged(from: TypeModel, to: TypeModel, source: Definitions, target: Definitions): boolean {
  if (structureKey(from) !== structureKey(to)) return false;
  return [...definitionsIn(from, source)].every((name) => {
    const [before, after] = [source.get(name), target.get(name)];
    return before !== undefined && after !== undefined && structureKey(before) === structureKey(after);
  });
}
