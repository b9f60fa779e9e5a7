import type { Argv } from "yargs";
import { inspect, type InspectRequest } from "./inspect.js";
import { type Diagnostic, formatDiagnostic } from "../../shared/diagnostics/diagnostic.js";
import { closestName } from "../../shared/names/closest.js";
import { knownRevisions } from "../../shared/sources/schema-folder.js";
import { isObject } from "../../shared/is-object.js";
import { type SessionArguments, sessionOptions, connectOptions } from "../../shared/command/session-options.js";
import { hasColours } from "../../shared/command/colours.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import type { Context } from "../../shared/command/context.js";
import { UsageError } from "../../shared/command/usage-error.js";

interface Arguments extends SessionArguments {
  readonly call: string | undefined;
  readonly args: string | undefined;
  readonly arg: readonly string[] | undefined;
  readonly task: boolean | undefined;
  readonly app: string | undefined;
  readonly screenshot: string | undefined;
  readonly read: string | undefined;
  readonly prompt: string | undefined;
  readonly complete: readonly string[] | undefined;
  readonly watch: string | undefined;
  readonly answer: string | undefined;
  readonly losses: string | undefined;
  readonly trace: string | undefined;
  readonly json: boolean;
}

/** `mcpwright inspect`. */
export function inspectCommand(context: Context): Verb {
  return defineVerb<Arguments>(
    {
      command: "inspect [target..]",
      describe: "Show the revision and features of a running server, or send it a request",
      builder: (argv) => options(sessionOptions(argv)) as unknown as Argv<Arguments>,
      handler: (args) => handle(args, context),
    },
    "Show the features of a server, call its tools",
    "a server error, a failed tool call",
  );
}

function options(argv: Argv<SessionArguments>): Argv {
  return argv
    .option("call", { describe: "Call this tool", type: "string", requiresArg: true })
    .option("args", { describe: "Arguments of the tool as JSON", type: "string", requiresArg: true })
    .option("arg", {
      describe: "Argument of a tool or prompt, as key=value or key:=json; repeatable",
      type: "string",
      array: true,
      nargs: 1,
    })
    .option("task", { describe: "Run the tool as a task; Ctrl-C cancels it", type: "boolean" })
    .option("app", {
      describe: "Call this tool and show the result in its app, in your browser; Ctrl-C ends",
      type: "string",
      requiresArg: true,
    })
    .option("screenshot", {
      describe: "Write a PNG of the app to this file, by headless Chromium, instead of showing it",
      type: "string",
      requiresArg: true,
    })
    .option("read", { describe: "Read this resource", type: "string", requiresArg: true })
    .option("prompt", { describe: "Get this prompt", type: "string", requiresArg: true })
    .option("complete", {
      describe: "Complete an argument: prompt:<name> or a URI template, then argument=value",
      type: "string",
      array: true,
      nargs: 2,
    })
    .option("watch", { describe: "Print a line when this resource changes", type: "string", requiresArg: true })
    .option("answer", { describe: "JSON with the values for the server's forms", type: "string", requiresArg: true })
    .option("losses", {
      describe: "Show what clients of a revision do not get through a gateway; put it last for all revisions",
      type: "string",
    })
    .option("trace", { describe: "Print all messages, or record them in a .jsonl file", type: "string" })
    .option("json", { describe: "Print the result as JSON", type: "boolean", default: false })
    .example("$0 inspect http://127.0.0.1:3000/mcp", "Show the features of a server")
    .example("$0 inspect server.js --call add --arg a=1 --arg b=2", "Call a tool")
    .example("$0 inspect server.js --call report --task", "Run a tool as a task, and show its status")
    .example("$0 inspect server.js --app forecast --arg city=Rome", "Show the result of a tool in its app")
    .example("$0 inspect server.js --losses 2025-03-26", "What clients of an older revision do not get")
    .example("$0 inspect --json -- npx -y some-server --option", "A server command with its own options")
    .check((given) => {
      const { call, app, args, arg, task, read, prompt, complete, watch, losses, trace, screenshot } =
        given as unknown as Arguments;
      const requests = [call, app, read, prompt, complete, watch].filter((one) => one !== undefined);
      if (requests.length > 1)
        throw new UsageError("Use only one of --call, --app, --read, --prompt, --complete and --watch.");
      if (losses !== undefined && requests.length > 0)
        throw new UsageError("--losses cannot be used with --call, --app, --read, --prompt, --complete or --watch.");
      if (losses) assertRevision(losses);
      if (args !== undefined && (call ?? app) === undefined) throw new UsageError("--args requires --call or --app.");
      if (screenshot !== undefined && app === undefined) throw new UsageError("--screenshot requires --app.");
      if (screenshot?.endsWith(".png") === false) throw new UsageError("The file of --screenshot must end in .png.");
      if (task === true && call === undefined) throw new UsageError("--task requires --call.");
      if (arg !== undefined && (call ?? app ?? prompt ?? complete) === undefined)
        throw new UsageError("--arg requires --call, --app, --prompt or --complete.");
      if (complete !== undefined && complete.length !== 2)
        throw new UsageError("--complete takes prompt:<name> or a URI template, then argument=value.");
      if (trace !== undefined && trace !== "" && !trace.endsWith(".jsonl"))
        throw new UsageError(
          "The file of --trace must end in .jsonl; to print messages instead, put --trace last or write --trace=",
        );
      return true;
    });
}

