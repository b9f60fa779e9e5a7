import { serverSides } from "@mcpwright/protocol/server-sides";
import { Server } from "@mcpwright/runtime/server/core";
import type { HostedConnection, HostedServer } from "@mcpwright/runtime/server/http";
import { serveHttp } from "@mcpwright/runtime/node";
import { diagnostic, DiagnosticError } from "../../shared/diagnostics/diagnostic.js";
import { packageRoot } from "../../shared/package-root.js";
import { SessionHost } from "./http-session-host.js";
import type { Relay } from "./relay.js";
import { StatelessHost } from "./http-stateless-host.js";

export interface HttpHostsOptions {
  /** 0 for any free one. */
  readonly port: number;
  readonly signal?: AbortSignal | undefined;
  readonly onerror: (error: Error) => void;
  readonly onListening: (url: URL) => void;
}

/** Each session has a server process, so clients that forget to end theirs must not start too many. */
const sessions = { max: 50, idleMs: 600_000 };
/** Sessions of HTTP+SSE are streams, and other sessions have several. */
const maxStreams = 200;

/**
 * Serves HTTP clients on the loopback interface until the signal aborts: a connection of the relay for each session, and one for all requests
 * without a session.
 * @throws DiagnosticError dev-not-listening
 */
export async function serveHttpHosts(relay: Relay, options: HttpHostsOptions): Promise<void> {
  const { port, signal, onerror, onListening } = options;
  const handle = await serveHttp(relayServer(relay, onerror), { port, sessions, maxStreams }).catch(
    (error: unknown) => {
      if (!(error instanceof Error)) throw error;
      throw new DiagnosticError([diagnostic("dev-not-listening", { reason: error.message, option: "http" })]);
    },
  );
  const close = (): void => void handle.close().catch(onerror);
  if (signal?.aborted === true) close();
  signal?.addEventListener("abort", close, { once: true });
  onListening(handle.url);
  await handle.closed;
}

/** What the HTTP endpoint sees as a server: it passes the messages of its transports to the relay, and knows only the revisions. */
function relayServer(relay: Relay, onerror: (error: Error) => void): HostedServer {
  const { name, version } = { name: "mcpwright-dev", version: packageRoot().version };
  const { revisions } = new Server({ name, version }, { revisions: serverSides });
  const connections = new Set<HostedConnection>();
  const stateless = new StatelessHost(relay, revisions.stateless);
  let sessions = 0;
  return {
    options: { onerror },
    revisions,
    connections,
    accept(transport) {
      if (transport.isStateless) return stateless.accept(transport);
      const host: SessionHost = new SessionHost(relay, transport, {
        name: `HTTP session ${++sessions}`,
        sides: revisions.handshake,
        onClosed: () => connections.delete(host),
      });
      connections.add(host);
      return host;
    },
  };
}
