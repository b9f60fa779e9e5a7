import { InsufficientScopeError } from "../auth-errors.js";
import { stepUpMemoryMs } from "./stored-step-ups.js";

const maxAttempts = 2;
const maxOperations = 1_000;

interface Attempts {
  count: number;
  readonly since: number;
}

/** The missing scopes of one rejected operation. */
export interface MissingScopes {
  /** The JSON-RPC method and what it addresses; undefined for requests without a message. */
  readonly operation: string | undefined;
  readonly required: readonly string[];
  readonly granted: readonly string[];
}

/**
 * Counts the authorizations for more scopes, per operation on one MCP server: two within an hour, and then an error without
 * another one (MCP, authorization, step-up authorization flow).
 */
export class StepUpLimits {
  readonly #attempts = new Map<string, Attempts>();

  /**
   * @param elsewhere the number of attempts that this object has not counted
   * @throws InsufficientScopeError when the operation has used up its attempts
   */
  assertAllowed(server: URL, { operation, required, granted }: MissingScopes, elsewhere = 0): void {
    const attempts = this.#attempts.get(operation ?? "");
    const isRecent = attempts !== undefined && performance.now() - attempts.since <= stepUpMemoryMs;
    if ((isRecent ? attempts.count : 0) + elsewhere < maxAttempts) return;
    const what = operation === undefined ? "a request" : `"${operation}"`;
    const scopes = required.length > 0 ? `the scopes ${required.join(" ")}` : "more scopes";
    throw new InsufficientScopeError(
      `${server.origin}${server.pathname} still requires ${scopes} for ${what} after ${maxAttempts} authorizations; grant them to this application at the authorization server`,
      required,
      granted,
      operation,
    );
  }

  /** Counts an attempt. The operations whose attempts began longest ago are forgotten when there are too many. */
  count(operation: string | undefined): void {
    const now = performance.now();
    const key = operation ?? "";
    const known = this.#attempts.get(key);
    if (known && now - known.since <= stepUpMemoryMs) {
      known.count++;
      return;
    }
    this.#attempts.delete(key);
    this.#attempts.set(key, { count: 1, since: now });
    const [oldest] = this.#attempts.keys();
    if (this.#attempts.size > maxOperations && oldest !== undefined) this.#attempts.delete(oldest);
  }

  /** Takes the last attempt back. */
  uncount(operation: string | undefined): void {
    const known = this.#attempts.get(operation ?? "");
    if (known) known.count--;
  }

  clear(): void {
    this.#attempts.clear();
  }
}
