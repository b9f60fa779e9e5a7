import {
  type Context,
  isSpanContextValid,
  propagation,
  type SpanContext,
  type TextMapGetter,
  type TextMapPropagator,
  trace,
} from "@opentelemetry/api";
import { attempt } from "./attempt.js";

type Carrier = Readonly<Record<string, unknown>>;

/** Reads the strings of `_meta`, which come from the peer. */
const getter: TextMapGetter<Carrier> = {
  keys: (carrier) => Object.keys(carrier),
  get: (carrier, key) => {
    const value = Object.hasOwn(carrier, key) ? carrier[key] : undefined;
    return typeof value === "string" ? value : undefined;
  },
};

/**
 * Passes the context of an operation to the peer and back: `traceparent`, `tracestate` and `baggage` in `_meta` (SEP-414), or the
 * fields of another propagator.
 */
export class TraceContext {
  readonly #propagator: TextMapPropagator | undefined;

  constructor(propagator: TextMapPropagator | undefined) {
    this.#propagator = propagator;
  }

  /** Returns the context with the peer's span and baggage; the given one if the message contains none. */
  extract(context: Context, params: object | undefined): Context {
    const carrier = metaOf(params);
    if (!carrier) return context;
    return this.#propagator?.extract(context, carrier, getter) ?? propagation.extract(context, carrier, getter);
  }

  /**
   * Like `extract`, for params that are about to be sent: their author may have set a span and baggage. The span of the context takes
   * precedence.
   */
  complete(context: Context, params: object | undefined): Context {
    const whole = this.extract(context, params);
    const span = trace.getSpan(context);
    return span ? trace.setSpan(whole, span) : whole;
  }

  /** Returns the params with the context in `_meta`. */
  inject(context: Context, params: object | undefined): object | undefined {
    const injected: Record<string, unknown> = {};
    if (this.#propagator) {
      const setter = {
        set: (carrier: Record<string, unknown>, key: string, value: string) => void (carrier[key] = value),
      };
      this.#propagator.inject(context, injected, setter);
    } else propagation.inject(context, injected);
    if (Object.keys(injected).length === 0) return params;
    // Fields that the author has set are part of the context by now.
    const fields = this.#propagator?.fields() ?? propagation.fields();
    const kept = Object.entries(metaOf(params) ?? {}).filter(([key]) => !fields.includes(key));
    return { ...params, _meta: { ...Object.fromEntries(kept), ...injected } };
  }
}

function metaOf(params: object | undefined): Carrier | undefined {
  return (params as { readonly _meta?: Carrier } | undefined)?._meta;
}

/** The span of a context, if there is a valid one. */
export function spanOf(context: Context): SpanContext | undefined {
  const span = attempt(() => trace.getSpanContext(context));
  return span && isSpanContextValid(span) ? span : undefined;
}
