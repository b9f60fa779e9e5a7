import { toError } from "../../jsonrpc/error-conversion.js";
import { SdkError } from "../../jsonrpc/errors.js";
import { isObject } from "../../jsonrpc/guards.js";
import { escapeHidden, quote } from "../review/escape-hidden.js";
import { canonicalText, digestOf } from "./canonical-text.js";
import { type GatewayLock, type LockedItem, type LockedServer, lockVersion } from "./gateway-lock.js";
import { itemKey, type ItemKind, itemKinds } from "./server-surface.js";

const remedy = "write it again";

/**
 * Reads the text of a lock, and compares each digest with its item: a merge or a change by hand must not approve something by accident.
 * @throws SdkError `INVALID_CONFIGURATION` (as a rejection) when the text is not a lock, was changed, or has a version that this gateway
 * does not know
 */
export async function parseLock(text: string): Promise<GatewayLock> {
  const lock = members(parse(text), "", ["version", "servers"]);
  if (lock["version"] !== lockVersion)
    throw invalid(
      typeof lock["version"] === "number"
        ? `it has version ${lock["version"]}, but version ${lockVersion} is required; update mcpwright, or ${remedy}`
        : `version must be the number ${lockVersion}; ${remedy}`,
    );
  const servers: LockedServer[] = [];
  for (const [at, value] of list(lock["servers"], "servers").entries())
    servers.push(await readServer(value, `servers[${at}]`));
  assertUnique(servers.map(({ name }) => ["server", name]));
  return { version: lockVersion, servers };
}

async function readServer(value: unknown, path: string): Promise<LockedServer> {
  const server = members(value, path, ["name", "items"]);
  const name = string(server["name"], `${path}.name`);
  const items = list(server["items"], `${path}.items`).map((item, at) => readItem(item, `${path}.items[${at}]`));
  assertUnique(items.map((item) => [`server ${quote(name)}: ${item.kind}`, item.name, itemKey(item)]));
  for (const item of items) await verify(item, name);
  return { name, items };
}

function readItem(value: unknown, path: string): LockedItem {
  const item = members(value, path, ["kind", "name", "digest", "value"]);
  const kind = string(item["kind"], `${path}.kind`);
  if (!isItemKind(kind))
    throw invalid(`${path}.kind must be one of ${itemKinds.join(", ")}, not ${quote(kind)}; ${remedy}`);
  const digest = string(item["digest"], `${path}.digest`);
  return { kind, name: string(item["name"], `${path}.name`), digest, value: item["value"] };
}

async function verify({ kind, name, digest, value }: LockedItem, server: string): Promise<void> {
  let text;
  try {
    text = canonicalText(value);
  } catch (error) {
    throw invalid(`${kind} ${quote(name)} of server ${quote(server)}: ${toError(error).message}`);
  }
  if ((await digestOf(text)) !== digest)
    throw invalid(
      `the digest of ${kind} ${quote(name)} of server ${quote(server)} does not belong to its value, so the file was changed; review the server, and ${remedy}`,
    );
}

function parse(text: string): unknown {
  const conflict = /^(?:<{7}|>{7}) /m.exec(text);
  if (conflict) throw invalid(`line ${lineAt(text, conflict.index)} has a merge conflict; resolve it, or ${remedy}`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(`it is not JSON: ${escapeHidden(toError(error).message)}; ${remedy}`);
  }
}

function members(value: unknown, path: string, names: readonly string[]): Readonly<Record<string, unknown>> {
  const shown = path === "" ? "it" : path;
  if (!isObject(value)) throw invalid(`${shown} must be an object; ${remedy}`);
  const missing = names.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) throw invalid(`${shown} has no member "${missing}"; ${remedy}`);
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined) throw invalid(`${shown} has an unknown member ${quote(unknown)}; ${remedy}`);
  return value;
}

function list(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid(`${path} must be an array; ${remedy}`);
  return value;
}

function string(value: unknown, path: string): string {
  if (typeof value !== "string") throw invalid(`${path} must be a string; ${remedy}`);
  return value;
}

function assertUnique(named: readonly (readonly [what: string, name: string, key?: string])[]): void {
  const seen = new Set<string>();
  for (const [what, name, key = name] of named) {
    if (seen.has(key)) throw invalid(`${what} ${quote(name)} is listed twice; ${remedy}`);
    seen.add(key);
  }
}

function isItemKind(kind: string): kind is ItemKind {
  return (itemKinds as readonly string[]).includes(kind);
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

function invalid(problem: string): SdkError {
  return new SdkError("INVALID_CONFIGURATION", `the lock is invalid: ${problem}`);
}
