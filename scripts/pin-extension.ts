/**
 * Writes the pin of an extension's version in schema/extensions/pins.json from the published files:
 * npm run pins:extension -- tasks/draft --schema <schema.ts> [--json <schema.json>] --source <URL of the schema.ts>
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readJsonSchema } from "../generator/pipeline/read/json-schema.js";
import { readTypeScript } from "../generator/pipeline/read/typescript.js";
import { digestsByName } from "../generator/shared/fidelity/digest.js";
import { applyLossyRules } from "../generator/shared/fidelity/lossy-rules.js";
import {
  changedNames,
  lossyNames,
  printPins,
  type ExtensionPin,
  type ExtensionPins,
} from "../generator/shared/fidelity/pins.js";
import { zodRules } from "../generator/shared/fidelity/zod-rules.js";
import { schemaFolder } from "../generator/shared/sources/schema-folder.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { schema: { type: "string" }, json: { type: "string" }, source: { type: "string" } },
});
const [id = ""] = positionals;
const { schema, json, source } = values;
if (!/^[\w-]+\/[\w.-]+$/.test(id) || schema === undefined || source === undefined)
  refuse(
    "usage: npm run pins:extension -- <name>/<version> --schema <schema.ts> [--json <schema.json>] --source <URL>",
  );

const module = readTypeScript(readFileSync(schema, "utf8"), schema);
const ts = digestsByName(module);
const printed = json === undefined ? {} : digestsByName(readJsonSchema(readFileSync(json, "utf8"), json));
const pin: ExtensionPin = {
  source,
  "schema.ts": sha256(schema),
  ...(json !== undefined && { "schema.json": sha256(json) }),
  definitions: Object.fromEntries(
    Object.entries(ts).map(([name, digest]) => {
      const other = printed[name];
      return [name, other === undefined ? { ts: digest } : { ts: digest, json: other }];
    }),
  ),
  lossy: json === undefined ? {} : lossyNames(module, zodRules),
};

if (json !== undefined) {
  const expected = digestsByName(applyLossyRules(module, zodRules).module);
  // The file also contains the types of the revision to which the extension's own types lead.
  const found = Object.fromEntries(Object.entries(printed).filter(([name]) => Object.hasOwn(ts, name)));
  const unexplained = changedNames(expected, found);
  if (unexplained.length > 0) refuse(`no rule explains ${json} of ${unexplained.join(", ")}`);
}
const target = join(schemaFolder(), "extensions", "pins.json");
const before = existsSync(target) ? (JSON.parse(readFileSync(target, "utf8")) as ExtensionPins) : {};
writeFileSync(target, printPins({ ...before, [id]: pin }));

function sha256(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

function refuse(reason: string): never {
  console.error(reason);
  process.exit(2);
}
