import { explain } from "./explain.js";
import { formatExplanation } from "./format-explanation.js";
import { importOption, importsOf } from "../../shared/command/import-option.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import type { Context } from "../../shared/command/context.js";

interface Arguments {
  readonly name: string;
  readonly revision: string | undefined;
  readonly schema: string | undefined;
  readonly import: readonly string[] | undefined;
  readonly json: boolean;
}

/** `mcpwright explain`. */
export function explainCommand({ out }: Context): Verb {
  return defineVerb<Arguments>(
    {
      command: "explain <name>",
      describe: "Explain a type or method: its definition, its history, its sender and the types that use it",
      builder: (argv) =>
        argv
          .positional("name", {
            describe: "A type, such as Tool, or a method, such as tools/call",
            type: "string",
            demandOption: true,
          })
          .option("revision", {
            describe:
              "Revision, or id or short name of an extension (default: the newest revision that contains it, or else an extension)",
            type: "string",
            requiresArg: true,
          })
          .option("schema", {
            describe:
              "A revision or extension of your own: its schema.ts, schema.json or model.json, its generated folder, or the folder of an extension",
            type: "string",
            requiresArg: true,
          })
          .option("import", importOption)
          .option("json", { describe: "Print as JSON", type: "boolean", default: false })
          .example("$0 explain CallToolResult", "Explain a type")
          .example("$0 explain Task --revision tasks", "Explain a type of an extension")
          .example("$0 explain greetings/greet --schema src/mcp/2027-03-01", "Explain a method of your own revision")
          .example("$0 explain sampling/createMessage --revision 2025-11-25", "Explain a method of an older revision"),
      handler: async ({ name, revision, schema, import: imports, json }) => {
        const explanation = await explain({
          name,
          ...(revision !== undefined && { revision }),
          ...(schema !== undefined && { schema }),
          ...importsOf(imports, schema !== undefined),
        });
        out.write(json ? `${JSON.stringify(explanation, null, 2)}\n` : formatExplanation(explanation));
      },
    },
    "Explain a type or method",
  );
}
