import type { SubscriptionFilter, Tool } from "../authoring.js";

/**
 * The functions with which extensions change what a server does. An extension sets them in `attachServer`; one that is set already
 * belongs to another extension, and has to be called, too. `Context` is `ServerContext`.
 */
export interface ServerHooks<Context> {
  /** Runs each call of a tool of `registerTool`. @internal */
  runTool?: RunTool<Context> | undefined;
  /** Grants members of the filter of `subscriptions/listen` that the extension adds. @internal */
  grantStream?: GrantStream<Context> | undefined;
}

/** A tool as it was registered. */
export interface RegisteredToolFacts {
  readonly definition: Tool;
  /** The configuration that `registerTool` received, with the options of extensions. */
  readonly config: object;
}

/**
 * Called when the arguments of a call are valid and its `inputRequests` have responses.
 * @param run calls the tool, validates its output, and converts errors to results, so that it returns what the client of a plain call
 *   receives; it can be called later, and again
 * @returns the result of the request
 */
export type RunTool<Context> = (tool: RegisteredToolFacts, context: Context, run: () => unknown) => unknown;

/**
 * Called with the filter of a client that opens a stream.
 * @returns undefined if nothing is granted
 * @throws ProtocolError the response to a client that may not open such a stream
 */
export type GrantStream<Context> = (
  filter: SubscriptionFilter & Readonly<Record<string, unknown>>,
  context: Context,
) => GrantedStream | undefined | Promise<GrantedStream | undefined>;

/** What an extension adds to a stream of notifications. */
export interface GrantedStream {
  /** The granted members of the filter, which the acknowledgement contains. */
  readonly filter: object;
  /**
   * Called once when the acknowledgement has been sent.
   * @param send sends a notification on the stream; does nothing after its end
   * @returns a function that is called once when the stream ends
   */
  readonly open: (send: (method: string, params?: object) => void) => () => void;
}
