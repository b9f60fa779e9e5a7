import type { Side } from "@mcpwright/protocol/contract";
import type { SubscriptionFilter, Tool } from "../authoring.js";
import type { InputRequestOptions } from "./input-request-options.js";

/**
 * The functions with which extensions change what a server does. An extension sets them in `attachServer`; one that is set already
 * belongs to another extension, and has to be called, too. `Context` is `ServerContext`.
 */
export interface ServerHooks<Context> {
  /** Called when a tool is registered or changed. @throws SdkError `INVALID_CONFIGURATION` when its option `task` is invalid @internal */
  assertTaskOption?: ((tool: string, option: unknown) => void) | undefined;
  /** Runs each call of a tool of `registerTool`. @internal */
  runTool?: RunTool<Context> | undefined;
  /** Called before the arguments of a call are validated. @throws ProtocolError the response to a call that is rejected @internal */
  checkTool?: ((tool: RegisteredToolFacts, context: Context) => void) | undefined;
  /** Returns members that the list of tools has for clients of a revision. @internal */
  describeTool?: ((tool: RegisteredToolFacts, side: Side) => object | undefined) | undefined;
  /** Returns which tools the client of a list request receives. Default: all. @internal */
  viewTools?: ((context: Context) => ToolsView | undefined) | undefined;
  /** Called by `connect`. @throws SdkError `INVALID_CONFIGURATION` when the server is not ready for clients @internal */
  onConnect?: (() => void) | undefined;
  /** Sends a request to a client of the handshake era on behalf of a handler. @internal */
  sendInputRequest?: SendInputRequest<Context> | undefined;
  /** Called when the server begins to close its connections, which waits for the returned promise, too. @internal */
  onClose?: ((graceMs: number | undefined) => Promise<void>) | undefined;
  /** Grants members of the filter of `subscriptions/listen` that the extension adds. @internal */
  grantStream?: GrantStream<Context> | undefined;
}

/** A tool as it was registered. */
export interface RegisteredToolFacts {
  readonly definition: Tool;
  /** The configuration that `registerTool` received, with the options of extensions. */
  readonly config: object;
}

/** The tools that some clients receive. */
export interface ToolsView {
  /** Distinguishes the view from others: the list of each is kept. */
  readonly name: string;
  readonly includes: (tool: RegisteredToolFacts) => boolean;
}

/**
 * Called when the arguments of a call are valid and its `inputRequests` have responses.
 * @param run calls the tool, validates its output, and converts errors to results, so that it returns what the client of a plain call
 *   receives; it can be called later, and again. The tool gets the context of the call, or the one that `run` is called with
 * @returns the result of the request
 */
export type RunTool<Context> = (
  tool: RegisteredToolFacts,
  context: Context,
  run: (detached?: Context) => unknown,
) => unknown;

/**
 * Called with the params of an input request, converted to the client's revision.
 * @param send sends the request with these params, or changed ones
 * @returns the response, unchecked
 */
export type SendInputRequest<Context> = (
  context: Context,
  request: { readonly method: string; readonly params: object | undefined },
  options: InputRequestOptions | undefined,
  send: (params: object | undefined) => Promise<unknown>,
) => Promise<unknown>;

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
