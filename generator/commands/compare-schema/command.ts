import { existsSync } from "node:fs";
import { compareSchema, type CompareSchemaOptions } from "./compare-schema.js";
import { formatReport, reportFormats, type ReportFormat } from "./format-report.js";
import { importOption, importsOf } from "../../shared/command/import-option.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import type { Context } from "../../shared/command/context.js";
import { extensionNamed } from "../../shared/sources/extension-folder.js";
import { isSchemaLocation } from "../../shared/sources/schema-folder.js";
import { UsageError } from "../../shared/command/usage-error.js";

interface Arguments {
  readonly schema: string;
  readonly json: string | undefined;
  readonly format: ReportFormat;
  readonly import: readonly string[] | undefined;
}

/** `mcpwright compare-schema`. */
export function compareSchemaCommand({ out, exit }: Context): Verb {
  return defineVerb<Arguments>(
    {
      command: "compare-schema <schema> [json]",
      describe: "Explain how a schema.json differs from its schema.ts",
      builder: (argv) =>
        argv
          .positional("schema", {
            describe:
              "Path or URL of a schema.ts; or a revision, or the id or short name of an extension, to compare its published files",
            type: "string",
            demandOption: true,
          })
          .positional("json", {
            describe: "Path or URL of the schema.json; after an extension, also of a schema.ts",
            type: "string",
          })
          .option("format", {
            describe: "Format of the report",
            choices: reportFormats,
            default: "text" as const,
            requiresArg: true,
          })
          .option("import", importOption)
          .example("$0 compare-schema 2025-11-25", "The published files of a revision")
          .example(
            "$0 compare-schema tasks ~/ext-tasks/schema/draft/schema.ts",
            "A newer file of an extension, with mcpwright's schema",
          ) // prettier-ignore
          .example("$0 compare-schema schema.ts schema.json --format markdown", "Two files of your own"),
      handler: async ({ schema, json, format, import: imports }) => {
        const report = await compareSchema(await optionsOf(schema, json, importsOf(imports, json !== undefined)));
        out.write(formatReport(report, format));
        if (!report.explained) exit(1);
      },
    },
    "Compare a schema.json with its schema.ts",
    "unexplained differences",
  );
}

async function optionsOf(
  schema: string,
  json: string | undefined,
  imports: ReturnType<typeof importsOf>,
): Promise<CompareSchemaOptions> {
  const isTypeScript = /\.[cm]?ts$/.test(schema);
  const extension = existsSync(schema) ? undefined : await extensionNamed(schema);
  if (extension) {
    if (json !== undefined && !isSchemaLocation(json))
      throw new UsageError("After an extension, pass a schema.ts or schema.json.");
    return { extension: extension.id, ...(json !== undefined && { schema: json }) };
  }
  if (json === undefined) {
    if (isTypeScript || schema.endsWith(".json"))
      throw new UsageError("Pass two files, schema.ts and schema.json, or a revision.");
    return { revision: schema };
  }
  if (!isTypeScript || !json.endsWith(".json"))
    throw new UsageError("Pass the schema.ts first and the schema.json second.");
  return { schemaTs: schema, schemaJson: json, ...imports };
}
