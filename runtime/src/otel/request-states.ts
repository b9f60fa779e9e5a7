import type { SpanContext } from "@opentelemetry/api";
import { type Outcome, resultOf } from "./observed-message.js";

/** How many requests are remembered, and how many characters of their states. */
const limits = { states: 1_000, characters: 1_000_000 };

/** The spans of requests whose results asked for input, by their `requestState`: the next request contains it. */
export class RequestStates {
  readonly #spans = new Map<string, SpanContext>();
  #characters = 0;

  /** Remembers the span of a request, if its result asks for input. */
  remember(outcome: Outcome, span: SpanContext): void {
    const state = resultOf(outcome)?.["requestState"];
    if (typeof state !== "string") return;
    this.#delete(state);
    this.#spans.set(state, span);
    this.#characters += state.length;
    for (const oldest of this.#spans.keys()) {
      if (this.#spans.size <= limits.states && this.#characters <= limits.characters) break;
      this.#delete(oldest);
    }
  }

  find(state: unknown): SpanContext | undefined {
    return this.#spans.get(state as string);
  }

  /** Returns the span of the request that the request with these params continues, and forgets it. */
  take(params: object | undefined): SpanContext | undefined {
    const { requestState } = (params ?? {}) as { readonly requestState?: string };
    if (requestState === undefined) return undefined;
    const span = this.find(requestState);
    this.#delete(requestState);
    return span;
  }

  #delete(state: string): void {
    if (this.#spans.delete(state)) this.#characters -= state.length;
  }
}