async function handle(args: Arguments, { out, err, exit }: Context): Promise<void> {
  const { colourStyles: colourPaint, plainStyles: plainPaint } = await import("./text-styles.js");
  const { printInspection } = await import("./print-inspection.js");
  const { runInterruptible } = await import("../../shared/sessions/run-interruptible.js");
  const { openTerminalFor } = await import("../../shared/sessions/terminal.js");
  const { recordMessages, showMessages } = await import("../../shared/sessions/message-trace.js");
  const { escapeControls } = await import("../../shared/command/escape-controls.js");
  const request = requestOf(args);
  const answer = args.answer === undefined ? undefined : readObject("--answer", args.answer);
  const reach = connectOptions(args);
  const say = (line: string): unknown => err.write(`${escapeControls(line)}\n`);
  const note = (one: Diagnostic): void => {
    err.write(`${formatDiagnostic(one)}\n`);
    if (one.severity === "error") exit(1);
  };
  await runInterruptible(async (signal) => {
    const terminal = openTerminalFor(err, signal);
    const recording = args.trace ? recordMessages(args.trace, note) : undefined;
    const trace = recording?.trace ?? (args.trace === "" ? showMessages(say) : undefined);
    try {
      const inspection = await inspect({
        ...reach,
        authorization: { ...reach.authorization, canLogIn: terminal !== undefined },
        signal,
        tell: say,
        onNote: note,
        ...(request && { request }),
        ...(args.watch !== undefined && { watch: args.watch }),
        ...(answer && { answer }),
        ...(terminal && { ask: terminal.ask }),
        ...(trace && { trace }),
        ...(args.losses !== undefined && { losses: args.losses === "" || args.losses }),
      });
      if (args.json) out.write(`${escapeControls(JSON.stringify(inspection, null, 2))}\n`);
      else if (args.watch === undefined && args.app === undefined)
        out.write(printInspection(inspection, hasColours(out) ? colourPaint : plainPaint));
      if (inspection.result?.["isError"] === true) exit(1);
    } finally {
      terminal?.end();
      recording?.end();
    }
  });
}

/** The word after an option without a value can be the server. */
function assertRevision(given: string): void {
  const known = knownRevisions();
  if (known.includes(given)) return;
  const closest = closestName(given, known);
  const remedy =
    closest === undefined ? "for all revisions, put --losses last or write --losses=" : `did you mean ${closest}?`;
  throw new UsageError(`--losses takes a revision (${known.join(", ")}), not ${given}; ${remedy}`);
}

function requestOf(args: Arguments): InspectRequest | undefined {
  const { call, app, screenshot, args: json, arg = [], read, prompt, complete } = args;
  const given = json === undefined ? {} : readObject("--args", json);
  if (call !== undefined)
    return {
      kind: "call",
      name: call,
      arguments: given,
      pairs: arg,
      task: args.task === true,
    };
  if (app !== undefined)
    return { kind: "app", name: app, arguments: given, pairs: arg, ...(screenshot !== undefined && { screenshot }) };
  if (read !== undefined) return { kind: "read", uri: read };
  if (prompt !== undefined) return { kind: "prompt", name: prompt, arguments: pairsOf("--arg", arg) };
  if (complete === undefined) return undefined;
  const [ref = "", assigned = ""] = complete;
  const [[name, value] = ["", ""]] = Object.entries(pairsOf("--complete", [assigned]));
  return {
    kind: "complete",
    ref: ref.startsWith("prompt:") ? { prompt: ref.slice(7) } : { template: ref },
    argument: { name, value },
    context: pairsOf("--arg", arg),
  };
}

function pairsOf(option: string, pairs: readonly string[]): Record<string, string> {
  const entries = pairs.map((pair) => {
    const at = pair.indexOf("=");
    if (at < 1) throw new UsageError(`${option} takes key=value, not ${pair}`);
    return [pair.slice(0, at), pair.slice(at + 1)] as const;
  });
  return Object.fromEntries(entries);
}

function readObject(option: string, text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${option} is not valid JSON: ${(error as Error).message}`);
  }
  if (isObject(value)) return value;
  throw new UsageError(`${option} must be a JSON object, such as '{"city": "Rome"}'.`);
}
