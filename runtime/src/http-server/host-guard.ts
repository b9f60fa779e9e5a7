import { SdkError } from "../jsonrpc/errors.js";
import type { HttpHeaders } from "./host-adapter.js";
import type { McpHandlerOptions } from "./options.js";
import { OriginPolicy } from "./origin-policy.js";
import { sendRejection } from "./rejection.js";

export type HostGuardOptions = Pick<McpHandlerOptions, "allowedHosts" | "allowedOrigins">;

/** The response to a request whose `Host` or `Origin` is not allowed. */
export interface HostRefusal {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly body: string;
}

/** Checks the headers `Host` and `Origin`, against DNS rebinding. */
export interface HostGuard {
  /** The response to a request that is not allowed; undefined if it is. */
  check(request: Request): Response | undefined;
  /**
   * The same for hosts without `Request`. @param header returns the value of a header by its name in lower case, several lines joined
   * with commas
   */
  refusal(header: (name: string) => string | undefined): HostRefusal | undefined;
}

/**
 * Creates the check of `Host` and `Origin` that MCP handlers make, for the other routes of an application. `Host` must be a loopback name
 * or one of `allowedHosts`; `Origin`, if there is one, that host or one of `allowedOrigins`. It adds no CORS headers. Handlers of
 * `createMcpHandler` need no guard. `toNodeGuard` of `@mcpwright/runtime/node` makes a middleware of it.
 * @throws SdkError `INVALID_CONFIGURATION`
 * @example
 * ```ts
 * const guard = createHostGuard({ allowedHosts: ["example.com"] });
 * const respond = (request: Request) => guard.check(request) ?? application(request);
 * ```
 */
export function createHostGuard(options: HostGuardOptions = {}): HostGuard {
  const { allowedHosts, allowedOrigins } = options;
  if (!isList(allowedHosts) && allowedHosts !== "any")
    throw new SdkError(
      "INVALID_CONFIGURATION",
      `allowedHosts must be a list of host names such as ["example.com"], or "any"`,
    );
  if (!isList(allowedOrigins))
    throw new SdkError(
      "INVALID_CONFIGURATION",
      `allowedOrigins must be a list of origins such as ["https://example.com"]`,
    );
  const policy = new OriginPolicy(options);
  const refusal: HostGuard["refusal"] = (header) => {
    const rejection = policy.refusal({ header });
    if (!rejection) return undefined;
    let response: HostRefusal | undefined;
    const respond = (status: number, headers: HttpHeaders, body = ""): void =>
      void (response = { status, headers, body });
    sendRejection({ respond }, rejection, {});
    return response;
  };
  return {
    refusal,
    check({ headers, url }) {
      // Some hosts hide this header.
      const refused = refusal((name) => headers.get(name) ?? (name === "host" ? new URL(url).host : undefined));
      return refused && new Response(refused.body, { status: refused.status, headers: refused.headers });
    },
  };
}

function isList(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every((one) => typeof one === "string"));
}
