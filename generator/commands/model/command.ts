import { formatDiagnostic } from "../../shared/diagnostics/diagnostic.js";
import { loadModel } from "../../pipeline/load-model.js";
import { importOption, importsOf } from "../../shared/command/import-option.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import type { Context } from "../../shared/command/context.js";

interface Arguments {
  readonly revision: string | undefined;
  readonly schema: string | undefined;
  readonly import: readonly string[] | undefined;
}

/** `mcpwright model`. */
export function modelCommand({ out, err, exit }: Context): Verb {
  return defineVerb<Arguments>(
    {
      command: "model [revision]",
      describe: "Print the model of a revision as JSON, the input for other generators",
      builder: (argv) =>
        argv
          .positional("revision", {
            describe: "Revision (default: the newest one); with --schema, the revision id of that file",
            type: "string",
          })
          .option("schema", {
            describe: "Path or URL of a schema.ts, .d.ts or schema.json",
            type: "string",
            requiresArg: true,
          })
          .option("import", importOption)
          .example("$0 model 2025-11-25 > model.json", "An included revision")
          .example("$0 model --schema my/schema.ts 2027-01-15", "A schema of your own"),
      handler: async ({ revision, schema, import: imports }) => {
        const { model, findings } = await loadModel({
          ...(revision !== undefined && { revision }),
          ...(schema !== undefined && { schema }),
          ...importsOf(imports, schema !== undefined),
        });
        out.write(`${JSON.stringify(model, null, 2)}\n`);
        for (const finding of findings) err.write(`${formatDiagnostic(finding)}\n`);
        if (findings.length > 0) exit(1);
      },
    },
    "Print the model of a revision as JSON",
    "findings",
  );
}
