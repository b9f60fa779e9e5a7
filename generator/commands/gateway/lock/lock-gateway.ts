import { SdkError } from "@mcpwright/runtime/errors";
import {
  compareWithLock,
  formatLock,
  type GatewayLock,
  lockServers,
  renderChanges,
  renderFindings,
  reviewSurface,
  type ServerSurface,
  type SurfaceChange,
} from "@mcpwright/runtime/gateway";
import { DiagnosticError, formatDiagnostic } from "../../../shared/diagnostics/diagnostic.js";
import { replaceFile } from "../../../shared/files/replace-file.js";
import type { Terminal } from "../../../shared/sessions/terminal.js";
import { approvedServers } from "../approved-commands.js";
import { publicUrl } from "../config/describe-server.js";
import { formatProblem } from "../config/format-problem.js";
import { quoteName } from "../config/labels.js";
import { configureServers, type ConfiguredServer } from "../configure-server.js";
import { gatewayInfo, passedExtensions } from "../gateway-identity.js";
import { checkSource, configPath, type GatewaySourceOptions } from "../gateway-source.js";
import { readLock } from "./lock-file.js";
import { lockPath } from "./lock-path.js";

export interface GatewayLockOptions extends Pick<GatewaySourceOptions, "config" | "from" | "authorization"> {
  /** The file to write. Default: the field `lock` of the configuration, or beside it. */
  readonly out?: string;
  /** Compares, and writes nothing. Default: `false` */
  readonly isCheck?: boolean;
  /** Approves the commands of `from`. Default: only those that were approved before are started. */
  readonly isApproved?: boolean;
  /** Asks the user to approve commands, and during log-ins. */
  readonly terminal?: Terminal;
  /** Called with each line about a problem. */
  readonly tell: (line: string) => void;
}

/** What `mcpwright gateway lock` found. */
export interface LockOutcome {
  /** The changes, the findings and a summary. */
  readonly text: string;
  /** Whether each server was reached and, with `isCheck`, whether nothing differs. */
  readonly isGood: boolean;
}

/**
 * Connects to the servers of a configuration, and records what they show.
 * @throws DiagnosticError gateway-*, config-not-readable, credentials-unusable, output-not-writable
 */
export async function lockGateway(options: GatewayLockOptions): Promise<LockOutcome> {
  const { tell, terminal, authorization = {}, isCheck = false } = options;
  const config = configPath(options) ?? "";
  const { read, content } = checkSource(config, options, false);
  if (!content || !read.config) throw new DiagnosticError(read.problems);
  for (const problem of read.problems) tell(formatProblem(problem));
  const path = options.out ?? lockPath(config, content.settings);
  const previous = await previousLock(path, isCheck, tell);
  const user = { tell, ...(terminal && { ask: terminal.ask }) };
  const approved = await approvedServers(config, content.servers, options, {
    ...user,
    isApproved: options.isApproved === true,
  });
  // Users log in at the gateway only: here, all servers are used with the log-in of the user of the command.
  const servers = configureServers(approved, content.context, {
    user,
    authorization: { canLogIn: terminal !== undefined, ...authorization },
  });
  const { lock, surfaces, failed } = await lockServers(
    Object.fromEntries([...servers].map(([name, { options: server }]) => [name, server])),
    {
      previous,
      info: gatewayInfo(content.settings),
      extensions: passedExtensions(),
      onerror: (name, error) => tell(`${quoteName(name)}: ${error.message}`),
    },
  ).finally(() => Promise.all([...servers.values()].map((server) => server.close())));

  const known = new Set(previous.servers.map(({ name }) => name));
  const entry = (name: string): string => (known.has(name) ? "its entry stays as it was" : "it has no entry");
  for (const [name, error] of failed)
    tell(`${quoteName(name)} is not locked, ${entry(name)}: ${error.message}${remedyOf(error, servers.get(name))}`);
  const unapproved = content.servers.filter(({ name }) => !servers.has(name));
  for (const { name } of unapproved) tell(`${quoteName(name)} is not locked, ${entry(name)}: it is not approved`);

  // Disabled servers may be enabled again.
  const unused = read.config.servers.filter(({ name }) => !servers.has(name)).map(({ name }) => name);
  const next = withEntries(lock, previous, unused);
  const changes = [...surfaces].flatMap(([name, surface]) => compareWithLock(previous, name, surface));
  const removed = [...known].filter((name) => !next.servers.some((server) => server.name === name));
  const isSame = changes.length === 0 && removed.length === 0;
  if (!isCheck && !isSame) replaceFile(path, formatLock(next));
  const lines = [
    ...(changes.length > 0 ? [renderChanges(changes)] : []),
    ...removed.map((name) => `server ${quoteName(name)}\n  it is no longer in the configuration`),
    ...findingsOf(surfaces),
    summary(path, next, changes, removed.length, isCheck),
  ];
  const isComplete = failed.size === 0 && unapproved.length === 0;
  return { text: `${lines.join("\n")}\n`, isGood: isComplete && (isSame || !isCheck) };
}

/** The lock so far; an empty one if there is none, or if it is to be written again because it is invalid. */
async function previousLock(path: string, isCheck: boolean, tell: (line: string) => void): Promise<GatewayLock> {
  const none: GatewayLock = { version: 1, servers: [] };
  try {
    return (await readLock(path)) ?? none;
  } catch (error) {
    if (isCheck || !(error instanceof DiagnosticError)) throw error;
    for (const diagnostic of error.diagnostics) tell(formatDiagnostic({ ...diagnostic, severity: "finding" }));
    return none;
  }
}

/** What the user can do about a missing log-in. */
function remedyOf(error: Error, server: ConfiguredServer | undefined): string {
  const isMissing = error instanceof SdkError && error.code === "UNAUTHORIZED";
  if (!isMissing || server?.config.kind !== "http") return "";
  return `; log in with "mcpwright login ${publicUrl(server.config.url)}", and run the command again`;
}

function withEntries(lock: GatewayLock, previous: GatewayLock, names: readonly string[]): GatewayLock {
  const kept = previous.servers.filter(({ name }) => names.includes(name));
  const servers = [...lock.servers, ...kept].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { ...lock, servers };
}

function findingsOf(surfaces: ReadonlyMap<string, ServerSurface>): readonly string[] {
  return [...surfaces].flatMap(([server, surface]) =>
    [...reviewSurface(surface)].flatMap(({ kind, name, findings }) => {
      const item = kind === "instructions" ? kind : `${kind} ${quoteName(name)}`;
      return renderFindings(findings).map((line) => `warning: ${quoteName(server)}: ${item}: ${line}`);
    }),
  );
}

function summary(
  path: string,
  { servers }: GatewayLock,
  changes: readonly SurfaceChange[],
  removed: number,
  isCheck: boolean,
): string {
  const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`;
  const differing = changes.filter(({ change }) => change !== "unlocked").length + removed;
  const isNew = changes.length > 0 || removed > 0;
  const outcome = !isNew ? "no changes" : `${count(differing, "change")}${isCheck ? "" : ", written"}`;
  return `${path}: ${count(servers.length, "server")}, ${outcome}`;
}
