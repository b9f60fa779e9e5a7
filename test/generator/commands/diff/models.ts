import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ProtocolModel } from "../../../../generator/shared/model/protocol.js";

const root = join(import.meta.dirname, "../../../..");

/** The generated model of a revision. */
export function modelOf(revision: string): ProtocolModel {
  return JSON.parse(readFileSync(join(root, "generated", revision, "model.json"), "utf8")) as ProtocolModel;
}
