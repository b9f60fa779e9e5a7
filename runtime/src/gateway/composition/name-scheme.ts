import { SdkError } from "../../jsonrpc/errors.js";
import { isObject } from "../../jsonrpc/guards.js";
import { quoted } from "./quoted.js";

/**
 * How a gateway names the tools and prompts of its servers.
 *
 * - `{ separator }`: `<server><separator><name>`. The separator has 1 to 8 letters, digits, `_`, `-` and `.`. Tool names that are
 *   longer than `maxLength` (16 to 128, default 128) are cut: set 64 for hosts that accept no more.
 * - `"none"`: the server's own names. When two servers have the same, clients see that of the first.
 * - A function: its result. A tool name must have 1 to 128 letters, digits, `_`, `-` and `.`; a prompt name must not be empty.
 *   The function must return the same name each time.
 *
 * Except from a function, a tool name with other characters gets `_` in their place. A tool name that was changed or cut ends
 * in `_` and 8 hexadecimal digits, which depend on server and name only. Names of prompts keep all characters, because the
 * specification does not restrict them.
 */
export type NameOption =
  | { readonly separator: string; readonly maxLength?: number | undefined }
  | "none"
  | ((server: string, name: string) => string);

/** The names under which clients see the items of all servers. */
export interface NameScheme {
  /**
   * The name that clients see.
   * @throws SdkError `INVALID_CONFIGURATION` when a function of the program throws or returns an invalid name
   */
  readonly nameOf: (server: string, name: string) => string;
  /** How the names of a server begin; undefined when that is not known, or the names have no prefix. */
  readonly prefixOf: (server: string) => string | undefined;
  /** The servers that may have an item of this name; undefined: any. */
  readonly ownersOf: (name: string) => readonly string[] | undefined;
}

/** The length of the hash with the `_` before it. */
const HASH_LENGTH = 9;

/** The length of tool names (MCP, tools: tool names). */
const MAX_LENGTH = 128;

/**
 * Returns the names of tools, or those of prompts.
 * @param option default: `{ separator: "_" }`
 * @throws SdkError `INVALID_CONFIGURATION` when the option is invalid
 */
export function nameScheme(
  option: NameOption | undefined,
  servers: readonly string[],
  kind: "tools" | "prompts" = "tools",
): NameScheme {
  const isTool = kind === "tools";
  if (typeof option === "function") {
    const nameOf = (server: string, name: string): string => nameByFunction(option, server, name, isTool);
    return { nameOf, prefixOf: () => undefined, ownersOf: () => undefined };
  }
  if (option === "none") {
    const nameOf = isTool ? (server: string, name: string) => toolName("", server, name, MAX_LENGTH) : sameName;
    return { nameOf, prefixOf: () => undefined, ownersOf: () => undefined };
  }
  const { separator, maxLength } = readOption(option);
  if (!isTool) return withPrefix(servers, separator, (server, name) => `${server}${separator}${name}`);
  const nameOf = (server: string, name: string): string => toolName(`${server}${separator}`, server, name, maxLength);
  return withPrefix(servers, separator, nameOf, maxLength - HASH_LENGTH);
}

/** @param kept the length up to which each name begins with the prefix, with invalid characters replaced; default: all of it */
function withPrefix(
  servers: readonly string[],
  separator: string,
  nameOf: NameScheme["nameOf"],
  kept?: number,
): NameScheme {
  const start = (server: string): string => {
    const prefix = `${server}${separator}`;
    return kept === undefined ? prefix : clean(prefix.slice(0, kept));
  };
  const starts = servers.map((server) => ({ server, start: start(server) }));
  return {
    nameOf,
    prefixOf: start,
    ownersOf: (name) => starts.flatMap((owner) => (name.startsWith(owner.start) ? owner.server : [])),
  };
}

function readOption(option: unknown): { readonly separator: string; readonly maxLength: number } {
  const { separator, maxLength = MAX_LENGTH } =
    option === undefined ? { separator: "_" } : isObject(option) ? option : {};
  if (typeof separator !== "string")
    throw invalid('names must be { separator: "_" }, "none" or a function (server, name) => string');
  if (!/^[A-Za-z0-9_.-]{1,8}$/.test(separator))
    throw invalid(
      `names.separator must have 1 to 8 letters, digits, "_", "-" and ".", not ${quoted(separator)}; for no prefix, write names: "none"`,
    );
  if (typeof maxLength !== "number" || !Number.isInteger(maxLength) || maxLength < 16 || maxLength > MAX_LENGTH)
    throw invalid(`names.maxLength must be an integer from 16 to ${MAX_LENGTH}, not ${String(maxLength)}`);
  return { separator, maxLength };
}

function nameByFunction(
  choose: (server: string, name: string) => unknown,
  server: string,
  name: string,
  isTool: boolean,
): string {
  const call = `names(${quoted(server)}, ${quoted(name)})`;
  let chosen: unknown;
  try {
    chosen = choose(server, name);
  } catch (error) {
    throw invalid(`${call} threw ${error instanceof Error ? error.message : String(error)}`, error);
  }
  if (typeof chosen === "string" && (isTool ? isToolName(chosen, MAX_LENGTH) : chosen !== "")) return chosen;
  const rule = isTool ? `1 to ${MAX_LENGTH} letters, digits, "_", "-" and "."` : "a non-empty string";
  throw invalid(`${call} must return ${rule}, not ${typeof chosen === "string" ? quoted(chosen) : typeof chosen}`);
}

function sameName(_server: string, name: string): string {
  return name;
}

function toolName(prefix: string, server: string, name: string, maxLength: number): string {
  const wanted = prefix + name;
  if (isToolName(wanted, maxLength)) return wanted;
  return `${clean(wanted.slice(0, maxLength - HASH_LENGTH))}_${hashOf(server, name)}`;
}

function isToolName(name: string, maxLength: number): boolean {
  return name.length <= maxLength && /^[A-Za-z0-9_.-]+$/.test(name);
}

/** Replaces UTF-16 code units one by one: so a text that was cut begins like the whole. */
function clean(text: string): string {
  return text.replace(/[^A-Za-z0-9_.-]/g, "_");
}

/** FNV-1a of 32 bits, over the bytes of the UTF-16 code units of both strings and a separator; it protects nothing. */
function hashOf(server: string, name: string): string {
  let hash = 0x811c9dc5;
  for (const text of [server, "\0", name])
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
      hash = Math.imul(hash ^ (unit >> 8), 0x01000193);
    }
  return (hash >>> 0).toString(16).padStart(8, "0");
}

function invalid(message: string, cause?: unknown): SdkError {
  return new SdkError("INVALID_CONFIGURATION", message, undefined, cause === undefined ? undefined : { cause });
}
