import { type Attributes, type Context, context as contexts, type Span, SpanStatusCode } from "@opentelemetry/api";
import { isPromiseLike } from "../timing/is-promise-like.js";
import { attempt } from "./attempt.js";
import type { Ending } from "./ending.js";
import type { ObservedMessage, Outcome } from "./observed-message.js";

export interface OperationParts {
  readonly message: ObservedMessage;
  /** The params to send, with the context of the operation in `_meta`; those of the message if it is received. */
  readonly params: object | undefined;
  /** The version of the protocol, as far as it is known at the beginning. */
  readonly version: Attributes;
  /** Undefined if the tracer has failed. */
  readonly span: Span | undefined;
  /** The context with the span. */
  readonly context: Context;
  /** Returns how the operation ended, and the attributes that are known only then. */
  readonly finish: (outcome: Outcome) => { readonly ending: Ending; readonly attributes: Attributes };
  /** Called with the duration in seconds. */
  readonly record: (seconds: number, ending: Ending, outcome: Outcome) => void;
}

/** A message that is sent or handled, with its span. */
export class Operation {
  readonly #startedAt = performance.now();
  #hasEnded = false;

  constructor(readonly parts: OperationParts) {}

  /** Calls a function in the context of the operation. Returns what it returns, and throws what it throws. */
  run<Returned>(action: () => Returned): Returned {
    // Errors of the function are thrown, those of the context manager are not.
    const outcomes: ({ readonly returned: Returned } | { readonly thrown: unknown })[] = [];
    const call = (): void => {
      try {
        outcomes.push({ returned: action() });
      } catch (thrown) {
        outcomes.push({ thrown });
      }
    };
    attempt(() => {
      contexts.with(this.parts.context, call);
    });
    const [outcome] = outcomes;
    if (!outcome) return action();
    if ("thrown" in outcome) throw outcome.thrown;
    return outcome.returned;
  }

  /** Like `run`; the operation ends with the function, or with the promise that it returns. */
  during<Returned>(action: () => Returned): Returned {
    try {
      const returned = this.run(action);
      if (isPromiseLike<unknown>(returned))
        returned.then(
          () => this.end({}),
          (error: unknown) => this.end({ error }),
        );
      else this.end({});
      return returned;
    } catch (error) {
      this.end({ error });
      throw error;
    }
  }

  /** Ends the operation. Later calls have no effect. */
  end(outcome: Outcome): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const seconds = (performance.now() - this.#startedAt) / 1_000;
    const { span, finish, record } = this.parts;
    const finished = attempt(() => finish(outcome));
    if (finished) {
      const { attributes, ending } = finished;
      const { message } = ending;
      attempt(() => span?.setAttributes(attributes));
      const status = { code: SpanStatusCode.ERROR, ...(message !== undefined && { message }) };
      if (ending.isError) attempt(() => span?.setStatus(status));
      attempt(() => record(seconds, ending, outcome));
    }
    attempt(() => span?.end());
  }
}
