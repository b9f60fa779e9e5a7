import type { Argv } from "yargs";
import { formatDiagnostic } from "../../shared/diagnostics/diagnostic.js";
import { summary } from "../generate/summary.js";
import { createProgress } from "../generate/progress.js";
import { importOption, importsOf } from "../../shared/command/import-option.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import type { Context } from "../../shared/command/context.js";
import { UsageError } from "../../shared/command/usage-error.js";
import { isSchemaLocation } from "../../shared/sources/schema-folder.js";
import { describeExtension, describeRevision, extensionJson, revisionJson } from "./describe-vendored.js";
import { vendorExtension } from "./vendor-extension.js";
import { vendor } from "./vendor.js";

interface Arguments {
  readonly revision: string | undefined;
  readonly extension: string | undefined;
  readonly id: string | undefined;
  readonly over: string | undefined;
  readonly from: string | undefined;
  readonly import: readonly string[] | undefined;
  readonly to: string;
  readonly out: string;
  readonly json: boolean;
}

/** `mcpwright vendor`. */
export function vendorCommand(context: Context): Verb {
  return defineVerb<Arguments>(
    {
      command: "vendor [revision]",
      describe:
        "Store the official schema of a revision or extension and its pin in a schema folder, and generate code from it",
      builder: (argv) => options(argv) as Argv<Arguments>,
      handler: (args) => handle(args, context),
    },
    "Fetch an official schema and generate from it",
    "findings, a schema that differs from its pin",
  );
}

async function handle(args: Arguments, { out, err, exit }: Context): Promise<void> {
  const progress = createProgress(err, args.json);
  try {
    const { result, json, text } = await (args.extension === undefined ? ofRevision : ofExtension)(
      args,
      progress.phase,
    );
    progress.end();
    if (args.json) out.write(`${JSON.stringify(json, null, 2)}\n`);
    else {
      for (const finding of result.findings) err.write(`${formatDiagnostic(finding)}\n`);
      out.write(`${text}\n${summary(result, args.out)}\n`);
    }
    if (result.findings.length > 0) exit(1);
  } catch (error) {
    progress.abandon();
    throw error;
  }
}

type OnPhase = ReturnType<typeof createProgress>["phase"];

async function ofRevision({ revision = "", from, to, out, import: imports }: Arguments, onPhase: OnPhase) {
  const given = { revision, to, out, ...(from !== undefined && { from }), ...importsOf(imports) };
  const result = await vendor({ ...given, onPhase });
  return { result, json: revisionJson(result, revision, out), text: describeRevision(result, revision, to) };
}

async function ofExtension(args: Arguments, onPhase: OnPhase) {
  const { extension = "", revision: version, id, over, to, out, import: imports } = args;
  const given = {
    extension,
    to,
    out,
    ...(version !== undefined && { version }),
    ...(id !== undefined && { id }),
    ...(over !== undefined && { over }),
    ...importsOf(imports),
  };
  const result = await vendorExtension({ ...given, onPhase });
  return { result, json: extensionJson(result, out), text: describeExtension(result, to) };
}

function options(argv: Argv): Argv {
  return argv
    .positional("revision", {
      describe:
        "Revision, for example 2026-07-28; or version of the extension (default: the one that its schema states)",
      type: "string",
    })
    .option("from", {
      describe: "Path or URL of the schema.ts of the revision (default: the specification's repository)",
      type: "string",
      requiresArg: true,
    })
    .option("extension", {
      describe:
        "Path or URL of the schema of an extension, folder of its schema, or id or short name of one that mcpwright knows",
      type: "string",
      requiresArg: true,
    })
    .option("id", {
      describe: "Id of the extension, if its schema does not state one",
      type: "string",
      requiresArg: true,
    })
    .option("over", {
      describe: "Revision to lay the extension over (default: the last one in its overlay, or else the newest)",
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
    .example("$0 vendor --extension io.modelcontextprotocol/tasks", "An official extension")
    .example(
      "$0 vendor --extension https://example.com/ranking/schema.ts --id com.example/ranking",
      "Another extension, with a first overlay to complete",
    )
    .check((given) => {
      const { revision, extension, id, over, from } = given as unknown as Arguments;
      const empty = ["from", "extension", "to", "out"].find((name) => given[name] === "");
      if (empty !== undefined) throw new UsageError(`--${empty} must not be empty.`);
      if (revision === undefined && extension === undefined)
        throw new UsageError("Pass a revision, or an extension with --extension.");
      if (extension !== undefined && from !== undefined)
        throw new UsageError("Pass the schema of the extension with --extension, not with --from.");
      if (extension === undefined && (id ?? over) !== undefined)
        throw new UsageError(`--${id === undefined ? "over" : "id"} requires --extension.`);
      if (isSchemaLocation(over)) throw new UsageError("--over must be a revision that mcpwright includes.");
      return true;
    });
}
