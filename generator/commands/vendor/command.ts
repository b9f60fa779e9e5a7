import { join } from "node:path";
import type { Argv } from "yargs";
import { formatDiagnostic } from "../../shared/diagnostics/diagnostic.js";
import { vendor, type VendorResult } from "./vendor.js";
import { summary } from "../generate/summary.js";
import { createProgress } from "../generate/progress.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import type { Context } from "../../shared/command/context.js";
import { UsageError } from "../../shared/command/usage-error.js";

interface Arguments {
  readonly revision: string;
  readonly from: string | undefined;
  readonly to: string;
  readonly out: string;
  readonly json: boolean;
}

/** `mcpwright vendor`. */
export function vendorCommand({ out, err, exit }: Context): Verb {
  return defineVerb<Arguments>(
    {
      command: "vendor <revision>",
      describe: "Put the official schema.ts of a revision and its pin into a schema folder, and generate from it",
      builder: (argv) => options(argv) as Argv<Arguments>,
      handler: async (args) => {
        const progress = createProgress(err, args.json);
        const { revision, from, to } = args;
        try {
          const given = { revision, to, out: args.out, ...(from !== undefined && { from }) };
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
    "Fetch an official schema, generate from it",
    "findings, another schema than the pin says",
  );
}

function options(argv: Argv): Argv {
  return argv
    .positional("revision", { describe: "The revision, for instance 2026-07-28", type: "string", demandOption: true })
    .option("from", {
      describe: "Path or URL of its schema.ts; by default the specification's repository",
      type: "string",
      requiresArg: true,
    })
    .option("to", { describe: "Schema folder", type: "string", default: "schema", requiresArg: true })
    .option("out", { describe: "Output folder", type: "string", default: "generated", requiresArg: true })
    .option("json", { describe: "Print the result as JSON", type: "boolean", default: false })
    .example("$0 vendor 2026-07-28", "The official file, held against the pin that mcpwright has")
    .example("$0 vendor 2027-01-15 --from ~/Downloads/schema.ts", "A revision that is newer than mcpwright")
    .check((given) => {
      const empty = ["from", "to", "out"].find((name) => given[name] === "");
      if (empty !== undefined) throw new UsageError(`--${empty} needs a value.`);
      return true;
    });
}

function asJson(result: VendorResult, { revision, out }: Arguments): object {
  const { file, source, pinnedBy, sha256, findings, report } = result;
  const { added, changed, removed, unchanged } = report;
  return { revision, file, source, pinnedBy, sha256, out, added, changed, removed, unchanged, findings };
}

/** Says what the file was held against, because a pin on first sight is only as good as its source. */
function pinning({ pinnedBy, sha256, source }: VendorResult, { revision, to }: Arguments): string {
  const file = join(to, revision, "schema.ts");
  const pins = join(to, "pins.json");
  switch (pinnedBy) {
    case "package":
      return `${file} is the official ${revision} (sha256 ${sha256})`;
    case "folder":
      return `${file} is the ${revision} that ${pins} pins (sha256 ${sha256})`;
    case "first sight":
      return `${file} was pinned on first sight in ${pins}: mcpwright does not know ${revision} and took it as ${source} has it (sha256 ${sha256})`;
  }
}
