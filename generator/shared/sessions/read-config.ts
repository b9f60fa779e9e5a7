import { readFileSync } from "node:fs";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { diagnostic, fail } from "../diagnostics/diagnostic.js";
import { isObject } from "../is-object.js";
import { closestName } from "../names/closest.js";
import { blankComments } from "../json/json-comments.js";
import { JsonLocations } from "../json/json-locations.js";
import { errnoText } from "../files/file-errors.js";
import { httpTarget, type FoundTarget, type TargetOptions } from "./target.js";
import type { ServerTarget } from "./target.js";

type Members = Readonly<Record<string, unknown>>;
type Pointer = readonly string[];

/** The members under which hosts list their servers. */
const folders = ["mcpServers", "servers"];
const httpTypes = ["http", "streamable-http", "streamableHttp", "sse"];

/**
 * Reads a server from the configuration of a host.
 * @throws DiagnosticError config-not-readable, config-malformed, config-server-unknown, config-server-unnamed
 */
export function readConfig(path: string, options: TargetOptions): FoundTarget {
  const text = readText(path);
  const places = new JsonLocations(blankComments(text), path);
  const malformed = (pointer: Pointer, reason: string): never =>
    fail("config-malformed", { reason }, places.locate(pointer));
  let document: unknown;
  try {
    document = JSON.parse(places.text);
  } catch (error) {
    return fail("config-malformed", { reason: (error as Error).message }, places.syntaxError(error as Error));
  }
  const folder = folders.find((name) => isObject(document) && isObject(document[name]));
  if (!isObject(document) || folder === undefined) return malformed([], 'the configuration has no "mcpServers"');
  const servers = document[folder] as Members;
  const name =
    choose(path, Object.keys(servers), options.server) ?? malformed([folder], "the configuration has no servers");
  const at = [folder, name];
  const entry = servers[name];
  if (!isObject(entry)) return malformed(at, "a server must be an object");
  return { target: readServer(entry, at, malformed), notes: openVariables(entry, at, options) };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    return fail("config-not-readable", { path, reason: errnoText(error) ?? String(error) });
  }
}

function choose(path: string, names: readonly string[], wanted: string | undefined): string | undefined {
  const listed = names.join(", ");
  if (wanted === undefined && names.length > 1)
    fail("config-server-unnamed", { path, count: names.length, names: listed });
  if (wanted === undefined || names.includes(wanted)) return wanted ?? names[0];
  const near = closestName(wanted, names);
  const hint = near === undefined ? `It has ${listed || "none"}.` : `Did you mean ${near}? It has ${listed}.`;
  return fail("config-server-unknown", { path, name: wanted, hint });
}

function readServer(entry: Members, at: Pointer, malformed: (pointer: Pointer, reason: string) => never): ServerTarget {
  const { type, url, command, args = [], env = {}, headers = {}, cwd } = entry;
  const string = (key: string): string =>
    typeof entry[key] === "string" ? entry[key] : malformed([...at, key], `"${key}" must be a string`);
  const strings = (key: string, value: unknown): Record<string, string> =>
    isObject(value) && Object.values(value).every((one) => typeof one === "string")
      ? ({ ...value } as Record<string, string>)
      : malformed([...at, key], `"${key}" must be an object of strings`);
  if (type !== undefined && type !== "stdio" && !httpTypes.includes(type as string))
    malformed([...at, "type"], '"type" must be "stdio", "http" or "sse"');
  if (url !== undefined || httpTypes.includes(type as string))
    return { ...httpTarget(string("url"), type === "sse"), headers: strings("headers", headers) };
  if (command === undefined) malformed(at, 'a server must have a "command" or a "url"');
  if (!Array.isArray(args) || !args.every((one) => typeof one === "string"))
    return malformed([...at, "args"], '"args" must be an array of strings');
  return {
    kind: "stdio",
    command: string("command"),
    args,
    env: strings("env", env),
    ...(cwd !== undefined && { cwd: string("cwd") }),
  };
}

/** Variables that hosts replace and that have no value here. */
function openVariables(entry: Members, at: Pointer, { env = {}, headers = {} }: TargetOptions): readonly Diagnostic[] {
  const given = new Set([...Object.keys(env), ...Object.keys(headers)]);
  const texts = Object.entries(entry).flatMap(([key, value]): (readonly [string, unknown])[] =>
    typeof value === "object" && value !== null
      ? Object.entries(value)
          .filter(([name]) => !given.has(name))
          .map(([name, one]) => [`${key}.${name}`, one] as const)
      : [[key, value]],
  );
  return texts.flatMap(([where, value]) => {
    const variable = typeof value === "string" ? /\$\{[^}]*\}/.exec(value)?.[0] : undefined;
    return variable === undefined
      ? []
      : [diagnostic("config-variable-open", { where: [...at, where].join("."), variable })];
  });
}
