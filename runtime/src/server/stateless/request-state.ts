import type { InputResponses } from "../../authoring.js";
import type { InputRequest } from "../../input-requests/check-input-request.js";
import { ErrorCode, ProtocolError } from "../../jsonrpc/errors.js";
import { digestParams } from "../../request-state/digest-params.js";
import type { ServerContext } from "../contracts.js";

/** What a `requestState` carries, sealed. */
export interface RequestStatePayload {
  /** When it expires: milliseconds since the epoch. */
  readonly expires: number;
  /** Unique; a store may refuse the second use. */
  readonly id: string;
  /** Set when a handler of this process waits under `id`. */
  readonly suspended?: true;
  /** Questions of this round. */
  readonly inputRequests?: Readonly<Record<string, InputRequest>> | undefined;
  /** Answers of earlier rounds. */
  readonly inputResponses?: InputResponses | undefined;
  /** What the handler wants to have back. */
  readonly handlerState?: unknown;
  readonly round?: number;
  /** An answer of the round before could not be used. */
  readonly retried?: true | undefined;
}

/** Ties a state to who may use it and for what. */
async function associatedData({ principal, method, params, connection }: ServerContext): Promise<string> {
  const { name } = connection.server.info;
  return JSON.stringify([name, principal?.issuer, principal?.subject, method, await digestParams(params ?? {})]);
}

export async function sealState(context: ServerContext, state: Omit<RequestStatePayload, "expires">): Promise<string> {
  const { sealer, stateTtlMs } = context.connection.server;
  return sealer.seal(
    { ...state, expires: Date.now() + stateTtlMs } satisfies RequestStatePayload,
    await associatedData(context),
  );
}

/** @throws ProtocolError -32602, with no word about the reason: that is reported on this side only */
export async function openState(context: ServerContext, state: string): Promise<RequestStatePayload> {
  const { server } = context.connection;
  const opened = (await server.sealer.open(state, await associatedData(context))) as RequestStatePayload | undefined;
  if (!opened) throw invalidRequestState(context, "it was not sealed here, for this caller and these params");
  if (opened.expires <= Date.now()) throw invalidRequestState(context, "it has expired");
  const { stateStore } = server.options;
  if (stateStore && !(await stateStore.consume(opened.id, opened.expires)))
    throw invalidRequestState(context, "it was used before");
  return opened;
}

export function invalidRequestState({ connection, method }: ServerContext, reason: string): ProtocolError {
  connection.report(new Error(`requestState of ${method} refused: ${reason}`));
  return new ProtocolError(ErrorCode.InvalidParams, "Invalid or expired requestState");
}
