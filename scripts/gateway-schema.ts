/** Prints docs/reference/gateway.schema.json, the JSON Schema of the configuration of a gateway. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { printSchema } from "../generator/commands/gateway/config/print-schema.js";

const path = join(import.meta.dirname, "../docs/reference/gateway.schema.json");
writeFileSync(path, await format(printSchema(), { ...(await resolveConfig(path)), filepath: path }));
