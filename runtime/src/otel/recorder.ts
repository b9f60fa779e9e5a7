import {
  type Attributes,
  type Context,
  type Link,
  type MeterProvider,
  metrics,
  type SpanContext,
  SpanKind,
  trace,
} from "@opentelemetry/api";
import type { ObservedConnection } from "../connection/telemetry.js";
import { attempt } from "./attempt.js";
import { endingOf, errorType } from "./ending.js";
import { createHistograms, type Histograms } from "./histograms.js";
import { KnownNames } from "./known-names.js";
import { messageAttributes, sessionAttributes, toolResultAttributes, versionAttributes } from "./message-attributes.js";
import type { NetworkAttributes } from "./network-attributes.js";
import type { ObservedMessage } from "./observed-message.js";
import type { OpenTelemetryOptions } from "./open-telemetry-options.js";
import { Operation } from "./operation.js";
import { RequestStates } from "./request-states.js";
import { spanOf, TraceContext } from "./trace-context.js";

/** The name of the tracer and of the meter. */
const scope = "@mcpwright/runtime/otel";

/** The side of an operation: that of the sender is the client of the conventions. */
export type Role = "client" | "server";

/** What is known of a message besides its content. */
export interface Circumstances {
  readonly connection: ObservedConnection;
  readonly network: NetworkAttributes;
  readonly version: Attributes;
  /** The context whose span becomes the parent. */
  readonly parent: Context;
  /** The spans to link. */
  readonly related: readonly (SpanContext | undefined)[];
}

/** Records spans and durations with the providers of OpenTelemetry. */
export class Recorder {
  readonly traces: TraceContext;
  /** The requests whose results asked for input. */
  readonly states = { client: new RequestStates(), server: new RequestStates() };
  readonly #names = new KnownNames();
  #histograms: { readonly provider: MeterProvider; readonly all: Histograms } | undefined;

  constructor(readonly options: OpenTelemetryOptions) {
    this.traces = new TraceContext(options.propagator);
  }

  start(role: Role, message: ObservedMessage, circumstances: Circumstances): Operation {
    const { connection, network, version, parent, related } = circumstances;
    const { recordContent = false, tracerProvider = trace } = this.options;
    const { name, common, detailed } = messageAttributes(message, recordContent);
    const isSent = role === "client";
    const shared = { ...common, ...network.protocol, ...(isSent && network.server) };
    const attributes = { ...shared, ...version, ...detailed, ...(!isSent && network.client) };
    const kind = isSent ? SpanKind.CLIENT : SpanKind.SERVER;
    const { spanId } = spanOf(parent) ?? {};
    const links = related.flatMap((one): Link[] => (one && one.spanId !== spanId ? [{ context: one }] : []));
    const span = attempt(() => tracerProvider.getTracer(scope).startSpan(name, { kind, attributes, links }, parent));
    const context = span ? trace.setSpan(parent, span) : parent;
    const injected = isSent ? attempt(() => ({ params: this.traces.inject(context, message.params) })) : undefined;
    const histogram = this.#durations?.[role].operation;
    return new Operation({
      message,
      params: injected ? injected.params : message.params,
      version,
      span,
      context,
      finish: (outcome) => {
        const ending = endingOf(message, outcome, !isSent);
        return {
          ending,
          attributes: {
            ...versionAttributes(message, connection, outcome),
            ...sessionAttributes(connection),
            ...(recordContent && toolResultAttributes(message, outcome)),
            ...ending.attributes,
          },
        };
      },
      record: (seconds, ending, outcome) => {
        const own = spanOf(context);
        if (own && span) this.states[role].remember(outcome, own);
        const all = {
          ...shared,
          ...version,
          ...versionAttributes(message, connection, outcome),
          ...ending.attributes,
        };
        histogram?.record(seconds, isSent ? all : this.#names.bounded(all, connection, outcome), context);
      },
    });
  }

  /** @returns a function that records the duration of a session; its error, if there is one, ended the session */
  startSession(
    role: Role,
    connection: ObservedConnection,
  ): (network: NetworkAttributes, error: Error | undefined) => void {
    const startedAt = performance.now();
    const histogram = this.#durations?.[role].session;
    return ({ protocol, server }, error) => {
      const version = versionAttributes({ method: "" }, connection);
      const attributes = { ...version, ...protocol, ...server, ...(error && { "error.type": errorType(error) }) };
      attempt(() => histogram?.record((performance.now() - startedAt) / 1_000, attributes));
    };
  }

  /** Created at the first use, and again when the program registers its global provider later. */
  get #durations(): Histograms | undefined {
    return attempt(() => {
      const provider = this.options.meterProvider ?? metrics.getMeterProvider();
      if (this.#histograms?.provider !== provider)
        this.#histograms = { provider, all: createHistograms(provider.getMeter(scope)) };
      return this.#histograms.all;
    });
  }
}
