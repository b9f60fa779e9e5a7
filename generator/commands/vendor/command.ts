import { join } from "node:path";
import type { Argv } from "yargs";
import { formatDiagnostic } from "../../shared/diagnostics/diagnostic.js";
import { vendor, type VendorResult } from "./vendor.js";
import { summary } from "../generate/summary.js";
import { createProgress } from "../generate/progress.js";
import { importOption, importsOf } from "../../shared/command/import-option.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import type { Context } from "../../shared/command/context.js";
import { UsageError } from "../../shared/command/usage-error.js";

interface Arguments {
  readonly revision: string;
  readonly from: string | undefined;
  readonly import: readonly string[] | undefined;
  readonly to: string;
  readonly out: string;
  readonly json: boolean;
}

/** `mcpwright vendor`. */
export function vendorCommand({ out, err, exit }: Context): Verb {
  return defineVerb<Arguments>(
    {
      command: "vendor <revision>",
      describe: "Store the official schema.ts of a revision and its pin in a schema folder, and generate code from it",
      builder: (argv) => options(argv) as Argv<Arguments>,
      handler: async (args) => {
        const progress = createProgress(err, args.json);
        const { revision, from, to, import: imports } = args;
        try {
          const given = { revision, to, out: args.out, ...(from !== undefined && { from }), ...importsOf(imports) };
          const result = await vendor({ ...given, onPhase: progress.phase });
          progress.end();
          if (args.json) out.write(`${JSON.stringify(asJson(result, args), null, 2)}\n`);
          else {
            for (const finding of result.findings) err.write(`${formatDiagnostic(finding)}\n`);
            out.write(`${pinning(result, args)}\n${summary(result, args.out)}\n`);
          }
          if (result.findings.length > 0) exit(1);
        } catch (error) {
          progress.abandon();
          throw error;
        }
      },
    },
    "Fetch an official schema and generate from it",
    "findings, a schema that differs from its pin",
  );
}

function options(argv: Argv): Argv {
  return argv
    .positional("revision", { describe: "Revision, for example 2026-07-28", type: "string", demandOption: true })
    .option("from", {
      describe: "Path or URL of the schema.ts (default: the specification's repository)",
      type: "string",
      requiresArg: true,
    })
    .option("import", importOption)
    .option("to", { describe: "Schema folder", type: "string", default: "schema", requiresArg: true })
    .option("out", { describe: "Output folder", type: "string", default: "generated", requiresArg: true })
    .option("json", { describe: "Print the result as JSON", type: "boolean", default: false })
    .example("$0 vendor 2026-07-28", "The official file, checked against mcpwright's pin")
    .example(
      "$0 vendor 2027-01-15 --from ~/Downloads/schema.ts",
      "A revision published after this version of mcpwright",
    )
    .check((given) => {
      const empty = ["from", "to", "out"].find((name) => given[name] === "");
      if (empty !== undefined) throw new UsageError(`--${empty} must not be empty.`);
      return true;
    });
}

function asJson(result: VendorResult, { revision, out }: Arguments): object {
  const { file, source, pinnedBy, sha256, findings, report } = result;
  const { added, changed, removed, unchanged } = report;
  return { revision, file, source, pinnedBy, sha256, out, added, changed, removed, unchanged, findings };
}

/** Reports which pin verified the file. A pin on first sight is only as trustworthy as its source. */
function pinning({ pinnedBy, sha256, source }: VendorResult, { revision, to }: Arguments): string {
  const file = join(to, revision, "schema.ts");
  const pins = join(to, "pins.json");
  switch (pinnedBy) {
    case "package":
      return `${file} is the official ${revision} (sha256 ${sha256})`;
    case "folder":
      return `${file} is the ${revision} that ${pins} pins (sha256 ${sha256})`;
    case "first sight":
      return `${file} was pinned on first sight in ${pins}: mcpwright has no pin for ${revision} and used the content of ${source} (sha256 ${sha256})`;
  }
}
