import { context, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from "@opentelemetry/core";
import { type DataPoint, DataPointType, type Histogram, MeterProvider, MetricReader } from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterEach, beforeEach } from "vitest";

/** Keeps what the SDK collects, until a test reads it. */
class Reader extends MetricReader {
  protected override onForceFlush(): Promise<void> {
    return Promise.resolve();
  }

  protected override onShutdown(): Promise<void> {
    return Promise.resolve();
  }
}

const propagator = new CompositePropagator({
  propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()],
});

/** Registers what programs register globally: contexts that follow asynchronous calls, and the propagators of the W3C. */
export function useGlobals(): void {
  beforeEach(() => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(propagator);
  });
  afterEach(() => {
    context.disable();
    propagation.disable();
  });
}

/** One series of a histogram. */
export interface Series {
  readonly metric: string;
  readonly unit: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly point: DataPoint<Histogram>;
}

/** The providers of a program, whose spans and metrics stay in memory. */
export class Recorder {
  readonly #exporter = new InMemorySpanExporter();
  readonly #reader = new Reader();
  readonly tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(this.#exporter)] });
  readonly meterProvider = new MeterProvider({ readers: [this.#reader] });

  /** The options of `openTelemetry`. */
  readonly providers = { tracerProvider: this.tracerProvider, meterProvider: this.meterProvider };

  /** The spans that have ended. */
  get spans(): readonly ReadableSpan[] {
    return this.#exporter.getFinishedSpans();
  }

  /** The only span of a kind with a name, such as `"> tools/call add"`; see `label`. */
  span(wanted: string): ReadableSpan {
    const [found, ...more] = this.spans.filter((span) => label(span) === wanted);
    if (!found || more.length > 0)
      throw new Error(`there must be one span ${wanted}; there are: ${this.spans.map(label).join(", ")}`);
    return found;
  }

  /** Runs a function in a span of the program. */
  async within<Result>(name: string, action: () => Promise<Result>): Promise<Result> {
    const span = this.tracerProvider.getTracer("program").startSpan(name);
    try {
      return await context.with(trace.setSpan(context.active(), span), action);
    } finally {
      span.end();
    }
  }

  async series(): Promise<readonly Series[]> {
    const { resourceMetrics } = await this.#reader.collect();
    return resourceMetrics.scopeMetrics.flatMap(({ metrics }) =>
      metrics.flatMap((metric): Series[] => {
        const { name, unit } = metric.descriptor;
        if (metric.dataPointType !== DataPointType.HISTOGRAM) throw new Error(`${name} is not a histogram`);
        return metric.dataPoints.map((point) => ({ metric: name, unit, attributes: point.attributes, point }));
      }),
    );
  }

  /** The spans as a tree; those with the same parent in the order of their start. */
  tree(): string {
    const ids = new Set(this.spans.map((span) => span.spanContext().spanId));
    const below = (parent: string | undefined, depth: number): string[] =>
      this.spans
        .filter(({ parentSpanContext: { spanId = "" } = {} }) =>
          parent === undefined ? !ids.has(spanId) : spanId === parent,
        )
        .sort((one, other) => startOf(one) - startOf(other))
        .flatMap((span) => [`${"  ".repeat(depth)}${label(span)}`, ...below(span.spanContext().spanId, depth + 1)]);
    return below(undefined, 0).join("\n");
  }
}

function startOf({ startTime: [seconds, nanoseconds] }: ReadableSpan): number {
  return (seconds % 100_000) * 1e6 + nanoseconds / 1e3;
}

/** The name of a span, after `>` for a message that is sent and `<` for one that is received. */
export function label({ kind, name }: ReadableSpan): string {
  return `${["", "< ", "> "][kind] ?? "? "}${name}`;
}
