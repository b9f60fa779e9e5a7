import type { InputRequiredResult } from "../authoring.js";
import type { ClientConnection } from "../client/connection.js";
import { answerQuestion } from "../client/questions.js";
import { SdkError } from "../engine/errors.js";
import type { CallOptions } from "../engine/pending.js";
import type { Handler } from "../engine/routes.js";

/** How long the rounds of one call may take together, unless the call says so: an hour. */
const longestMs = 3_600_000;

export interface RoundOptions {
  /** Rounds of questions before the call fails. */
  readonly maxRounds: number;
  /** Finds the handler of a question. */
  readonly handler: (method: string) => Handler | undefined;
}

/**
 * Answers what a server wants to know before it completes a request, and sends the request again, until it is complete.
 * @throws SdkError `INPUT_REQUIRED_ROUNDS_EXCEEDED`; `REQUEST_TIMEOUT` when the rounds together take too long;
 *   `INPUT_REQUIRED_UNSUPPORTED` for a question that this client cannot answer
 */
export async function throughRounds(
  connection: ClientConnection,
  { maxRounds, handler }: RoundOptions,
  method: string,
  params: object | undefined,
  options: CallOptions,
  first: InputRequiredResult,
  send: (params: object) => Promise<object>,
): Promise<object> {
  const { maxTotalMs = longestMs } = options;
  const end = performance.now() + maxTotalMs;
  let asked = first;
  for (let round = 1; ; round++) {
    if (performance.now() > end)
      throw new SdkError("REQUEST_TIMEOUT", `${method} was not complete in time`, { maxTotalMs });
    if (round > maxRounds)
      throw new SdkError("INPUT_REQUIRED_ROUNDS_EXCEEDED", `${method} asked for input more than ${maxRounds} times`);
    const { inputRequests, requestState } = asked;
    const inputResponses = inputRequests && (await answers(connection, handler, method, inputRequests, options));
    if (!inputResponses) await pause(Math.min(250 * 2 ** (round - 1), 5_000), options.signal);
    const result = await send({
      ...params,
      ...(inputResponses && { inputResponses }),
      ...(requestState !== undefined && { requestState }),
    });
    if ((result as { resultType?: unknown }).resultType !== "input_required") return result;
    asked = result as InputRequiredResult;
  }
}

async function answers(
  { side, capabilities, over }: ClientConnection,
  find: RoundOptions["handler"],
  method: string,
  questions: Readonly<Record<string, { readonly method: string; readonly params?: object }>>,
  { signal }: CallOptions,
): Promise<object> {
  // One refusal ends the whole round, and the other questions need no answer any more; nor when nobody waits for them.
  const controller = new AbortController();
  const context = { signal: controller.signal };
  const stop = (): void => controller.abort((signal?.aborted ? signal : over).reason);
  for (const source of [over, signal]) {
    source?.throwIfAborted();
    source?.addEventListener("abort", stop);
  }
  // The caller does not wait for a host that takes its time to notice.
  const aborted = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener("abort", () => reject(controller.signal.reason as Error));
  });
  const entries = Object.entries(questions).map(async ([key, { method: asked, params = {} }]) => {
    const rows = side.receives.inputs ?? {};
    const row = Object.hasOwn(rows, asked) ? rows[asked] : undefined;
    const handler = row && find(asked);
    if (!handler)
      throw new SdkError(
        "INPUT_REQUIRED_UNSUPPORTED",
        `${method} asks for ${asked}, which this client has no handler for`,
      );
    const known = params as Readonly<Record<string, unknown>>;
    return [key, await answerQuestion(side, row, asked, known, capabilities, handler, context)] as const;
  });
  try {
    return Object.fromEntries(await Promise.race([Promise.all(entries), aborted]));
  } catch (error) {
    controller.abort(error);
    throw error;
  } finally {
    for (const source of [over, signal]) source?.removeEventListener("abort", stop);
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      },
      { once: true },
    );
  });
}
