import type { IncomingMessage, ServerResponse } from "node:http";
import type { BearerAuth } from "@mcpwright/runtime/auth/server";
import type { StatusPage } from "@mcpwright/runtime/gateway/status";
import type { ServeHttpOptions } from "@mcpwright/runtime/node";
import type { ConfigLogIn } from "./log-in/config-log-in.js";

/** Where a gateway listens. */
export interface GatewayHttpOptions {
  /** The port; 0 for any free one. */
  readonly port: number;
  /** The address. Any address but loopback needs `allowedHosts`. Default: `127.0.0.1`. */
  readonly host?: string;
  /** The host names that clients use. Default: those of the loopback interface. */
  readonly allowedHosts?: readonly string[];
  /** Serves a page with the state of the servers at `/status`, to programs of this machine. Default: no page. */
  readonly status?: boolean;
}

/** What a gateway serves over HTTP besides the protocol, and to whom. */
export interface HttpParts {
  readonly authorization: BearerAuth<object> | undefined;
  readonly logIn: ConfigLogIn | undefined;
  readonly page: StatusPage | undefined;
}

/** The options with which the gateway listens. */
export function httpOptions(
  { status: _status, ...address }: GatewayHttpOptions,
  { authorization, logIn, page }: HttpParts,
): ServeHttpOptions {
  return {
    ...address,
    ...protectionOf(authorization, address),
    ...((logIn ?? page) && { fallback: joined(logIn, page) }),
  };
}

/** Clients reach a protected gateway by the name in its URL, also if it only listens on this machine, behind a proxy. */
function protectionOf(
  authorization: BearerAuth<object> | undefined,
  { allowedHosts }: GatewayHttpOptions,
): Pick<ServeHttpOptions, "authorization" | "allowedHosts"> {
  if (!authorization) return {};
  const { hostname } = new URL(authorization.resource);
  return { authorization, allowedHosts: allowedHosts ?? [hostname, ...loopbackNames] };
}

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/** The page of log-ins is for the browsers of users, that of the status for this machine. */
function joined(logIn: ConfigLogIn | undefined, page: StatusPage | undefined): ServeHttpOptions["fallback"] & object {
  const rest = (request: IncomingMessage, response: ServerResponse): void => {
    if (page) page.listener(request, response);
    else response.writeHead(404).end();
  };
  if (!logIn) return rest;
  return (request, response) => logIn.listener(request, response, () => rest(request, response));
}
