import { SERVER_DISCOVER } from "@mcpwright/protocol/names";
import type { CallOptions } from "../connection/call-options.js";
import type { Revisions } from "../connection/revisions.js";
import { connectionClosedError, isSdkError } from "../jsonrpc/error-conversion.js";
import { ProtocolError, SdkError } from "../jsonrpc/errors.js";
import { timerDelay, unref } from "../timing/timer-delay.js";
import type { ClientConnection } from "./client-connection.js";
import type { ConnectOptions, EraMemory } from "./connect-options.js";
import { initialize } from "./handshake/negotiate.js";
import { noCommonRevisionError, supportedVersionsIn } from "./negotiation-errors.js";
import { adoptDiscovery, type ProbeResult, probeRevision } from "./stateless/negotiate.js";

/** How long the probe may take after the handshake was rejected. */
const lateProbeMs = 10_000;

/**
 * Detects which era a server belongs to, and opens the connection accordingly (MCP 2026-07-28, versioning).
 * @param connect opens a connection over the same transport; called again when the probe made the server exit
 * @param eras the eras of servers that are known from earlier connections
 * @throws SdkError `NO_COMMON_REVISION` when the client supports no revision of the server, `CONNECT_TIMEOUT`
 */
export async function negotiateRevision(
  connect: () => Promise<ClientConnection>,
  revisions: Revisions,
  eras: EraMemory | undefined,
  options: ConnectOptions,
): Promise<ClientConnection> {
  const first = await connect();
  const { serverId } = first.transport;
  const known = serverId === undefined ? undefined : eras?.get(serverId);
  const connection = await negotiate(first, connect, revisions, { ...(known && { era: known }), ...options });
  if (serverId !== undefined) eras?.set(serverId, connection.side.profile.opening);
  // The call was aborted during the negotiation.
  if (options.signal?.aborted) await connection.close().catch((error: unknown) => connection.report(error));
  options.signal?.throwIfAborted();
  if (!connection.isOpen) throw connectionClosedError(undefined);
  return connection;
}

async function negotiate(
  first: ClientConnection,
  connect: () => Promise<ClientConnection>,
  revisions: Revisions,
  { era, prior, probeTimeoutMs, ...options }: ConnectOptions,
): Promise<ClientConnection> {
  let connection = first;
  const patienceMs = probeTimeoutMs ?? 1_500;
  const latePatienceMs = probeTimeoutMs ?? lateProbeMs;
  try {
    if (prior && adoptDiscovery(connection, revisions, prior) === "agreed") return connection;
    if (era === "handshake" || revisions.stateless.size === 0) {
      await initialize(connection, revisions, options).catch(async (error: unknown) => {
        // The era was detected before the server was upgraded.
        if (revisions.stateless.size === 0 || !supportedVersionsIn(error)) throw error;
        if ((await probeRevision(connection, revisions, options)) === "handshake") throw error;
      });
      return connection;
    }
    const probe = probeRevision(connection, revisions, options);
    probe.catch(() => undefined); // it may fail after the race is over
    const timeout = connection.transport.alwaysAnswers ? [] : [silenceAfter(patienceMs)];
    const found = await Promise.race([probe, ...timeout])
      .then((result) =>
        result === "silent" ? raceHandshakeAndProbe(connection, revisions, probe, latePatienceMs, options) : result,
      )
      .catch((error: unknown) => {
        if (isSdkError(error, "CONNECTION_CLOSED")) return "gone" as const;
        throw error;
      });
    if (found !== "agreed") {
      if (revisions.handshake.length === 0)
        throw new SdkError(
          "NO_COMMON_REVISION",
          `the server does not support ${SERVER_DISCOVER}, only revisions with a handshake; the option revisions contains none`,
        );
      if (found === "gone") connection = await connect();
      await initialize(connection, revisions, options);
    }
    return connection;
  } catch (error) {
    await connection.close().catch((failure: unknown) => connection.report(failure));
    if (isSdkError(error, "REQUEST_TIMEOUT"))
      throw new SdkError("CONNECT_TIMEOUT", `the server did not open the connection: ${error.message}`, error.data, {
        cause: error,
      });
    const theirs = supportedVersionsIn(error);
    throw theirs?.some((version) => revisions.ids.includes(version)) === false
      ? noCommonRevisionError(revisions.ids, theirs, error)
      : error;
  }
}

/**
 * Returns a function that negotiates again with a server that has rejected the negotiated revision: once at a time.
 * @param changed called when the server now belongs to the other era
 * @returns whether the connection is still usable
 */
export function renegotiation(
  connection: ClientConnection,
  revisions: Revisions,
  changed: () => Promise<void>,
): () => Promise<boolean> {
  let running: Promise<boolean> | undefined;
  return () =>
    (running ??= renegotiateRevision(connection, revisions, changed).finally(() => {
      running = undefined;
    }));
}

async function renegotiateRevision(
  connection: ClientConnection,
  revisions: Revisions,
  changed: () => Promise<void>,
): Promise<boolean> {
  const { negotiated } = connection;
  try {
    if ((await probeRevision(connection, revisions)) === "agreed") return true;
    if (!connection.transport.alwaysAnswers || revisions.handshake.length === 0) return false;
    await initialize(connection, revisions);
  } finally {
    // The negotiated revision holds until another one is negotiated.
    if (negotiated && connection.negotiated === negotiated) connection.setRevision(negotiated.side);
  }
  await changed().catch((error: unknown) => connection.report(error));
  return true;
}

/**
 * Tries the handshake as well, because the probe got no response yet. The first success counts. If the handshake is
 * rejected, a late success of the probe still counts.
 */
async function raceHandshakeAndProbe(
  connection: ClientConnection,
  revisions: Revisions,
  probe: Promise<ProbeResult>,
  patienceMs: number,
  options: CallOptions,
): Promise<ProbeResult> {
  if (revisions.handshake.length === 0) return probe;
  const handshake = initialize(connection, revisions, options).then(() => "agreed" as const);
  const probed = probe.then(
    (found) => (found === "agreed" ? found : handshake),
    () => handshake,
  );
  try {
    return await Promise.race([handshake, probed]);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const lateResult = await Promise.race([probe, silenceAfter(patienceMs)]).catch(() => undefined);
    if (lateResult !== "agreed") throw error;
    return lateResult;
  }
}

function silenceAfter(ms: number): Promise<"silent"> {
  return new Promise((resolve) => {
    // The timer must not keep the process alive.
    unref(setTimeout(resolve, timerDelay(ms), "silent" as const));
  });
}
