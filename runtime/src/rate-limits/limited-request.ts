import { TOOLS_CALL } from "@mcpwright/protocol/names";
import type { Params } from "../jsonrpc/message-types.js";
import type { ServerContext } from "../server/contracts.js";
import type { HttpRequestInfo } from "../transport/message-extra.js";
import type { Principal } from "../transport/principal.js";

/** A request whose params are valid, and which has not run yet. */
export interface LimitedRequest {
  readonly method: string;
  /** The name of the tool that a `tools/call` calls. */
  readonly tool: string | undefined;
  readonly params: Params | undefined;
  /** The principal that the transport has authenticated; undefined for anonymous clients. */
  readonly principal: Principal | undefined;
  /** The network address of the client, or of the proxy in front of the server, where the host knows it. */
  readonly address: string | undefined;
  /** The HTTP request; undefined for other transports. */
  readonly http: HttpRequestInfo | undefined;
}

export function toLimitedRequest({ method, params, extra }: ServerContext): LimitedRequest {
  const { principal, http } = extra ?? {};
  const tool = method === TOOLS_CALL ? (params?.["name"] as string) : undefined;
  return { method, tool, params, principal, address: http?.remoteAddress, http };
}
