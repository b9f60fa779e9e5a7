import { validate } from "./validate.js";
import { importOption, importsOf } from "../../shared/command/import-option.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import type { Context } from "../../shared/command/context.js";
import { UsageError } from "../../shared/command/usage-error.js";

interface Arguments {
  readonly file: string;
  readonly revision: string | undefined;
  readonly schema: string | undefined;
  readonly extension: readonly string[] | undefined;
  readonly import: readonly string[] | undefined;
  readonly json: boolean;
}

/** `mcpwright validate`. */
export function validateCommand({ out, exit }: Context): Verb {
  return defineVerb<Arguments>(
    {
      command: "validate <file>",
      describe: "Check each message of a recorded conversation against a revision",
      builder: (argv) =>
        argv
          .positional("file", {
            describe: "A .jsonl file written by inspect --trace; - reads standard input",
            type: "string",
            demandOption: true,
          })
          // Without this, yargs treats the hyphen as an option without a name.
          .nargs("file", 1)
          .option("revision", {
            describe: "Revision to check against (default: the one that the conversation states)",
            type: "string",
            requiresArg: true,
          })
          .option("schema", {
            describe:
              "Check against a revision of your own: its schema.ts, schema.json or model.json, or its generated folder",
            type: "string",
            requiresArg: true,
          })
          .option("extension", {
            describe:
              "Also check the messages of an extension: its id or short name, or path or URL of its schema, or its folder; may be repeated",
            type: "string",
            array: true,
            nargs: 1,
            requiresArg: true,
          })
          .option("import", importOption)
          .option("json", { describe: "Print the findings as JSON", type: "boolean", default: false })
          .example("$0 validate talk.jsonl", "Report each violation, its place and the section of the specification")
          .example("zcat talk.jsonl.gz | $0 validate - --revision 2025-11-25", "Read the output of another program")
          .example("$0 validate talk.jsonl --schema src/mcp/2027-03-01", "Check against a revision of your own")
          .example(
            "$0 validate talk.jsonl --extension io.modelcontextprotocol/tasks",
            "Check the messages of tasks, too",
          )
          .check(({ file, schema, extension = [] }) => {
            if (file === "") throw new UsageError("<file> must not be empty.");
            if (schema === "") throw new UsageError("--schema must not be empty.");
            if (extension.includes("")) throw new UsageError("--extension must not be empty.");
            if (extension.length > 0 && schema !== undefined && !/\.(ts|mts|cts|json)$/.test(schema))
              throw new UsageError("With --extension, --schema must be a schema.ts or schema.json.");
            return true;
          }),
      handler: async ({ file, revision, schema, extension, import: imports, json }) => {
        const { printReport } = await import("./print-report.js");
        const report = await validate({
          source: file === "-" ? process.stdin : file,
          ...(revision !== undefined && { revision }),
          ...(schema !== undefined && { schema }),
          ...(extension && { extensions: extension }),
          ...importsOf(imports, schema !== undefined || extension !== undefined),
        });
        out.write(json ? `${JSON.stringify(report, null, 2)}\n` : printReport(report, file === "-" ? "stdin" : file));
        if (report.counts.error + report.counts.warning > 0) exit(1);
      },
    },
    "Check a recorded conversation",
    "errors or warnings in the conversation",
  );
}
