import type { Context } from "../../shared/command/context.js";
import { escapeControls } from "../../shared/command/escape-controls.js";
import { UsageError } from "../../shared/command/usage-error.js";
import { DiagnosticError, fail } from "../../shared/diagnostics/diagnostic.js";
import { type HostId, hostIds, hosts } from "../../shared/hosts/hosts.js";
import type { Machine } from "../../shared/hosts/host-paths.js";
import type { Server } from "./entry/make-entry.js";
import { hostFile, isFound, type Scope } from "./host-file.js";
import { applyPlan, type InstallPlan, planInstall } from "./install.js";
import { InstallRecord } from "./install-record.js";
import { listHosts } from "./list-hosts.js";
import { printDone, printHosts, printKept, printPlan } from "./print-plan.js";
import { askConsent, askHost, askValue, type QuestionTerminal } from "./questions.js";
import { findName, findServer, type SourceOptions } from "./server-source.js";

/** What the command line asks for. */
export interface InstallRequest {
  /** Undefined: the user chooses. */
  readonly host: HostId | undefined;
  readonly scope: Scope;
  readonly remove: boolean;
  readonly list: boolean;
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
  readonly source: SourceOptions;
  /** Default: this machine, and the current folder. */
  readonly machine?: Machine;
}

/**
 * Runs `mcpwright install`.
 * @param terminal undefined: standard input and standard error, if they are a terminal
 */
export async function runInstall(
  request: InstallRequest,
  context: Context,
  terminal = ownTerminal(context),
): Promise<void> {
  const { json, list, machine = {} } = request;
  const source = { folder: machine.cwd, ...request.source };
  const print = (text: string): unknown => context.out.write(escapeControls(text));
  if (list) {
    const name = nameIfKnown(source);
    const listed = listHosts(name, machine);
    print(json ? `${JSON.stringify(listed, undefined, 2)}\n` : printHosts(listed, name));
    return;
  }
  const asking = json || request.yes ? undefined : terminal;
  const plan = await choosePlan({ ...request, source }, asking);
  if (plan && plan.action !== "keep" && !json) print(printPlan(plan));
  if (!plan || !(await mayWrite(plan, request, asking))) {
    context.err.write("Nothing was written.\n");
    context.exit(1);
    return;
  }
  const isWritten = plan.action !== "keep" && !request.dryRun;
  const backup = isWritten ? await applyPlan(plan, { record: new InstallRecord(machine) }) : undefined;
  if (json) print(`${JSON.stringify(resultOf(plan, isWritten, backup), undefined, 2)}\n`);
  else if (plan.action === "keep") print(printKept(plan));
  else print(isWritten ? printDone(plan, backup) : "\nNothing was written.\n");
}

/** Questions go to standard error, so that the result can be piped. */
function ownTerminal({ err }: Context): QuestionTerminal | undefined {
  return err.isTTY === true && process.stdin.isTTY ? { output: process.stderr } : undefined;
}

/** Returns undefined when the user cancels. */
async function choosePlan(
  { host: given, scope, remove, source, machine = {} }: InstallRequest,
  terminal: QuestionTerminal | undefined,
): Promise<InstallPlan | undefined> {
  const name = findName(source);
  const server = remove ? undefined : findServer(source);
  const host = given ?? (await chooseHost(scope, machine, terminal));
  if (host === undefined) return undefined;
  const complete = server && (await withValues(server, host, () => hostFile(host, scope, machine), terminal));
  if (server && !complete) return undefined;
  return planInstall({ host, scope, name, server: complete, machine });
}

async function chooseHost(
  scope: Scope,
  machine: Machine,
  terminal: QuestionTerminal | undefined,
): Promise<HostId | undefined> {
  if (!terminal) throw new UsageError(`<host> is required without a terminal: one of ${hostIds.join(", ")}.`);
  const found = hostIds.filter((host) => isFound(host, machine) && (scope === "user" || hosts[host].project));
  if (found.length === 0) return fail("install-host-missing", { hosts: hostIds.join(", ") });
  return askHost(found, terminal);
}

/** Asks for the values of variables that the host cannot refer to; returns undefined when the user cancels. */
async function withValues(
  server: Server,
  host: HostId,
  path: () => string,
  terminal: QuestionTerminal | undefined,
): Promise<Server | undefined> {
  if (server.kind === "url" || hosts[host].variable) return server;
  const env = { ...server.env };
  for (const name of server.variables) {
    if (!terminal) fail("install-variable-kept", { host: hosts[host].title, name, path: path() });
    const value = await askValue(host, name, path(), terminal);
    if (value === undefined) return undefined;
    env[name] = value;
  }
  return { ...server, env, variables: [] };
}

async function mayWrite(
  { action, host, path }: InstallPlan,
  { yes, dryRun }: InstallRequest,
  terminal: QuestionTerminal | undefined,
): Promise<boolean> {
  if (yes || dryRun || action === "keep") return true;
  if (!terminal)
    throw new UsageError("--yes is required without a terminal and with --json; --dry-run shows what would change.");
  const question = { add: "Add it to", change: "Replace it in", remove: "Remove it from" }[action];
  return askConsent(`${question} ${hosts[host].title} (${path})?`, terminal);
}

/** The name to list, which is optional. */
function nameIfKnown(source: SourceOptions): string | undefined {
  try {
    return findName(source);
  } catch (error) {
    if (source.name === undefined && error instanceof DiagnosticError) return undefined;
    throw error;
  }
}

/** The printed JSON, which contains no entries. */
function resultOf(plan: InstallPlan, isWritten: boolean, backup: string | undefined): object {
  const { host, scope, path, name, action, starts, notes, difference } = plan;
  return {
    host,
    scope,
    path,
    name,
    action,
    starts: starts ?? null,
    notes,
    difference,
    written: isWritten,
    backup: backup ?? null,
  };
}
