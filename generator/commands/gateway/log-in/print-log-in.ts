import { escapeLine } from "../../../shared/command/escape-controls.js";
import type { HttpServerConfig, ServerConfig } from "../config/gateway-config.js";
import type { ConfigLogIn } from "./config-log-in.js";

/**
 * Where users log in to which servers, and where their tokens are, as a line for people; undefined without a server with `logIn`.
 * @example
 * ```text
 * Users log in to docs, issues at https://gateway.example.com/log-in; their tokens are kept in /home/ada/.config/…
 * ```
 */
export function printLogIn(
  logIn: Pick<ConfigLogIn, "page" | "file"> | undefined,
  servers: readonly ServerConfig[],
): string | undefined {
  const names = servers.filter(hasLogIn).map(({ name }) => escapeLine(name, 60));
  if (!logIn || names.length === 0) return undefined;
  const line = `Users log in to ${names.join(", ")} at ${logIn.page.href}; their tokens are kept in ${logIn.file}`;
  return escapeLine(line, Number.POSITIVE_INFINITY);
}

/** Whether each user logs in to a server. */
export function hasLogIn(server: ServerConfig): server is HttpServerConfig {
  return server.kind === "http" && server.logIn !== undefined;
}
