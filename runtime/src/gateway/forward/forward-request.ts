import { META_LOG_LEVEL, NOTIFICATIONS_MESSAGE } from "@mcpwright/protocol/names";
import type { SendOptions } from "../../client/send-options.js";
import { principalKey } from "../../http-server/principal-key.js";
import { isInputRequired, requireInput } from "../../input-requests/input-required.js";
import { replaceMeta } from "../../jsonrpc/create-message.js";
import type { Meta } from "../../jsonrpc/message-types.js";
import type { ServerContext } from "../../server/contracts.js";
import { urlInputRequired } from "../../server/run-with-input-responses.js";
import type { LossRecorder } from "../losses/loss-recorder.js";
import { LogInRequiredError } from "../log-in/log-in-required.js";
import type { Upstream } from "../upstream/upstream.js";
import type { BegunCall } from "../upstream/upstream-host.js";
import { toClientError } from "./client-error.js";
import type { LogMessage } from "./forwarded-call.js";
import { forwardedMeta, forwardedResult } from "./forwarded-meta.js";
import type { ForwardedRequest } from "./forwarded-request.js";

/**
 * Sends a request to a server on behalf of a client: with cancellation, progress, log messages and questions, in the forms of both
 * revisions.
 * @param gateway the id of the gateway
 * @returns the result in the form that handlers return; also one that requests input
 * @throws ProtocolError the error of the server, or one that says why there is none; LogInRequiredError when the user has to log in there
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
  const { limits } = upstream;
  let begun: BegunCall | undefined;
  let leave: (() => void) | undefined;
  upstream.calls++;
  try {
    if (limits && !request.isUnlimited)
      leave = await limits.enter({ signal: context.signal, client: clientOf(context) });
    const beginning = upstream.begin(context, isCall);
    // Most connections are open, and each promise costs as much as a step of the protocol.
    begun = beginning instanceof Promise ? await beginning : beginning;
    const problem = begun.connection.pinned?.problemOf(request);
    if (problem) throw problem;
    const adopting = isCall ? begun.connection.adoptLogLevel(context.client.logLevel) : undefined;
    if (adopting) await adopting;
    const sent = replaceMeta(withInput(params, context), withLogLevel(begun, _meta));
    const { client } = begun.connection;
    const result = await client.request<AnyRequests>(method, sent, optionsFor(begun));
    limits?.checkSize(result);
    if (isCall) upstream.review?.reviewResult?.(upstream.name, request, result, (error) => upstream.report(error));
    if (upstream.losses) recordLosses(upstream.losses, begun, result);
    return handlerResult(result);
  } catch (error) {
    if (upstream.logIn?.isMissing(error)) throw new LogInRequiredError(upstream.name);
    const shown = toClientError(error, upstream.name, uri);
    // The stateless era has no error for it: the client repeats the request with its answers.
    const asked = urlInputRequired(shown, context);
    if (asked) return { ...asked };
    upstream.failedCalls++;
    throw shown;
  } finally {
    if (begun) upstream.end(begun);
    leave?.();
  }
}

/** Identifies the client that made a request, also when it has several sessions. */
function clientOf({ extra, connection }: ServerContext): unknown {
  return principalKey(extra?.principal) ?? connection;
}

function recordLosses(losses: LossRecorder, { connection, call }: BegunCall, result: Record<string, unknown>): void {
  const { context } = call;
  losses.answered(connection, context);
  if (isInputRequired(result))
    for (const { method } of Object.values(result.inputRequests ?? {}))
      losses.asked(connection, context.client.side.revision, method);
}

/** Requests of any method. */
type AnyRequests = Record<string, { readonly params: object; readonly result: Record<string, unknown> }>;

/** In revisions where each request has the log level, the level of the client. */
function withLogLevel({ connection, call }: BegunCall, meta: Meta): Meta {
  if (!connection.isStateless || !call.wantsLogs) return meta;
  return { ...meta, [META_LOG_LEVEL]: call.context.client.logLevel };
}

/** Returns the result of a server in the form in which handlers return it. */
function handlerResult(result: Record<string, unknown>): Record<string, unknown> {
  if (!isInputRequired(result)) return forwardedResult(result);
  const { inputRequests, requestState: state } = result;
  const round: Round = { keys: Object.keys(inputRequests ?? {}), state };
  return { ...requireInput({ ...(inputRequests && { inputRequests }), requestState: round }) };
}

function optionsFor({ connection, call }: BegunCall): SendOptions {
  const { context } = call;
  const onSent: SendOptions["onSent"] = (cancel) => context.onAbort(cancel);
  const isWatched = context._meta["progressToken"] !== undefined;
  // Spreads of nothing, too, cost time.
  if (!isWatched && !connection.namesRequests) return { onSent, allowInputRequired: true };
  return {
    onSent,
    allowInputRequired: true,
    ...(isWatched && { onProgress: (progress) => context.progress(progress) }),
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

/**
 * Returns params with the answers to the questions of the server, and its state, in place of those of a round of the gateway. Answers without
 * a state are for the server, as are those to the questions of a task.
 */
function withInput(
  params: ForwardedRequest["params"],
  { row, inputResponses = {}, requestState }: ServerContext,
): Readonly<Record<string, unknown>> {
  const round = requestState as Round | undefined;
  const kept = row.alternatives && params["requestState"] !== undefined ? withoutInput(params) : params;
  if (!round) return kept;
  const answers = round.keys
    .filter((key) => Object.hasOwn(inputResponses, key))
    .map((key) => [key, inputResponses[key]]);
  return {
    ...kept,
    ...(round.keys.length > 0 && { inputResponses: Object.fromEntries(answers) as object }),
    ...(round.state !== undefined && { requestState: round.state }),
  };
}

function withoutInput(params: ForwardedRequest["params"]): Readonly<Record<string, unknown>> {
  const { inputResponses: _responses, requestState: _state, ...rest } = params;
  return rest;
}
