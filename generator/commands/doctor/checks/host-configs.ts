import { parse } from "jsonc-parser";
import { DiagnosticError, formatPlace } from "../../../shared/diagnostics/diagnostic.js";
import { configPaths, type Machine, projectPath } from "../../../shared/hosts/host-paths.js";
import { type Host, type HostId, hostIds, hosts } from "../../../shared/hosts/hosts.js";
import { isObject } from "../../../shared/is-object.js";
import { parseDocument } from "../../install/documents/parse-document.js";
import { readHostFile } from "../../install/host-file.js";
import { type CheckResult, problem, type Problem } from "../finding.js";
import type { Members } from "../project.js";
import { commandProblems } from "./host-command.js";
import type { HostServer } from "./host-server.js";
import { variableProblems } from "./host-variables.js";

/** Looks into the files of all hosts for servers that cannot start. */
export function checkHosts(machine: Machine): CheckResult | undefined {
  const found = hostIds.flatMap((id) => configPaths(id, machine).map((path) => readServers(id, path, machine)));
  const files = found.filter((one) => one !== undefined);
  if (files.length === 0) return undefined;
  const servers = files.flatMap((file) => file.servers);
  const problems = [
    ...files.flatMap((file) => file.problems),
    ...servers.flatMap((server) => [...commandProblems(server, machine), ...variableProblems(server, machine)]),
    ...hostIds.flatMap((id) => configuredTwice(servers.filter(({ host }) => host === hosts[id]))),
  ];
  if (problems.length > 0) return problems;
  const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? "" : "s"}`;
  return `${count(servers.length, "server")} in ${count(files.length, "file")} of hosts`;
}

interface HostServers {
  readonly servers: readonly HostServer[];
  readonly problems: readonly Problem[];
}

/** Returns undefined for a file that does not exist. */
function readServers(id: HostId, path: string, machine: Machine): HostServers | undefined {
  const host: Host = hosts[id];
  const isProject = path === projectPath(id, machine);
  try {
    const { text } = readHostFile(path);
    if (text === undefined) return undefined;
    const { names, entry } = parseDocument(host, text, path);
    const read = names.map((name) => readEntry({ host, name, path, isProject }, entry));
    const servers = [...read.flatMap((one) => one.servers), ...keptForProject(host, path, text, machine)];
    return { servers, problems: read.flatMap((one) => one.problems) };
  } catch (error) {
    return { servers: [], problems: [unusable(host, path, error)] };
  }
}

/** The servers that a host keeps for the project in the file of the user. */
function keptForProject(
  host: Host,
  path: string,
  text: string,
  { cwd = process.cwd() }: Machine,
): readonly HostServer[] {
  if (host.projects === undefined) return [];
  const projects = memberOf(parse(text.replace(/^\uFEFF/, "")), host.projects);
  const project = memberOf(projects, cwd) ?? memberOf(projects, cwd.replaceAll("\\", "/"));
  const servers = memberOf(project, host.servers);
  return Object.entries(isObject(servers) ? servers : {}).flatMap(([name, entry]) =>
    isObject(entry) ? [{ host, name, path, isProject: true, entry }] : [],
  );
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function readEntry(place: Omit<HostServer, "entry">, entryOf: (name: string) => Members | undefined): HostServers {
  try {
    const entry = entryOf(place.name);
    return { servers: entry ? [{ ...place, entry }] : [], problems: [] };
  } catch (error) {
    return { servers: [], problems: [unusable(place.host, place.path, error)] };
  }
}

function unusable({ title }: Host, path: string, error: unknown): Problem {
  const [first] = error instanceof DiagnosticError ? error.diagnostics : [];
  if (!first) throw error;
  const message = `${title} cannot use its configuration: ${first.message}`;
  return problem("error", message, "correct the file", first.span ? formatPlace(first.span) : path);
}

/**
 * Servers of one host that have the same name, or start the same. Several files of the user belong to variants of the host, such as VS Code
 * Insiders, each of which reads its own.
 */
function configuredTwice(servers: readonly HostServer[]): readonly Problem[] {
  return servers.flatMap((server, at) => {
    const earlier = servers
      .slice(0, at)
      .filter((other) => other.path === server.path || other.isProject !== server.isProject)
      .find((other) => other.name === server.name || isSame(other.entry, server.entry));
    if (!earlier) return [];
    const as = earlier.name === server.name ? "" : ` as ${JSON.stringify(earlier.name)}`;
    const message = `${server.host.title} has the server ${JSON.stringify(server.name)} twice, also${as} in ${earlier.path}`;
    return [
      problem("warning", message, "remove one of them: mcpwright install --remove, or edit the file", server.path),
    ];
  });
}

function isSame(a: Members, b: Members): boolean {
  const starts = ({ command, args, url, httpUrl, serverUrl, env }: Members): string | undefined =>
    typeof (command ?? url ?? httpUrl ?? serverUrl) === "string"
      ? JSON.stringify([command, args, url, httpUrl, serverUrl, isObject(env) ? Object.entries(env).sort() : []])
      : undefined;
  return starts(a) !== undefined && starts(a) === starts(b);
}
