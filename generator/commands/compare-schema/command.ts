import { compareSchema, type CompareSchemaOptions } from "./compare-schema.js";
import { formatReport, reportFormats, type ReportFormat } from "./format-report.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import type { Context } from "../../shared/command/context.js";
import { UsageError } from "../../shared/command/usage-error.js";

interface Arguments {
  readonly schema: string;
  readonly json: string | undefined;
  readonly format: ReportFormat;
}

/** `mcpwright compare-schema`. */
export function compareSchemaCommand({ out, exit }: Context): Verb {
  return defineVerb<Arguments>(
    {
      command: "compare-schema <schema> [json]",
      describe: "Tell what a schema.json says otherwise than its schema.ts, and why",
      builder: (argv) =>
        argv
          .positional("schema", {
            describe: "A schema.ts, as a path or URL; or a revision, to fetch and check its published files",
            type: "string",
            demandOption: true,
          })
          .positional("json", { describe: "The schema.json, as a path or URL", type: "string" })
          .option("format", {
            describe: "How to print the findings",
            choices: reportFormats,
            default: "text" as const,
            requiresArg: true,
          })
          .example("$0 compare-schema 2025-11-25", "The published files of a revision")
          .example("$0 compare-schema schema.ts schema.json --format markdown", "Two files of your own"),
      handler: async ({ schema, json, format }) => {
        const report = await compareSchema(optionsOf(schema, json));
        out.write(formatReport(report, format));
        if (!report.explained) exit(1);
      },
    },
    "Compare a schema.json with its schema.ts",
    "differences that nothing explains",
  );
}

function optionsOf(schema: string, json: string | undefined): CompareSchemaOptions {
  const isTypeScript = /\.[cm]?ts$/.test(schema);
  if (json === undefined) {
    if (isTypeScript || schema.endsWith(".json"))
      throw new UsageError("compare-schema needs two files, schema.ts and schema.json, or a revision.");
    return { revision: schema };
  }
  if (!isTypeScript || !json.endsWith(".json"))
    throw new UsageError("compare-schema takes the schema.ts first and the schema.json second.");
  return { schemaTs: schema, schemaJson: json };
}
