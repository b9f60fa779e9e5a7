import { SERVER_DISCOVER } from "@mcpwright/protocol/names";
import { ProtocolError, RemoteError, SdkError } from "../engine/errors.js";
import { isObject } from "../engine/json-rpc.js";
import type { CallOptions } from "../engine/peer.js";
import { openByHandshake } from "../handshake/opening.js";
import { openByDiscovery, type Verdict } from "../per-request/opening.js";
import type { Revisions } from "../server/revisions.js";
import type { ClientConnection } from "./connection.js";

/** The two ways in which a connection may open. */
export type Era = "handshake" | "perRequest";

export interface OpenOptions extends CallOptions {
  /** Skips the probe: the era is known, from an earlier connection to the same server. A wrong one is found out. */
  readonly era?: Era;
  /** Milliseconds after which a server that does not answer the probe is taken for one of the handshake era. Default 1,500. */
  readonly probeTimeoutMs?: number;
}

/**
 * Finds out which era a server belongs to, and opens the connection accordingly (MCP 2026-07-28, versioning).
 * @param connect makes a connection over the same transport, and opens it; again, when the server went away on the probe
 * @throws SdkError `NO_COMMON_REVISION` when the server's era is none of this client's
 */
export async function openConnection(
  connect: () => Promise<ClientConnection>,
  revisions: Revisions,
  { era, probeTimeoutMs = 1_500, ...options }: OpenOptions,
): Promise<ClientConnection> {
  let connection = await connect();
  try {
    if (era === "handshake" || revisions.perRequest.size === 0) {
      await openByHandshake(connection, revisions, options).catch(async (error: unknown) => {
        // The verdict was made before the server was upgraded.
        if (revisions.perRequest.size === 0 || !namesVersions(error)) throw error;
        if ((await openByDiscovery(connection, revisions, options)) === "handshake") throw error;
      });
      return connection;
    }
    const probe = openByDiscovery(connection, revisions, options);
    probe.catch(() => undefined); // it may come when nobody waits any more
    const verdict = await Promise.race([probe, silence(probeTimeoutMs)]).catch((error: unknown) => {
      if (error instanceof SdkError && error.code === "CONNECTION_CLOSED") return "gone" as const;
      throw error;
    });
    if (verdict === "agreed") return connection;
    if (revisions.handshake.length === 0 && verdict !== "silent") throw notOurs();
    if (verdict === "gone") connection = await connect();
    await (verdict === "silent"
      ? openAnyway(connection, revisions, probe, options)
      : openByHandshake(connection, revisions, options));
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Nothing has come back yet: try the handshake, and take a late answer to the probe where the handshake is refused. */
async function openAnyway(
  connection: ClientConnection,
  revisions: Revisions,
  probe: Promise<Verdict>,
  options: CallOptions,
): Promise<void> {
  try {
    if (revisions.handshake.length === 0) throw notOurs();
    await openByHandshake(connection, revisions, options);
  } catch (error) {
    if (error instanceof ProtocolError || revisions.handshake.length === 0) {
      if ((await probe) === "agreed") return;
    }
    throw error;
  }
}

function silence(ms: number): Promise<"silent"> {
  return new Promise((resolve) => setTimeout(resolve, ms, "silent" as const));
}

function namesVersions(error: unknown): boolean {
  return error instanceof RemoteError && isObject(error.data) && Array.isArray(error.data["supported"]);
}

function notOurs(): SdkError {
  return new SdkError(
    "NO_COMMON_REVISION",
    `the server does not answer ${SERVER_DISCOVER}: it speaks revisions that open with a handshake, and this client has none of them`,
  );
}
