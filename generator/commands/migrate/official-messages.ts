import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../shared/package-root.js";
import type { ProtocolModel } from "../../shared/model/protocol.js";

/** The revision of the types that the runtime exports, and one that has the messages it removed. */
export const revisions = ["2026-07-28", "2025-11-25"] as const;

const models = new Map<string, ProtocolModel>();

function modelOf(revision: string): ProtocolModel {
  const known = models.get(revision);
  if (known) return known;
  const path = join(packageRoot().folder, "generated", revision, "model.json");
  const model = JSON.parse(readFileSync(path, "utf8")) as ProtocolModel;
  models.set(revision, model);
  return model;
}

/** The method of a schema of 1.x, such as `CallToolRequestSchema`. */
export function methodOfSchema(name: string): string | undefined {
  const type = name.replace(/Schema$/, "");
  if (type === name) return undefined;
  for (const revision of revisions) {
    const { requests, notifications } = modelOf(revision);
    const found = [...requests, ...notifications].find((one) => one.type === type);
    if (found) return found.method;
  }
  return undefined;
}

/** The newest of these revisions that has a type of this name. */
export function revisionOfType(name: string): (typeof revisions)[number] | undefined {
  return revisions.find((revision) => modelOf(revision).definitions.some((one) => one.name === name));
}

/** The newest of these revisions that has a method. */
export function revisionOfMethod(method: string): (typeof revisions)[number] | undefined {
  return revisions.find((revision) => {
    const { requests, notifications } = modelOf(revision);
    return [...requests, ...notifications].some((one) => one.method === method);
  });
}
