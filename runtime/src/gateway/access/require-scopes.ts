import { SdkError } from "../../jsonrpc/errors.js";
import { isObject } from "../../jsonrpc/guards.js";
import { isScopeName } from "../../rules/scope-names.js";
import { quoted } from "../composition/quoted.js";
import { wildcard } from "../composition/wildcard.js";
import { ScopedAccess } from "./scoped-access.js";
import type { NeededScopes, ServerScopes } from "./server-access.js";

/** Scopes by the server's own names of tools, in which `*` stands for any characters. */
export type ScopesByTool = Readonly<Record<string, readonly string[]>>;

/**
 * Makes the option `scopes` of a server of a gateway: the OAuth scopes that clients need for it, over HTTP. A list applies to everything that the
 * server has. With an object, a tool needs the scopes of all patterns that match its name, prompts and resources those of `"*"`.
 * @example
 * ```ts
 * const servers = {
 *   docs: { url: "https://docs.example.com/mcp", scopes: requireScopes(["docs:read"]) },
 *   issues: { url: "https://issues.example.com/mcp", scopes: requireScopes({ "*": ["issues:read"], "create_*": ["issues:write"] }) },
 * };
 * ```
 * @throws SdkError `INVALID_CONFIGURATION`
 */
export function requireScopes(scopes: readonly string[] | ScopesByTool): ServerScopes {
  return { needed: neededScopes(scopes), accessTo: (servers, gates) => new ScopedAccess(servers, gates) };
}

function neededScopes(given: readonly string[] | ScopesByTool): NeededScopes {
  const byPattern: unknown = Array.isArray(given) ? { "*": given as readonly string[] } : given;
  if (!isObject(byPattern)) throw invalid('pass a list of scopes, or an object such as { "*": ["read"] }');
  const { "*": every = [], ...others } = byPattern;
  const base = scopesOf(every, '"*"');
  const patterns = Object.entries(others).map(([pattern, scopes]) => {
    if (pattern === "") throw invalid('a name is empty; write that of a tool, or a pattern such as "write_*"');
    return { test: wildcard(pattern), scopes: scopesOf(scopes, quoted(pattern)) };
  });
  return {
    base,
    all: [...base, ...patterns.flatMap(({ scopes }) => scopes)],
    differByTool: patterns.length > 0,
    ofTool(name) {
      const added = patterns.filter(({ test }) => test(name)).flatMap(({ scopes }) => scopes);
      return added.length === 0 ? base : [...new Set([...base, ...added])];
    },
  };
}

function scopesOf(given: unknown, name: string): readonly string[] {
  if (!Array.isArray(given) || !given.every(isScopeName))
    throw invalid(
      `the scopes of ${name} must be strings without spaces, quotes and backslashes, one scope each, in a list`,
    );
  return given;
}

function invalid(problem: string): SdkError {
  return new SdkError("INVALID_CONFIGURATION", `requireScopes: ${problem}`);
}
