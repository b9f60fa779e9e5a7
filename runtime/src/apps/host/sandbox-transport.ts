import type { McpUiSandboxResourceReadyNotificationParams } from "@mcpwright/protocol/extensions/apps";
import {
  UI_NOTIFICATIONS_SANDBOX_PROXY_READY,
  UI_NOTIFICATIONS_SANDBOX_RESOURCE_READY,
} from "@mcpwright/protocol/names";
import { SdkError } from "../../jsonrpc/errors.js";
import { isObject } from "../../jsonrpc/guards.js";
import type { JSONRPCMessage } from "../../jsonrpc/message-types.js";
import { timerDelay } from "../../timing/timer-delay.js";
import type { Transport } from "../../transport/transport.js";
import { PostMessageTransport } from "../bridge/post-message-transport.js";
import type { AppContainer, AppFrame, HostWindow } from "./app-frame.js";
import { FrameLimits, type FrameLimitOptions } from "./frame-limits.js";

export interface SandboxTransportOptions extends FrameLimitOptions {
  readonly frame: AppFrame;
  readonly container: AppContainer;
  readonly page: HostWindow;
  /** The origin of the sandbox. */
  readonly origin: string;
  /** Sent to the sandbox when it is ready. */
  readonly resource: McpUiSandboxResourceReadyNotificationParams;
  /** Milliseconds until the app must be ready. */
  readonly readyTimeoutMs: number;
}

/**
 * Carries messages to an app in a sandbox: gives the sandbox the HTML, and ends when the frame is gone. The page of the frame is
 * loaded once: a second document, or a second sandbox, means that the frame has navigated away.
 */
export class SandboxTransport implements Transport {
  onmessage?: Transport["onmessage"];
  onerror?: Transport["onerror"];
  onclose?: Transport["onclose"];

  readonly #options: SandboxTransportOptions;
  #messages: PostMessageTransport | undefined;
  #observer: InstanceType<HostWindow["MutationObserver"]> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #loads = 0;
  #isSandboxReady = false;

  constructor(options: SandboxTransportOptions) {
    this.#options = options;
  }

  /** Puts the frame into the page. @throws SdkError `INVALID_CONFIGURATION` when it gets no window, because the container is not in the page */
  async start(): Promise<void> {
    const { frame, container, page, origin, readyTimeoutMs } = this.#options;
    frame.addEventListener("load", this.#loaded);
    container.append(frame as never);
    const peer = frame.contentWindow;
    if (!peer) {
      frame.remove();
      throw new SdkError("INVALID_CONFIGURATION", "the container of the app must be in the page");
    }
    const messages = new PostMessageTransport({ peer, origin, receiver: page, limits: new FrameLimits(this.#options) });
    this.#messages = messages;
    Object.assign(messages, {
      onmessage: (message: unknown) => this.#receive(message),
      onerror: (error: Error, received?: unknown) => this.onerror?.(error, received),
      onclose: (error?: Error) => this.#ended(error),
    });
    this.#observer = new page.MutationObserver(() => {
      if (!frame.isConnected) this.#end("CONNECTION_CLOSED", "the frame of the app was removed from the page");
    });
    this.#observer.observe(page.document, { childList: true, subtree: true });
    const late = (): void => {
      const who = this.#isSandboxReady ? "the app was not ready" : "the sandbox did not load";
      this.#end("CONNECT_TIMEOUT", `${who} in ${readyTimeoutMs} ms (option readyTimeoutMs)`);
    };
    this.#timer = setTimeout(late, timerDelay(readyTimeoutMs));
    await messages.start();
  }

  send(message: JSONRPCMessage | readonly JSONRPCMessage[]): void {
    if (!this.#messages) throw new SdkError("NOT_CONNECTED", "the transport is not open");
    this.#messages.send(message);
  }

  async close(): Promise<void> {
    await this.#messages?.close();
  }

  /** Called when the app is ready, so that it is not too late any more. */
  appIsReady(): void {
    clearTimeout(this.#timer);
  }

  #receive(message: unknown): void {
    if (!isObject(message) || message["method"] !== UI_NOTIFICATIONS_SANDBOX_PROXY_READY) {
      this.onmessage?.(message);
      return;
    }
    if (this.#isSandboxReady) return this.#navigated();
    this.#isSandboxReady = true;
    const { resource } = this.#options;
    this.send({ jsonrpc: "2.0", method: UI_NOTIFICATIONS_SANDBOX_RESOURCE_READY, params: { ...resource } });
  }

  readonly #loaded = (): void => {
    if (++this.#loads > 1) this.#navigated();
  };

  #navigated(): void {
    this.#end("CONNECTION_CLOSED", "the frame of the app has navigated away");
  }

  #end(code: "CONNECTION_CLOSED" | "CONNECT_TIMEOUT", message: string): void {
    this.#messages?.end(new SdkError(code, message));
  }

  #ended(error: Error | undefined): void {
    const { frame } = this.#options;
    clearTimeout(this.#timer);
    this.#observer?.disconnect();
    frame.removeEventListener("load", this.#loaded);
    frame.remove();
    this.onclose?.(error);
  }
}
