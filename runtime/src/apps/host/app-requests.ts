import type {
  McpUiDownloadFileRequestParams,
  McpUiDisplayMode,
  McpUiHostCapabilities,
  McpUiMessageRequestParams,
  McpUiOpenLinkRequestParams,
  McpUiRequestDisplayModeRequestParams,
  McpUiUpdateModelContextRequestParams,
} from "@mcpwright/protocol/extensions/apps";
import {
  NOTIFICATIONS_PROGRESS,
  RESOURCES_READ,
  TOOLS_CALL,
  UI_DOWNLOAD_FILE,
  UI_MESSAGE,
  UI_OPEN_LINK,
  UI_REQUEST_DISPLAY_MODE,
  UI_UPDATE_MODEL_CONTEXT,
} from "@mcpwright/protocol/names";
import type { Tool } from "../../authoring.js";
import { toError } from "../../jsonrpc/error-conversion.js";
import { ErrorCode, ProtocolError, RemoteError } from "../../jsonrpc/errors.js";
import { isObject, isRequestId } from "../../jsonrpc/guards.js";
import { parseUrl } from "../../jsonrpc/parse-url.js";
import { raceAbort } from "../../timing/race-abort.js";
import type { FrameHandler } from "../bridge/frame-connection.js";
import { toolApp } from "../tool-link.js";
import type { AppAction, AppHostOptions, AppProgress } from "./host-options.js";

/** The code for a refusal; the specification's examples have it. */
const REFUSED = -32000;

interface CallParams {
  readonly name: string;
  readonly arguments?: Record<string, unknown>;
  readonly _meta?: unknown;
}

/** What the requests of an app need to know about it. */
export interface RequestingApp {
  modes(): {
    readonly shown: McpUiDisplayMode;
    readonly offered: readonly McpUiDisplayMode[];
    /** Undefined if the app has not declared them. */
    readonly supported: readonly McpUiDisplayMode[] | undefined;
  };
  setDisplayMode(mode: McpUiDisplayMode): void;
  notify(method: string, params: object): void;
}

/** Handles the requests of an app that have an effect: each is checked, then the host is asked for consent. */
export class AppRequests {
  readonly #options: AppHostOptions;
  readonly #app: RequestingApp;
  #tools: Promise<readonly Tool[]> | undefined;

  constructor(options: AppHostOptions, app: RequestingApp) {
    this.#options = options;
    this.#app = app;
  }

  /** What the host offers, by the functions that it has. */
  get capabilities(): McpUiHostCapabilities {
    const { client, openLink, downloadFile, sendMessage, updateModelContext, onLog, sandbox } = this.#options;
    const content = { text: {}, image: {}, audio: {}, resource: {}, resourceLink: {} };
    return {
      ...(client && { serverTools: {}, serverResources: {} }),
      ...(openLink && { openLinks: {} }),
      ...(downloadFile && { downloadFile: {} }),
      ...(sendMessage && { message: content }),
      ...(updateModelContext && { updateModelContext: { ...content, structuredContent: {} } }),
      ...(onLog && { logging: {} }),
      ...(sandbox && { sandbox }),
    };
  }

  /** A method that the host does not offer has no handler. */
  get handlers(): Record<string, FrameHandler> {
    const { client, openLink, downloadFile, sendMessage, updateModelContext } = this.#options;
    const done = (work: unknown): Promise<object> => Promise.resolve(work).then(() => ({}));
    return {
      ...(client && {
        [TOOLS_CALL]: (params: CallParams, signal: AbortSignal) => this.#callTool(params, signal),
        [RESOURCES_READ]: async ({ uri }: { uri: string }, signal: AbortSignal) => {
          await this.#require({ kind: "readResource", uri }, signal);
          return this.#ofServer(client.readResource({ uri }, { signal }));
        },
      }),
      ...(openLink && {
        [UI_OPEN_LINK]: async ({ url }: McpUiOpenLinkRequestParams, signal: AbortSignal) => {
          // Other schemes run code or start programs.
          if (!/^https?:$/.test(parseUrl(url)?.protocol ?? ""))
            throw new ProtocolError(ErrorCode.InvalidParams, "Only http: and https: URLs can be opened");
          return this.#allowed({ kind: "openLink", url }, signal, () => done(openLink(url)));
        },
      }),
      ...(downloadFile && {
        [UI_DOWNLOAD_FILE]: ({ contents }: McpUiDownloadFileRequestParams, signal: AbortSignal) =>
          this.#allowed({ kind: "downloadFile", contents }, signal, () => done(downloadFile(contents))),
      }),
      ...(sendMessage && {
        [UI_MESSAGE]: ({ content }: McpUiMessageRequestParams, signal: AbortSignal) =>
          this.#allowed({ kind: "sendMessage", content }, signal, () => done(sendMessage(content))),
      }),
      ...(updateModelContext && {
        [UI_UPDATE_MODEL_CONTEXT]: async (
          { content, structuredContent }: McpUiUpdateModelContextRequestParams,
          signal: AbortSignal,
        ) => {
          const update = { ...(content && { content }), ...(structuredContent && { structuredContent }) };
          await this.#require({ kind: "updateModelContext", ...update }, signal);
          return done(updateModelContext(update));
        },
      }),
      [UI_REQUEST_DISPLAY_MODE]: ({ mode }: McpUiRequestDisplayModeRequestParams, signal: AbortSignal) =>
        this.#requestDisplayMode(mode, signal),
    };
  }

