import type { ServerContext } from "../../server/contracts.js";
import type { Composition } from "../composition/composition.js";
import { toClientError } from "../forward/client-error.js";
import type { GatewayServer } from "../gateway-options.js";
import type { Upstream } from "../upstream/upstream.js";
import { LogInRequiredError } from "./log-in-required.js";
import type { LogInTools } from "./server-log-in.js";

/** Returns the tools that start log-ins; undefined if users log in at none of the servers. */
export function logInToolsFor(
  servers: Readonly<Record<string, GatewayServer>>,
  { names }: Composition,
): LogInTools | undefined {
  const withLogIn = Object.keys(servers).filter((name) => servers[name]?.logIn);
  const [first = ""] = withLogIn;
  return servers[first]?.logIn?.toolsFor(withLogIn, names.tools.nameOf);
}

/**
 * Runs a tool that starts a log-in.
 * @throws LogInRequiredError unless the user has logged in; ProtocolError when the server cannot be reached
 */
export async function startLogIn(
  tools: LogInTools,
  context: ServerContext,
  upstream: Upstream,
): Promise<Record<string, unknown>> {
  try {
    await upstream.connect(context, false);
  } catch (error) {
    if (upstream.logIn?.isMissing(error)) throw new LogInRequiredError(upstream.name, true);
    throw toClientError(error, upstream.name);
  }
  return tools.loggedIn(upstream.name);
}
