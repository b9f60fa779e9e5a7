/**
 * Compares the published JSON Schema of server.json with the pin and with our own schema: npm run pins:server-json -- [--from <file>].
 * Without --from, the file is downloaded.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { constraintsDigest } from "./server-json-constraints.js";
import { publishedSchema, serverSchema } from "../generator/commands/manifest/server-schema.js";

const { from } = parseArgs({ options: { from: { type: "string" } } }).values;
const bytes = from === undefined ? await download(publishedSchema.url) : readFileSync(from);
const found = {
  sha256: createHash("sha256").update(bytes).digest("hex"),
  constraints: constraintsDigest(JSON.parse(Buffer.from(bytes).toString("utf8"))),
};
const own = constraintsDigest(serverSchema);
console.log(`${publishedSchema.version}: file ${found.sha256}, constraints ${found.constraints}`);
if (found.sha256 !== publishedSchema.sha256) refuse(`the pin of the file is ${publishedSchema.sha256}`);
if (found.constraints !== publishedSchema.constraints)
  refuse(`the pin of the constraints is ${publishedSchema.constraints}`);
if (own !== found.constraints) refuse(`our schema has other constraints: ${own}`);

async function download(url: string): Promise<Uint8Array> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

function refuse(reason: string): void {
  console.error(reason);
  process.exitCode = 1;
}
