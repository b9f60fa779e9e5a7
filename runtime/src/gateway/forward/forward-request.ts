import type { RequestId } from "@mcpwright/protocol/contract";
import { META_LOG_LEVEL, NOTIFICATIONS_MESSAGE } from "@mcpwright/protocol/names";
import type { SendOptions } from "../../client/send-options.js";
import { isInputRequired, requireInput } from "../../input-requests/input-required.js";
import type { Meta } from "../../jsonrpc/message-types.js";
import type { ServerContext } from "../../server/contracts.js";
import type { BegunCall, Upstream } from "../upstream/upstream.js";
import type { UpstreamConnection } from "../upstream/upstream-connection.js";
import { toClientError } from "./client-error.js";
import type { ForwardedCall, LogMessage } from "./forwarded-call.js";
import { forwardedMeta, forwardedResult } from "./forwarded-meta.js";

/** A request to a server, on behalf of a client. */
export interface ForwardedRequest {
  readonly method: string;
  /** The params for the server, with the `_meta` of the client. */
  readonly params: Readonly<Record<string, unknown>> & { readonly _meta?: Meta };
  /** Whether the server may ask for input. */
  readonly isCall: boolean;
  /** The URI in the client's request, for errors about it. */
  readonly uri?: string;
}

/**
 * Sends a request to a server on behalf of a client: with cancellation, progress, log messages and questions, in the forms of both
 * revisions.
 * @param gateway the id of the gateway
 * @returns the result in the form that handlers return; also one that requests input
 * @throws ProtocolError the error of the server, or one that says why there is none
 */
export async function forwardRequest(
  context: ServerContext,
  upstream: Upstream,
  request: ForwardedRequest,
  gateway: string,
): Promise<Record<string, unknown>> {
  const { method, params, isCall, uri } = request;
  // Before anything is opened: a loop would open connections without end.
  const _meta = forwardedMeta(params._meta, gateway);
  let begun: BegunCall | undefined;
  try {
    begun = await upstream.begin(context, isCall);
    if (isCall) await begun.connection.adoptLogLevel(context.client.logLevel);
    return await send(begun, method, { ...params, ...inputOf(context), _meta });
  } catch (error) {
    throw toClientError(error, upstream.name, uri);
  } finally {
    if (begun) upstream.end(begun);
  }
}

async function send(
  { connection, call }: BegunCall,
  method: string,
  params: Record<string, unknown> & { _meta: Meta },
): Promise<Record<string, unknown>> {
  const wanted = connection.isStateless && call.wantsLogs ? call.context.client.logLevel : undefined;
  const sent = wanted === undefined ? params : { ...params, _meta: { ...params._meta, [META_LOG_LEVEL]: wanted } };
  const options = optionsFor(connection, call);
  const result = (await connection.client.request(method as never, sent as never, options)) as Record<string, unknown>;
  if (!isInputRequired(result)) return forwardedResult(result);
  const { inputRequests, requestState: state } = result;
  const round: Round = { keys: Object.keys(inputRequests ?? {}), state };
  return { ...requireInput({ ...(inputRequests && { inputRequests }), requestState: round }) };
}

function optionsFor(connection: UpstreamConnection, call: ForwardedCall): SendOptions {
  const { context } = call;
  const token = context._meta["progressToken"] as RequestId | undefined;
  // While a question is open, only the user decides how long the request takes.
  const limits = connection.canAsk ? { timeoutMs: Infinity, maxTotalMs: Infinity } : undefined;
  return {
    signal: call.signal,
    allowInputRequired: true,
    ...limits,
    ...(token !== undefined && {
      onProgress: (progress) => {
        call.onProgress();
        context.progress(progress);
      },
    }),
    // Only where a message names its request.
    ...(connection.namesRequests && {
      onNotification: ({ method, params }) => {
        if (method === NOTIFICATIONS_MESSAGE) call.log(params as LogMessage);
      },
    }),
  };
}

/** What the gateway has to know of a round of questions in the next one. */
interface Round {
  /** The keys of the questions; their responses are those of this round. */
  readonly keys: readonly string[];
  /** The `requestState` of the server. */
  readonly state: unknown;
}

/** The responses of the client to the questions of the previous round, and the state of the server. */
function inputOf({ inputResponses = {}, requestState }: ServerContext): object | undefined {
  const round = requestState as Round | undefined;
  if (!round) return undefined;
  const answers = round.keys
    .filter((key) => Object.hasOwn(inputResponses, key))
    .map((key) => [key, inputResponses[key]]);
  return {
    ...(round.keys.length > 0 && { inputResponses: Object.fromEntries(answers) as object }),
    ...(round.state !== undefined && { requestState: round.state }),
  };
}
