import { withoutSecrets } from "../audit/without-secrets.js";
import type { Gateway } from "../gateway.js";
import type { GatewayServerState } from "../gateway-server-state.js";
import type { GatewayLoss } from "../losses/gateway-loss.js";

/** A server, as the status page shows it. */
export interface ServerStatus {
  readonly name: string;
  readonly state: GatewayServerState["state"];
  readonly transport: string;
  readonly revision?: string;
  /** How the server names itself, with its version. */
  readonly info?: string;
  readonly connections: number;
  /** The tools that the server listed last; absent before. */
  readonly tools?: number;
  /** Requests of clients since the gateway has the server, and those that failed. */
  readonly calls: number;
  readonly failedCalls: number;
  /** The last failure of a connection, without secrets, and when it was, in milliseconds since 1970. */
  readonly lastError?: { readonly message: string; readonly at: number };
}

/** What `/status.json` contains. */
export interface GatewayStatus {
  readonly name: string;
  /** Connections of clients. */
  readonly clients: number;
  /** Mean of the last seconds; absent at the first look. */
  readonly callsPerSecond?: number;
  readonly servers: readonly ServerStatus[];
  readonly losses: readonly GatewayLoss[];
}

/** Looks at a gateway, and compares the number of calls with that of earlier looks. */
export class StatusReport {
  readonly #looks: { readonly at: number; readonly calls: number }[] = [];

  constructor(
    readonly gateway: Gateway,
    readonly transportOf: (server: GatewayServerState) => string,
  ) {}

  now(): GatewayStatus {
    const { server, servers, losses } = this.gateway;
    const calls = servers.reduce((sum, one) => sum + one.calls, 0);
    const callsPerSecond = this.#rate(calls);
    return {
      name: server.info.title ?? server.info.name,
      clients: server.connections.size,
      ...(callsPerSecond !== undefined && { callsPerSecond }),
      servers: servers.map((one) => statusOf(one, this.transportOf(one))),
      losses,
    };
  }

  /** Several pages can look at the same time. */
  #rate(calls: number): number | undefined {
    const now = performance.now();
    const looks = this.#looks;
    while (looks.length > 1 && (looks[1]?.at ?? now) < now - meanMs) looks.shift();
    const [first] = looks;
    if (!first || now - (looks.at(-1)?.at ?? 0) >= leastMs) looks.push({ at: now, calls });
    // A server that was removed took its calls with it.
    if (!first || now - first.at < leastMs || calls < first.calls) return undefined;
    return Math.round(((calls - first.calls) * 10_000) / (now - first.at)) / 10;
  }
}

const meanMs = 10_000;
const leastMs = 500;

function statusOf(one: GatewayServerState, transport: string): ServerStatus {
  const { name, state, connections, revision, info, tools, calls, failedCalls, lastError } = one;
  return {
    name,
    state,
    transport,
    ...(revision !== undefined && { revision }),
    ...(info && { info: `${info.name} ${info.version}`.slice(0, 200) }),
    connections,
    ...(tools !== undefined && { tools }),
    calls,
    failedCalls,
    ...(lastError && { lastError: { message: withoutSecrets(lastError.error.message), at: lastError.at } }),
  };
}
