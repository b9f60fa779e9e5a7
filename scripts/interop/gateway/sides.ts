import type { Target } from "../../../test/interop/target.js";

const oldest = "2024-11-05";
const newestWithHandshake = "2025-11-25";
const stateless = "2026-07-28";
export const revisions = [oldest, "2025-03-26", "2025-06-18", newestWithHandshake, stateless];

export type TransportName = Target["transport"];

/** One side of a gateway: a client or a server, with the transport between it and the gateway. */
interface Side {
  /** How tables name it. */
  readonly name: string;
  readonly transport: TransportName;
  /** The revision that it negotiates with the gateway. */
  readonly revision: string;
}

export interface ClientSide extends Side {
  /** The program in `test/interop/clients`, without `gateway-`. */
  readonly program: "mcpwright" | "sdk1" | "sdk2";
  readonly isLegacy?: boolean;
}

export interface ServerSide extends Side {
  readonly suite: Target["suite"];
  readonly program: "mcpwright" | "sdk2" | "everything" | "filesystem" | "memory";
}

/** Streamable HTTP is newer than the first revision, which has HTTP+SSE. */
const httpOf = (revision: string): TransportName => (revision === oldest ? "sse" : "http");

const ourTransports = (revision: string): readonly TransportName[] => ["stdio", httpOf(revision)];

/** A client at each of its transports. */
function client(
  name: string,
  program: ClientSide["program"],
  revision: string,
  transports: readonly TransportName[],
  isLegacy = false,
): readonly ClientSide[] {
  return transports.map((transport) => ({ name, program, revision, transport, ...(isLegacy && { isLegacy }) }));
}

function server(
  name: string,
  program: ServerSide["program"],
  suite: ServerSide["suite"],
  revision: string,
  transports: readonly TransportName[],
): readonly ServerSide[] {
  return transports.map((transport) => ({ name, program, suite, revision, transport }));
}

export const clients: readonly ClientSide[] = [
  ...revisions.flatMap((revision) => client(`mcpwright ${revision}`, "mcpwright", revision, ourTransports(revision))),
  ...client("SDK 1.x", "sdk1", newestWithHandshake, ["stdio", "http"]),
  ...client(`SDK 2.x, handshake`, "sdk2", newestWithHandshake, ["stdio", "http"], true),
  ...client(`SDK 2.x, stateless`, "sdk2", stateless, ["stdio", "http"]),
];

export const servers: readonly ServerSide[] = [
  ...revisions.flatMap((revision) =>
    server(`mcpwright ${revision}`, "mcpwright", "fixture", revision, ourTransports(revision)),
  ),
  ...server("SDK 2.x", "sdk2", "fixture", stateless, ["stdio", "http"]),
  ...server("server-everything", "everything", "everything", newestWithHandshake, ["stdio", "http", "sse"]),
  ...server("server-filesystem", "filesystem", "filesystem", newestWithHandshake, ["stdio"]),
  ...server("server-memory", "memory", "memory", newestWithHandshake, ["stdio"]),
];

export const isStateless = ({ revision }: { readonly revision: string }): boolean => revision === stateless;

/** How documents name transports. */
export const transportTitles: Readonly<Record<TransportName, string>> = {
  stdio: "stdio",
  http: "HTTP",
  sse: "HTTP+SSE",
};

/** The name of a client and a server, with their transports. */
export function pairName(...pair: readonly [client: ClientSide, server: ServerSide]): string {
  return pair.map(({ name, transport }) => `${name} over ${transportTitles[transport]}`).join(" to ");
}
