import { diagnostic, formatPlace, type Diagnostic } from "../../../shared/diagnostics/diagnostic.js";
import { isObject } from "../../../shared/is-object.js";
import { blankComments } from "../../../shared/json/json-comments.js";
import { JsonLocations } from "../../../shared/json/json-locations.js";
import type { Span } from "../../../shared/model/source.js";
import { checkServer } from "./check-server.js";
import { checkUsers } from "./check-users.js";
import { checkType, type Report, suggestion } from "./check-type.js";
import { configType, serverFolders } from "./config-fields.js";
import { buildConfig } from "./build-config.js";
import { checkInputs } from "./check-inputs.js";
import type { GatewayConfig } from "./gateway-config.js";
import { explainSyntax } from "./explain-syntax.js";
import { fieldLabel, type Pointer, quoteName, serverOf } from "./labels.js";

/** A mistake in a configuration. Findings are warnings. */
export interface ConfigProblem extends Diagnostic {
  readonly span: Span;
  /** The server that has the mistake; undefined if it concerns the whole configuration. */
  readonly server?: string;
}

export interface ReadConfigOptions {
  /** The path of the file, for positions and for references relative to it. */
  readonly path: string;
  /**
   * Whether the file is that of a host, which you cannot change for the gateway: unknown fields are warnings, and servers with
   * errors are left out. Default: `false`
   */
  readonly lenient?: boolean;
}

export interface ReadConfig {
  /** Undefined if the text has errors; with `lenient`, only if they concern the whole configuration. */
  readonly config: GatewayConfig | undefined;
  /** The configuration with only the servers that have no errors; undefined if errors concern the whole configuration. */
  readonly usable: GatewayConfig | undefined;
  /** All mistakes, in the order of the text. */
  readonly problems: readonly ConfigProblem[];
  /** The position of a field of a server; without a server, of a field of the configuration. */
  readonly locate: (server: string | undefined, field: Pointer) => Span;
}

/**
 * Reads the configuration of a gateway: JSON with comments and trailing commas, with the servers in `mcpServers` or `servers`.
 * References such as `${env:NAME}` are checked, but not replaced, and no file is read.
 *
 * @example
 * ```ts
 * const { config, problems } = readGatewayConfig(readFileSync(path, "utf8"), { path });
 * for (const problem of problems) console.error(formatProblem(problem));
 * if (!config) process.exitCode = 1;
 * ```
 */
export function readGatewayConfig(text: string, { path, lenient = false }: ReadConfigOptions): ReadConfig {
  const locations = new JsonLocations(blankComments(text), path);
  const problems: ConfigProblem[] = [];
  const report: Report = (id, values, pointer, at) => {
    if (lenient && id === "gateway-field-ignored" && isSettingOfHost(pointer)) return;
    const span = at === "name" ? locations.locateName(pointer) : locations.locate(pointer);
    const found = lenient && id === "gateway-field-unknown" ? "gateway-field-ignored" : id;
    problems.push(problem(found, values, span, serverOf(pointer)));
  };
  let document: unknown;
  try {
    document = JSON.parse(locations.text);
  } catch (error) {
    const span = locations.syntaxError(error as Error);
    const explained = explainSyntax(error as Error, restAt(locations.text, span));
    const problems = [problem("gateway-config-syntax", explained, span)];
    return { config: undefined, usable: undefined, problems, locate: () => span };
  }
  const folder = checkDocument(document, report);
  checkRepetitions(locations, problems);
  const wrong = new Set(problems.filter(({ severity }) => severity === "error").map(({ server }) => server));
  const usable =
    isObject(document) && folder !== undefined && !wrong.has(undefined)
      ? buildConfig(document, folder, path, (name) => !wrong.has(name))
      : undefined;
  return {
    config: lenient || wrong.size === 0 ? usable : undefined,
    usable,
    problems: problems.sort((a, b) => a.span.line - b.span.line || a.span.column - b.span.column),
    locate: (server, field) => locations.locate(server === undefined ? field : [folder ?? "", server, ...field]),
  };
}

export function problem(
  id: Parameters<typeof diagnostic>[0],
  values: Parameters<typeof diagnostic>[1],
  span: Span,
  server?: string,
): ConfigProblem {
  return { ...diagnostic(id, values), span, ...(server !== undefined && { server }) };
}

/** Whether a member at the top level has nothing to do with servers. */
function isSettingOfHost(pointer: Pointer): boolean {
  const [name = "", ...rest] = pointer;
  return rest.length === 0 && suggestion(name, serverFolders) === undefined;
}

/** Reports all mistakes except repeated members. Returns the member that lists the servers. */
function checkDocument(document: unknown, report: Report): (typeof serverFolders)[number] | undefined {
  const inputIds = isObject(document) ? checkInputs(document["inputs"], report) : [];
  checkType(configType, document, [], { report, inputIds });
  if (!isObject(document)) return undefined;
  checkUsers(document, report);
  const folders = serverFolders.filter((name) => Object.hasOwn(document, name));
  const [folder, second] = folders;
  if (second !== undefined) report("gateway-servers-twice", {}, [second], "name");
  if (folder === undefined) {
    const near = Object.keys(document).map((name) => suggestion(name, serverFolders));
    const hint = near.find((one) => one !== undefined) ?? 'List the servers in "mcpServers".';
    report("gateway-servers-missing", { hint }, []);
    return undefined;
  }
  for (const name of folders) {
    const servers = document[name];
    if (!isObject(servers)) continue;
    if (Object.keys(servers).length === 0) report("gateway-servers-none", {}, [name]);
    for (const [server, fields] of Object.entries(servers))
      if (isObject(fields)) checkServer(fields, [name, server], report);
  }
  return folder;
}

/** Reports members that occur twice; `JSON.parse` has kept the last one. */
function checkRepetitions(locations: JsonLocations, problems: ConfigProblem[]): void {
  for (const { pointer, first, second } of locations.repetitions()) {
    const server = serverOf(pointer);
    const isServer = server !== undefined && pointer.length === 2;
    // Hosts have members of their own at the top level.
    const isOurs = configType.fields.some(({ name }) => name === pointer[0]);
    if (!isOurs) continue;
    const values = { field: fieldLabel(pointer), name: quoteName(server ?? ""), first: formatPlace(first) };
    problems.push(problem(isServer ? "gateway-name-repeated" : "gateway-field-repeated", values, second, server));
  }
}

function restAt(text: string, { line, column }: Span): string {
  let at = 0;
  for (let number = 1; number < line; number++) at = text.indexOf("\n", at) + 1;
  return text.slice(at + column - 1, at + column + 3);
}
