import type { CompleteRequestParams, CompleteResult } from "../authoring.js";
import type { ParamsInput } from "../connection/params-input.js";
import { timerDelay } from "../timing/timer-delay.js";
import type { SendOptions } from "./send-options.js";

export interface DebounceOptions {
  /** Milliseconds without a further call after which a request is sent. Default: 200. */
  readonly delayMs?: number;
}

/**
 * Returns the params of `client.complete` for the argument that the user is typing. The other values are sent as
 * `context.arguments`, so that the server can consider them; empty ones are left out.
 * @param name the argument of the prompt, or the variable of the resource template
 * @param values what the user has entered so far, by name
 * @example
 * ```ts
 * const ref = { type: "ref/prompt", name: "review" } as const;
 * const params = completionParams(ref, "framework", { language: "python", framework: "fl" });
 * ```
 */
export function completionParams(
  ref: CompleteRequestParams["ref"],
  name: string,
  values: Readonly<Record<string, string | undefined>>,
): ParamsInput<CompleteRequestParams> {
  const entries = Object.entries(values).filter((entry): entry is [string, string] => !!entry[1]);
  const value = entries.find(([key]) => key === name)?.[1] ?? "";
  const others = entries.filter(([key]) => key !== name);
  return {
    ref,
    argument: { name, value },
    ...(others.length > 0 && { context: { arguments: Object.fromEntries(others) } }),
  };
}

/**
 * Returns a function that requests suggestions once the user pauses. Each call replaces the previous one: that is not sent, or
 * is cancelled at the server, and returns undefined.
 *
 * The function throws what `client.complete` throws. The option `signal` aborts the call also while it waits.
 * @example
 * ```ts
 * const suggest = debounceCompletions(client);
 * const result = await suggest({ ref: { type: "ref/prompt", name: "review" }, argument: { name: "language", value: "py" } });
 * if (result) console.log(result.completion.values);
 * ```
 */
export function debounceCompletions(
  client: {
    complete(params: ParamsInput<CompleteRequestParams>, options?: SendOptions): Promise<CompleteResult>;
  },
  { delayMs = 200 }: DebounceOptions = {},
): (params: ParamsInput<CompleteRequestParams>, options?: SendOptions) => Promise<CompleteResult | undefined> {
  let current: AbortController | undefined;
  return async (params, options = {}) => {
    current?.abort();
    const { signal: replaced } = (current = new AbortController());
    const signal = options.signal ? AbortSignal.any([options.signal, replaced]) : replaced;
    try {
      await pause(delayMs, signal);
      const result = await client.complete(params, { ...options, signal });
      return replaced.aborted ? undefined : result;
    } catch (error) {
      if (replaced.aborted) return undefined;
      throw error;
    }
  };
}

/** @throws the reason of the signal, as soon as it is aborted */
function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, timerDelay(delayMs));
    signal.addEventListener("abort", abort, { once: true });
  });
}
