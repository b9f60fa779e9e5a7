import { isIP } from "node:net";
import type { ServerVariable } from "../../shared/command/server-variables.js";
import { diagnostic, type Diagnostic, fail } from "../../shared/diagnostics/diagnostic.js";
import { isObject } from "../../shared/is-object.js";
import type { PackageFacts } from "../../shared/project/package-facts.js";
import { unscoped } from "../../shared/project/package-name.js";
import type { ManifestOptions } from "./manifest-options.js";
import { publishedSchema } from "./server-schema.js";

type Members = Readonly<Record<string, unknown>>;

export interface ContentSource {
  readonly facts: PackageFacts;
  readonly isPrivate: boolean;
  /** Of the `package.json`. */
  readonly path: string;
  readonly options: ManifestOptions;
  /** The digest of the bundle. */
  readonly sha256: string | undefined;
  /** The existing `server.json`; empty if there is none. */
  readonly existing: Members;
}

export interface ServerContent {
  readonly content: Members;
  readonly findings: readonly Diagnostic[];
}

/** Makes the content of `server.json`. @throws DiagnosticError manifest-* */
export function serverContent(source: ContentSource): ServerContent {
  const { facts, isPrivate, path, options, existing } = source;
  const findings: Diagnostic[] = [];
  const name = nameOf(source);
  const version = facts.version ?? fail("manifest-fact-missing", { path, key: "version", example: "1.0.0" });
  const packages = isPrivate ? [] : [npmPackage(source, name, version, findings)];
  if (isPrivate) findings.push(diagnostic("manifest-private", { path }));
  const bundle = mcpbPackage(source, version);
  const stated = {
    $schema: publishedSchema.url,
    name,
    ...(options.title !== undefined && { title: options.title }),
    description: descriptionOf(source),
    ...repositoryOf(facts),
    version,
    ...(facts.homepage !== undefined && { websiteUrl: facts.homepage }),
  };
  const members = {
    ...withoutLists({ ...existing, ...stated }),
    ...mergedList("packages", existing, [...packages, ...bundle], isSamePackage),
    ...mergedList("remotes", existing, (options.urls ?? []).map(remoteOf), (a, b) => a["url"] === b["url"]),
  };
  if (!("packages" in members) && !("remotes" in members)) fail("manifest-nothing", { path });
  return { content: inOrderOf(existing, members), findings };
}

function nameOf({ facts, options, existing, path }: ContentSource): string {
  const found = options.name ?? facts.mcpName ?? existing["name"];
  if (typeof found === "string") return found;
  const owner = /^https:\/\/github\.com\/([^/]+)/.exec(facts.repository?.url ?? "")?.[1] ?? "your-name";
  return fail("manifest-no-name", { path, example: `io.github.${owner}/${unscoped(facts.name ?? "server")}` });
}

/** The longest description in the registry. */
const maxDescription = 100;

/** One that was shortened by hand stays. */
function descriptionOf({ facts, options, existing, path }: ContentSource): string {
  const { description } = facts;
  if (options.description !== undefined) return options.description;
  const earlier = existing["description"];
  if (description !== undefined && description.length <= maxDescription) return description;
  if (typeof earlier === "string") return earlier;
  if (description === undefined)
    return fail("manifest-fact-missing", { path, key: "description", example: "What it does" });
  return fail("manifest-description-long", { path, length: description.length, most: maxDescription });
}

/** The registry knows these two. */
function repositoryOf({ repository }: PackageFacts): Members {
  const source = /^https:\/\/(github|gitlab)\.com\//.exec(repository?.url ?? "")?.[1];
  if (!repository || source === undefined) return {};
  const { url, directory } = repository;
  return { repository: { url, source, ...(directory !== undefined && { subfolder: directory }) } };
}

function npmPackage(
  { facts, path, options, existing }: ContentSource,
  name: string,
  version: string,
  findings: Diagnostic[],
): Members {
  const identifier = facts.name ?? fail("manifest-fact-missing", { path, key: "name", example: "weather" });
  if (facts.mcpName !== name)
    findings.push(diagnostic("manifest-name-unproved", { path, name, found: facts.mcpName ?? "none" }));
  const { http, variables = [] } = options;
  const stated = { registryType: "npm", identifier, version };
  const earlier = listIn(existing, "packages").find((one) => isSamePackage(one, stated));
  return {
    ...stated,
    transport:
      http === undefined ? (earlier?.["transport"] ?? { type: "stdio" }) : { type: "streamable-http", url: http },
    ...(variables.length > 0 && { environmentVariables: variables.map(inputOf) }),
  };
}

/** Hosts ask for the variables that the manifest of the bundle names. */
function mcpbPackage({ options: { mcpb }, sha256 }: ContentSource, version: string): readonly Members[] {
  if (!mcpb) return [];
  return [{ registryType: "mcpb", identifier: mcpb.url, version, fileSha256: sha256, transport: { type: "stdio" } }];
}

function inputOf({ name, isSecret, value }: ServerVariable): Members {
  return {
    name,
    isRequired: value === undefined,
    ...(isSecret && { isSecret: true }),
    ...(value !== undefined && { default: value }),
  };
}

/** The registry accepts public servers only. */
function remoteOf(url: string): Members {
  const { protocol, hostname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const isPrivate = isIP(host) !== 0 || !host.includes(".") || /\.(?:local|localhost|internal|test)$/i.test(host);
  if (protocol !== "https:" || isPrivate) fail("manifest-remote-private", { url });
  return { type: "streamable-http", url };
}

function isSamePackage(a: Members, b: Members): boolean {
  if (a["registryType"] !== b["registryType"]) return false;
  // The URL of a bundle changes with each release.
  return a["registryType"] === "mcpb" || a["identifier"] === b["identifier"];
}

/** Replaces what the project states in the objects of a list; other objects and members stay. */
function mergedList(
  key: "packages" | "remotes" | "environmentVariables",
  existing: Members,
  stated: readonly Members[],
  isSame: (a: Members, b: Members) => boolean,
): Members {
  const earlier = listIn(existing, key);
  const kept = earlier.map((item) => {
    const now = isObject(item) ? stated.find((one) => isSame(item, one)) : undefined;
    return now ? { ...item, ...now, ...mergedVariables(item, now) } : item;
  });
  const added = stated.filter((one) => !earlier.some((item) => isObject(item) && isSame(item, one)));
  const all = [...kept, ...added];
  return all.length > 0 ? { [key]: all } : {};
}

function listIn(existing: Members, key: string): readonly Members[] {
  return Array.isArray(existing[key]) ? (existing[key] as readonly Members[]) : [];
}

/** Of a package. */
function mergedVariables(item: Members, { environmentVariables: stated }: Members): Members {
  if (!Array.isArray(stated)) return {};
  return mergedList("environmentVariables", item, stated, (a, b) => a["name"] === b["name"]);
}

function withoutLists({ packages: _packages, remotes: _remotes, ...rest }: Members): Members {
  return rest;
}

/** The members in the order of an existing file, then the others. */
function inOrderOf(existing: Members, members: Members): Members {
  const keys = [...new Set([...Object.keys(existing), ...Object.keys(members)])];
  return Object.fromEntries(keys.filter((key) => key in members).map((key) => [key, members[key]]));
}
