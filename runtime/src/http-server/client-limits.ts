import { reportUserErrorTo } from "../connection/error-reporting.js";
import { SdkError } from "../jsonrpc/errors.js";
import type { HostedServer } from "./hosted-server.js";
import type { HttpRequest } from "./host-adapter.js";
import type { McpHandlerOptions } from "./options.js";
import { principalKey } from "./principal-key.js";
import { type ClientKey, SharedLimit } from "./shared-limit.js";
import { SuspendedPlaces } from "./suspended-places.js";

/** The estimated memory of a request without its message, and of a session. */
export const baseBytes = 4_096;

/** What the clients of an endpoint take: requests outside sessions, suspended calls, and the memory of everything. */
export class ClientLimits {
  /** Requests in progress that belong to no session. */
  readonly requests: SharedLimit;
  /** The estimated memory, in bytes, of requests in progress, sessions and suspended calls. */
  readonly memory: SharedLimit;
  readonly suspended: SuspendedPlaces;
  /** The share of one client. */
  readonly share: number;

  /** @throws SdkError `INVALID_CONFIGURATION` when `clientShare` is not between 0 and 1 */
  constructor(
    readonly server: HostedServer,
    readonly options: McpHandlerOptions,
  ) {
    const { clientShare = 0.25, maxRequests = 10_000, maxHeldBytes = 2 ** 28 } = options;
    if (!(clientShare > 0 && clientShare <= 1))
      throw new SdkError("INVALID_CONFIGURATION", `clientShare must be more than 0 and at most 1, not ${clientShare}`);
    this.share = clientShare;
    this.requests = new SharedLimit(maxRequests, clientShare);
    this.memory = new SharedLimit(maxHeldBytes, clientShare);
    const { suspension } = server.options;
    const places = new SharedLimit((suspension === false ? undefined : suspension?.max) ?? 1_000, clientShare);
    this.suspended = new SuspendedPlaces(places, this.memory);
  }

  /** Returns the key of the client that sent a request: of its principal, or what the option `clientKey` returns. */
  clientOf(request: HttpRequest): ClientKey {
    if (request.principal) return principalKey(request.principal);
    const { clientKey } = this.options;
    if (!clientKey) return undefined;
    try {
      const key = clientKey(request);
      return key === undefined ? undefined : `:${key}`;
    } catch (error) {
      reportUserErrorTo(this.server.options, error);
      return undefined;
    }
  }
}
