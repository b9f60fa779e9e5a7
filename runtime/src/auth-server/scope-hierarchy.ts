import { SdkError } from "../jsonrpc/errors.js";
import { isObject } from "../jsonrpc/guards.js";
import { isScopeName } from "../rules/scope-names.js";
import { checkScopes } from "./check-scopes.js";

/**
 * The scopes that a broader scope includes. Servers must respect them when they decide whether a token is sufficient (MCP
 * 2026-07-28, step-up authorization flow).
 */
export class ScopeHierarchy {
  readonly #included = new Map<string, readonly string[]>();

  /** @throws SdkError `INVALID_CONFIGURATION` when it is not an object whose members are lists of scopes */
  constructor(scopeIncludes: unknown = {}) {
    if (!isObject(scopeIncludes))
      throw new SdkError(
        "INVALID_CONFIGURATION",
        'scopeIncludes must be an object from a scope to those that it includes: { "files:admin": ["files:read"] }',
      );
    for (const [scope, included] of Object.entries(scopeIncludes)) {
      if (!isScopeName(scope))
        throw new SdkError("INVALID_CONFIGURATION", `scopeIncludes has an invalid scope: ${JSON.stringify(scope)}`);
      this.#included.set(scope, checkScopes(included, `scopeIncludes[${JSON.stringify(scope)}]`));
    }
  }

  /** Returns granted scopes with all that they include, directly or not. */
  expand(granted: Iterable<string>): ReadonlySet<string> {
    const all = new Set(granted);
    // A set also iterates over what is added meanwhile, so that a cycle ends when nothing is new.
    for (const scope of all) for (const included of this.#included.get(scope) ?? []) all.add(included);
    return all;
  }
}
