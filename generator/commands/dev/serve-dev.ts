import { diagnostic, DiagnosticError } from "../../shared/diagnostics/diagnostic.js";
import { hasCode } from "../../shared/files/file-errors.js";
import type { DevOptions } from "./dev-options.js";
import { type DevEntry, findEntry, shownPath } from "./find-entry.js";
import type { DevPage } from "./page/serve-dev-page.js";
import { EventPrinter } from "./print-events.js";
import { findTsconfig } from "./read-tsconfig.js";
import { Relay } from "./relay.js";
import { chooseRunner, nodeArguments } from "./server-command.js";
import type { DevCommand } from "./server-process.js";
import { serveStdioHost } from "./stdio-host.js";
import { findCompiler, TypeChecker } from "./type-checker.js";
import { watchProject } from "./watch-project.js";

const defaultStartTimeoutMs = 30_000;

/** @throws DiagnosticError dev-* */
export async function serveDev(options: DevOptions): Promise<void> {
  const { cwd = process.cwd(), watch: extra = [], trace, onEvent, signal, http, transport } = options;
  const { print = () => undefined, hasColours = false, inspectPort, startTimeoutMs = defaultStartTimeoutMs } = options;
  const entry = findEntry(options.entry, cwd);
  // Fails now if the source cannot run.
  const runner = chooseRunner(entry);
  const printer = new EventPrinter({ entry: entry.name, cwd, hasColours, print });
  const relay = new Relay({
    command: (connection) => commandOf(entry, cwd, options, connection),
    ...(inspectPort === undefined && { startTimeoutMs }),
  });
  relay.listen(printer.listener);
  if (trace)
    relay.listen((event) => {
      if (event.kind === "message" && !event.isHidden)
        trace(event.direction === "to-server" ? "out" : "in", event.message);
    });
  if (onEvent) relay.listen(onEvent);
  const checker = typeChecker(entry, printer, options);
  const stopWatching = watchProject({
    entry,
    cwd,
    extra,
    onChange(effect, reason) {
      if (effect === "restart") relay.restart(reason);
      checker?.check();
    },
    onerror: (error, folder) =>
      printer.say(`cannot watch ${shownPath(folder, cwd)}: ${error.message}${remedyOf(error)}`, "warning"),
  });
  let page: DevPage | undefined;
  try {
    checker?.check();
    printer.say(`${entry.name} runs with ${runnerNames[runner.kind]}, and restarts when a source file changes`);
    if (options.ui) page = await openPage(relay, entry, options.ui.port, printer);
    const onerror = (error: Error): void => printer.say(error.message, "error");
    if (http) {
      const { serveHttpHosts } = await import("./http-hosts.js");
      await serveHttpHosts(relay, {
        port: http.port,
        signal,
        onerror,
        onListening: (url) => {
          printer.say(`serving ${url.href}`);
          page?.connect();
          options.onListening?.(url);
        },
      });
    } else {
      const serving = serveStdioHost(relay, { transport, signal, onerror });
      // The first connection has the port of the debugger.
      page?.connect();
      await serving;
    }
  } finally {
    stopWatching();
    checker?.close();
    await page?.close();
    await relay.close();
  }
}

/** What to do when the system watches no more folders. */
function remedyOf(error: Error): string {
  if (!hasCode(error, "ENOSPC", "EMFILE")) return "";
  return "; changes in further folders do not restart the server: raise fs.inotify.max_user_watches, or pass smaller folders to --watch";
}

const runnerNames = { node: "Node", tsx: "tsx", "type-stripping": "the type stripping of Node" } as const;

/** @throws DiagnosticError dev-not-listening */
async function openPage(relay: Relay, entry: DevEntry, port: number, printer: EventPrinter): Promise<DevPage> {
  const { serveDevPage } = await import("./page/serve-dev-page.js");
  const page = await serveDevPage({ relay, entry: entry.name, port }).catch((error: unknown) => {
    throw new DiagnosticError([diagnostic("dev-not-listening", { reason: (error as Error).message, option: "ui" })]);
  });
  printer.say(`open this page to see the messages and call tools: ${page.url}`);
  return page;
}

function commandOf(
  entry: DevEntry,
  cwd: string,
  { args = [], inspectPort }: DevOptions,
  connection: number,
): DevCommand {
  // Configurations of the project may have changed, or the entry may be gone.
  const found = findEntry(entry.path, cwd);
  // Two processes cannot have the same port.
  const port = inspectPort === undefined || connection === 1 ? inspectPort : 0;
  return { command: process.execPath, args: nodeArguments(found, args, chooseRunner(found), port), cwd };
}

function typeChecker(entry: DevEntry, printer: EventPrinter, options: DevOptions): TypeChecker | undefined {
  const { types = true, hasColours = false } = options;
  const tsconfig = types ? findTsconfig(entry.path, entry.folder) : undefined;
  const compiler = tsconfig === undefined ? undefined : findCompiler(tsconfig);
  if (tsconfig === undefined || compiler === undefined) return undefined;
  let before = 0;
  const onResult = (errors: readonly string[]): void => {
    printer.showTypes(errors, before);
    before = errors.length;
  };
  return new TypeChecker({ tsconfig, compiler, hasColours, onResult });
}
