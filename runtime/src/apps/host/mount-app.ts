import type { McpUiResourceCsp, McpUiResourcePermissions } from "@mcpwright/protocol/extensions/apps";
import { SdkError } from "../../jsonrpc/errors.js";
import { parseUrl } from "../../jsonrpc/parse-url.js";
import { hostWindow, type AppContainer, type AppFrame } from "./app-frame.js";
import type { AppResource } from "./app-resource.js";
import { allowAttribute, checkedCsp, grantedPermissions } from "./content-policy.js";
import { fittingSize } from "./fitting-size.js";
import type { AppHostOptions } from "./host-options.js";
import { HostedApp } from "./hosted-app.js";
import { APP_SANDBOX, CSP_PARAMETER } from "./sandbox-proxy.js";
import { SandboxTransport } from "./sandbox-transport.js";

export interface MountOptions extends Omit<AppHostOptions, "sandbox"> {
  /** A new `iframe` element, which is not in the page yet. It is removed when the app is closed. */
  readonly frame: AppFrame;
  /** The element of the page to put the frame into. */
  readonly container: AppContainer;
  /** The URL of the sandbox's page, on another origin than this page; see `sandboxPage`. */
  readonly sandboxUrl: string | URL;
  /** The app, as `readApp` returns it. */
  readonly resource: AppResource;
  /** The features of the browser that apps may use, if they ask for them. Default: `{}`, none. */
  readonly permissions?: McpUiResourcePermissions | undefined;
  /** Returns the origins that the app may use, of those that it declares. Default: all of them. */
  readonly restrictCsp?: ((declared: Required<McpUiResourceCsp>) => McpUiResourceCsp) | undefined;
  /**
   * The `sandbox` attribute of the frame with the app, inside the sandbox's page. Default: `allow-scripts`. With `allow-same-origin`, apps
   * have the origin of the sandbox with its storage, and can change the sandbox's page: serve each from an origin of its own.
   */
  readonly appSandbox?: string | undefined;
  /** Milliseconds until the app must be ready. Default: `10_000`. */
  readonly readyTimeoutMs?: number | undefined;
}

/**
 * Shows an app in a frame of this page. The app has the policy that its resource declares, and reaches this page only by messages.
 *
 * The frame gets the size of the app's content, within `context.containerDimensions`, unless you pass `onSizeChange`.
 * @returns the app, which may not be ready yet: what you send waits for it
 * @throws SdkError `INVALID_CONFIGURATION` when an option is invalid
 * @example
 * ```ts
 * const app = await mountApp({
 *   info: { name: "my-host", version: "1.0.0" },
 *   client,
 *   resource: await readApp(client, "ui://weather/chart"),
 *   frame: document.createElement("iframe"),
 *   container: document.body,
 *   sandboxUrl: "https://sandbox.example.com/",
 *   consent: ({ kind }) => confirm(`The app wants to ${kind}. Allow it?`),
 * });
 * app.sendToolInput({ city: "Vienna" });
 * app.sendToolResult(await client.callTool({ name: "forecast", arguments: { city: "Vienna" } }));
 * ```
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#sandbox-proxy
 */
export async function mountApp(options: MountOptions): Promise<HostedApp> {
  const { frame, container, resource, appSandbox = APP_SANDBOX, readyTimeoutMs = 10_000 } = options;
  const page = hostWindow();
  const url = parseUrl(options.sandboxUrl);
  if (!url) throw invalid("sandboxUrl must be an absolute URL");
  if (url.origin === page.location.origin) throw invalid("sandboxUrl must have another origin than this page");
  if (frame.isConnected) throw invalid("frame must be a new element: mountApp puts it into the container");
  const declared = checkedCsp(resource.meta.csp ?? {});
  const csp = options.restrictCsp?.(declared) ?? declared;
  const permissions = grantedPermissions(resource.meta.permissions, options.permissions);
  url.searchParams.set(CSP_PARAMETER, JSON.stringify(checkedCsp(csp)));
  frame.setAttribute("sandbox", "allow-scripts allow-same-origin");
  frame.setAttribute("allow", allowAttribute(permissions));
  frame.src = url.href;

  const transport = new SandboxTransport({
    ...options,
    frame,
    container,
    page,
    origin: url.origin,
    resource: { html: resource.html, sandbox: appSandbox, csp, permissions },
    readyTimeoutMs,
  });
  const app: HostedApp = new HostedApp(transport, {
    ...options,
    sandbox: { csp, permissions },
    onInitialized: () => {
      transport.appIsReady();
      options.onInitialized?.();
    },
    onSizeChange: options.onSizeChange ?? ((size) => Object.assign(frame.style, fittingSize(size, app.context))),
  });
  await app.open();
  return app;
}

function invalid(problem: string): SdkError {
  return new SdkError("INVALID_CONFIGURATION", problem);
}
