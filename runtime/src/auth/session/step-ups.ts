import type { AuthChallenge } from "../../http-client/auth-provider.js";
import { InsufficientScopeError, UnauthorizedError } from "../auth-errors.js";
import type { DiscoveredServer } from "../discovery/discovered-server.js";
import type { Flow } from "./flow.js";
import { unionOfScopes } from "./scopes.js";
import type { ServerDiscovery } from "./server-discovery.js";
import type { SessionParts } from "./session-parts.js";
import { StepUpLimits } from "./step-up-limits.js";
import { finishedStepUps } from "./stored-step-ups.js";

/** A rejected request, as far as a session has to know it. */
export type Rejection = Pick<AuthChallenge, "status" | "wwwAuthenticate" | "token" | "operation">;

/** Gets tokens with more scopes for operations that the MCP server has rejected (MCP, authorization, step-up authorization flow). */
export class StepUps {
  readonly #parts: SessionParts;
  readonly #discovery: ServerDiscovery;
  readonly #limits = new StepUpLimits();

  constructor(parts: SessionParts, discovery: ServerDiscovery) {
    this.#parts = parts;
    this.#discovery = discovery;
  }

  /**
   * @param obtain gets tokens with these scopes
   * @throws InsufficientScopeError without asking again after two attempts, or when the server names no other scope
   */
  async run(
    flow: Flow,
    { token, wwwAuthenticate, operation }: Rejection,
    obtain: (server: DiscoveredServer, scopes: readonly string[]) => Promise<void>,
  ): Promise<void> {
    const { cache, url, options } = this.#parts;
    const { scopes: required } = flow;
    await cache.reload();
    if (cache.hasOther(token)) return;
    const elsewhere = finishedStepUps(cache.server?.stepUps, operation);
    this.#limits.assertAllowed(url, { operation, required, granted: cache.tokens?.scopes ?? [] }, elsewhere);
    const server = await this.#discovery.current(flow.signal, wwwAuthenticate);
    const granted = cache.tokens?.scopes ?? [];
    const known = unionOfScopes(cache.server?.issuer === server.issuer ? cache.server.scopes : undefined, granted);
    const scopes = unionOfScopes(known, required.length > 0 ? required : server.scopesSupported, options.scopes);
    if (required.length === 0 && scopes.length === known.length)
      throw new InsufficientScopeError(
        `${url.origin}${url.pathname} requires more scopes${operation === undefined ? "" : ` for "${operation}"`}, but names none; pass them as the option \`scopes\``,
        required,
        granted,
        operation,
      );
    this.#limits.count(operation);
    try {
      await obtain(server, scopes);
    } catch (error) {
      if (error instanceof UnauthorizedError) {
        // It counts when it has finished.
        this.#limits.uncount(operation);
        await cache.addPendingLogin(operation);
      }
      throw error;
    }
  }

  clear(): void {
    this.#limits.clear();
  }
}
