import type { InputResponses } from "../../authoring.js";
import type { InputRequest } from "../../input-requests/check-input-request.js";
import { ErrorCode, ProtocolError } from "../../jsonrpc/errors.js";
import { digestParams } from "../../request-state/digest-params.js";
import type { ServerContext } from "../contracts.js";

/** The content of a `requestState`, which is sealed. */
export interface RequestStatePayload {
  /** The time of expiry, in milliseconds since the epoch. */
  readonly expires: number;
  /** A unique id: with a backplane, its second use is rejected. */
  readonly id: string;
  /** Whether a handler waits under `id`. */
  readonly suspended?: true;
  /** The node at which it waits; undefined if there is no backplane. */
  readonly node?: string | undefined;
  /** The input requests of this round. */
  readonly inputRequests?: Readonly<Record<string, InputRequest>> | undefined;
  /** The responses of earlier rounds. */
  readonly inputResponses?: InputResponses | undefined;
  /** The handler's own `requestState`. */
  readonly handlerState?: unknown;
  readonly round?: number;
  /** Whether a response of the previous round was invalid. */
  readonly retried?: true | undefined;
}

/** Returns the data that binds a state to the server, the principal, the method and the params. */
async function associatedData({ principal, method, params, connection }: ServerContext): Promise<string> {
  const { name } = connection.server.info;
  return JSON.stringify([name, principal?.issuer, principal?.subject, method, await digestParams(params ?? {})]);
}

/** The time in milliseconds since the epoch, by one clock for all nodes. */
function timeOf({ connection }: ServerContext): number {
  return Date.now() + (connection.server.options.backplane?.clockOffsetMs ?? 0);
}

export async function sealState(context: ServerContext, state: Omit<RequestStatePayload, "expires">): Promise<string> {
  const { sealer, stateTtlMs } = context.connection.server;
  return sealer.seal(
    { ...state, expires: timeOf(context) + stateTtlMs } satisfies RequestStatePayload,
    await associatedData(context),
  );
}

/** @throws ProtocolError -32602 without the reason, which is only reported to `onerror` */
export async function openState(context: ServerContext, state: string): Promise<RequestStatePayload> {
  const { server } = context.connection;
  const opened = (await server.sealer.open(state, await associatedData(context))) as RequestStatePayload | undefined;
  if (!opened)
    throw invalidRequestState(context, "it was not sealed by this server for this principal and these params");
  const ttlMs = opened.expires - timeOf(context);
  if (ttlMs <= 0) throw invalidRequestState(context, "it has expired");
  if ((await server.options.backplane?.useOnce(opened.id, ttlMs)) === false)
    throw invalidRequestState(context, "it was already used");
  return opened;
}

export function invalidRequestState({ connection, method }: ServerContext, reason: string): ProtocolError {
  connection.report(new Error(`requestState of ${method} rejected: ${reason}`));
  return new ProtocolError(ErrorCode.InvalidParams, "Invalid or expired requestState");
}
