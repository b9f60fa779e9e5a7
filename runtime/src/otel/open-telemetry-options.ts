import type { MeterProvider, TextMapPropagator, TracerProvider } from "@opentelemetry/api";

export interface OpenTelemetryOptions {
  /** Creates the tracer. Default: the global provider. */
  readonly tracerProvider?: TracerProvider;
  /** Creates the histograms. Default: the global provider. */
  readonly meterProvider?: MeterProvider;
  /** Writes the context to `_meta`, and reads it there. Default: the global propagator. */
  readonly propagator?: TextMapPropagator;
  /**
   * Whether spans contain the arguments and results of tools and the arguments of prompts, which can be confidential. Default:
   * `false`.
   */
  readonly recordContent?: boolean;
}
