import type { Authenticated } from "../http-server/host-adapter.js";
import type { Principal } from "../transport/principal.js";
import type { AuthInfo } from "./auth-info.js";
import type { ScopeHierarchy } from "./scope-hierarchy.js";

/** What a verified token allows. */
export interface Admission<Claims extends object> {
  readonly info: AuthInfo<Claims>;
  /** Its scopes, and those that they include. */
  readonly scopes: ReadonlySet<string>;
  /** The scopes of the endpoint that it lacks. */
  readonly missing: readonly string[];
  readonly authenticated: Authenticated;
}

/** The admissions of all tokens that one resource server has verified, computed once per token. */
export class Admissions<Claims extends object> {
  readonly #known = new WeakMap<Principal, Admission<Claims>>();

  constructor(
    readonly requiredScopes: readonly string[],
    readonly hierarchy: ScopeHierarchy,
  ) {}

  /** Finds that of the principal of a request; undefined when the principal is from elsewhere. */
  find(principal: Principal | undefined): Admission<Claims> | undefined {
    return principal && this.#known.get(principal);
  }

  /** Returns that of a verified token. */
  admit(info: AuthInfo<Claims>): Admission<Claims> {
    const known = this.#known.get(info);
    if (known) return known;
    const scopes = this.hierarchy.expand(info.scopes);
    const admission: Admission<Claims> = {
      info,
      scopes,
      missing: this.requiredScopes.filter((scope) => !scopes.has(scope)),
      authenticated: { principal: info, expiresAt: info.expiresAt * 1_000 },
    };
    this.#known.set(info, admission);
    return admission;
  }
}
