import { explain } from "./explain.js";
import { formatExplanation } from "./format-explanation.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import type { Context } from "../../shared/command/context.js";

interface Arguments {
  readonly name: string;
  readonly revision: string | undefined;
  readonly json: boolean;
}

/** `mcpwright explain`. */
export function explainCommand({ out }: Context): Verb {
  return defineVerb<Arguments>(
    {
      command: "explain <name>",
      describe: "Tell where a type or method comes from, how it changed, and who sends and refers to it",
      builder: (argv) =>
        argv
          .positional("name", {
            describe: "A type, such as Tool, or a method, such as tools/call",
            type: "string",
            demandOption: true,
          })
          .option("revision", {
            describe: "The revision to explain it in; by default the newest that has it",
            type: "string",
            requiresArg: true,
          })
          .option("json", { describe: "Print as JSON", type: "boolean", default: false })
          .example("$0 explain CallToolResult", "A type")
          .example("$0 explain sampling/createMessage --revision 2025-11-25", "A method as it was"),
      handler: async ({ name, revision, json }) => {
        const explanation = await explain({ name, ...(revision !== undefined && { revision }) });
        out.write(json ? `${JSON.stringify(explanation, null, 2)}\n` : formatExplanation(explanation));
      },
    },
    "Tell all about a type or a method",
  );
}
