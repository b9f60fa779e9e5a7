import type { InputRequiredResult } from "../../authoring.js";
import type { CallOptions } from "../../connection/call-options.js";
import { SdkError } from "../../jsonrpc/errors.js";
import type { ClientConnection } from "../client-connection.js";
import type { ClientRequestHandlers, InputRequest, ServerRequestContext } from "../client-request-handlers.js";
import type { RequestPipelineOptions } from "../request-pipeline-options.js";
import { withDeadline } from "../with-deadline.js";

/** How long all rounds of a call may take together, unless it has a `maxTotalMs`: one hour. */
const defaultMaxTotalMs = 3_600_000;

/**
 * Handles the input requests of a server and sends the request again, until it is complete.
 * @param startedAt when the call began, by `performance.now()`: `maxTotalMs` covers the whole call
 * @throws SdkError `INPUT_REQUIRED_ROUNDS_EXCEEDED`; `REQUEST_TIMEOUT` when the rounds together take too long;
 *   `INPUT_REQUIRED_UNSUPPORTED` for an input request that this client has no handler for
 */
export async function resolveInputRequests(
  connection: ClientConnection,
  { maxRounds, requestHandlers }: Pick<RequestPipelineOptions, "maxRounds" | "requestHandlers">,
  method: string,
  params: object | undefined,
  options: CallOptions,
  startedAt: number,
  first: InputRequiredResult,
  send: (params: object, options: CallOptions) => Promise<object>,
): Promise<object> {
  const { maxTotalMs } = options;
  const end = startedAt + (maxTotalMs ?? defaultMaxTotalMs);
  let current = first;
  for (let round = 1; ; round++) {
    if (round > maxRounds)
      throw new SdkError(
        "INPUT_REQUIRED_ROUNDS_EXCEEDED",
        `${method} asked for input more than ${maxRounds} times (option maxRounds)`,
      );
    const { inputRequests, requestState } = current;
    const inputResponses = await withDeadline(method, connection.closeSignal, options, end, (signal) =>
      inputRequests
        ? handleAll(connection, requestHandlers, method, inputRequests, requestState, { signal })
        : pause(Math.min(250 * 2 ** (round - 1), 5_000), signal),
    );
    // Set even when undefined, to replace the caller's values, which an earlier round has used.
    const retry = { ...params, inputResponses, requestState };
    const remaining = maxTotalMs === undefined ? options : { ...options, maxTotalMs: end - performance.now() };
    const result = await send(retry, remaining);
    if ((result as { resultType?: unknown }).resultType !== "input_required") return result;
    current = result as InputRequiredResult;
  }
}

async function handleAll(
  { side, telemetry }: ClientConnection,
  answers: ClientRequestHandlers,
  method: string,
  questions: Readonly<Record<string, InputRequest>>,
  requestState: string | undefined,
  context: ServerRequestContext,
): Promise<object> {
  const entries = Object.entries(questions).map(async ([key, question]) => {
    const handle = (): Promise<object> => answers.handleInput(side, method, question, context);
    return [key, await (telemetry ? telemetry.handleInput(question, requestState, handle) : handle())] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

function pause(ms: number, signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, undefined);
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
}