  async #callTool(params: CallParams, signal: AbortSignal): Promise<unknown> {
    const { name, arguments: args } = params;
    const tool = await this.#toolNamed(name);
    if (!tool) throw new ProtocolError(ErrorCode.InvalidParams, `Unknown tool: ${name}`);
    if (!toolApp(tool).isForApps) throw new ProtocolError(REFUSED, `The tool ${name} is not for apps`);
    await this.#require({ kind: "callTool", tool, arguments: args ?? {} }, signal);
    const { progressToken: token } = isObject(params._meta) ? params._meta : {};
    const onProgress = (progress: AppProgress): void =>
      this.#app.notify(NOTIFICATIONS_PROGRESS, { progressToken: token, ...progress });
    // The app's other metadata is not passed on: its keys belong to the client.
    return this.#ofServer(
      this.#options.client?.callTool(
        { name, ...(args && { arguments: args }) },
        { signal, ...(isRequestId(token) && { onProgress }) },
      ),
    );
  }

  /** Lists the tools again if there is none with the name: it can be new. */
  async #toolNamed(name: string): Promise<Tool | undefined> {
    const find = async (): Promise<Tool | undefined> => (await this.#tools)?.find((tool) => tool.name === name);
    const known = await find();
    if (known) return known;
    const { client } = this.#options;
    this.#tools = this.#ofServer(client?.listTools()).then((listed) => listed?.tools ?? []);
    // The next call tries again.
    this.#tools.catch(() => (this.#tools = undefined));
    return find();
  }

  /** An error of the server is the response to the app, too. */
  async #ofServer<Result>(work: Promise<Result> | undefined): Promise<Result | undefined> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof RemoteError) throw new ProtocolError(error.code, error.message, error.data);
      throw error;
    }
  }

  async #requestDisplayMode(mode: McpUiDisplayMode, signal: AbortSignal): Promise<object> {
    const { requestDisplayMode } = this.#options;
    const { shown, offered, supported } = this.#app.modes();
    const isPossible = offered.includes(mode) && (supported?.includes(mode) ?? true);
    if (mode === shown || !requestDisplayMode || !isPossible) return { mode: shown };
    if (!(await this.#consents({ kind: "requestDisplayMode", mode }, signal))) return { mode: shown };
    const changed = await requestDisplayMode(mode);
    this.#app.setDisplayMode(changed);
    return { mode: changed };
  }

  /** For results that can say that something was not done. */
  async #allowed(action: AppAction, signal: AbortSignal, work: () => Promise<object>): Promise<object> {
    return (await this.#consents(action, signal)) ? work() : { isError: true };
  }

  async #require(action: AppAction, signal: AbortSignal): Promise<void> {
    if (!(await this.#consents(action, signal))) throw new ProtocolError(REFUSED, "The user or the host refused");
  }

  /** A question that fails is a refusal. */
  async #consents(action: AppAction, signal: AbortSignal): Promise<boolean> {
    try {
      return await raceAbort(signal, Promise.resolve(this.#options.consent(action, signal)));
    } catch (error) {
      if (!signal.aborted) this.#options.onerror?.(toError(error));
      return false;
    }
  }
}
