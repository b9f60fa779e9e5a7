import {
  UI_NOTIFICATIONS_SANDBOX_PROXY_READY,
  UI_NOTIFICATIONS_SANDBOX_RESOURCE_READY,
} from "@mcpwright/protocol/names";
import { SdkError } from "../../jsonrpc/errors.js";
import { parseUrl } from "../../jsonrpc/parse-url.js";
import { contentPolicy, permissionFeatures } from "./content-policy.js";

/** The query parameter of the sandbox's URL with the `csp` of the resource, as JSON. */
export const CSP_PARAMETER = "csp";

/** The `sandbox` attribute of the frame with the app. Without `allow-same-origin`, the app has an origin that nothing else has. */
export const APP_SANDBOX = "allow-scripts";

export interface SandboxPageOptions {
  /** The origins of the hosts that may show the sandbox, such as `https://chat.example.com`. */
  readonly hostOrigins: readonly string[];
}

/** A page to serve: its headers, and its HTML. */
export interface SandboxPage {
  readonly headers: Readonly<Record<string, string>>;
  readonly html: string;
}

/**
 * The page of the sandbox: it shows the app in a frame of its own, and passes messages between app and host. Serve it from another origin
 * than the host, best from one that serves nothing else. The app inherits the Content Security Policy of this page.
 * @param url of the request; its parameter `csp`, which `mountApp` adds, has the origins that the app declares
 * @throws SdkError `INVALID_CONFIGURATION` for invalid parameters: respond with 400; for invalid options
 * @example
 * ```ts
 * const { headers, html } = sandboxPage(request.url, { hostOrigins: ["https://chat.example.com"] });
 * return new Response(html, { headers });
 * ```
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#sandbox-proxy
 */
export function sandboxPage(url: string | URL, { hostOrigins }: SandboxPageOptions): SandboxPage {
  if (hostOrigins.length === 0) throw new SdkError("INVALID_CONFIGURATION", "hostOrigins must not be empty");
  for (const origin of hostOrigins)
    if (parseUrl(origin)?.origin !== origin)
      throw new SdkError("INVALID_CONFIGURATION", `hostOrigins: ${JSON.stringify(origin)} is not an origin`);
  const policy = contentPolicy(cspOf(url));
  return {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `${policy}; frame-ancestors ${hostOrigins.join(" ")}`,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-dns-prefetch-control": "off",
    },
    html: page(hostOrigins),
  };
}

function cspOf(url: string | URL): object {
  const text = parseUrl(url, new URL("http://localhost"))?.searchParams.get(CSP_PARAMETER) ?? "{}";
  try {
    return JSON.parse(text) as object;
  } catch (cause) {
    throw new SdkError("INVALID_CONFIGURATION", `the parameter ${CSP_PARAMETER} is not JSON`, undefined, { cause });
  }
}

/**
 * The script is a string, because it runs in another program. It answers nothing itself. When the app's frame loads a second document, the
 * app has navigated away: the sandbox leaves, too, so that the host notices and nothing of the new document reaches it.
 */
function page(hostOrigins: readonly string[]): string {
  const json = (value: unknown): string => JSON.stringify(value).replaceAll("<", "\\u003c");
  return `<!doctype html>
<meta charset="utf-8">
<title>App</title>
<style>html, body, iframe { display: block; width: 100%; height: 100%; margin: 0; border: 0; overflow: hidden }</style>
<body>
<script>
"use strict";
const hosts = ${json(hostOrigins)};
const features = ${json(permissionFeatures)};
let host = "*", frame, origin;
addEventListener("message", ({ data, source, origin: from }) => {
  if (source === parent && hosts.includes(from)) {
    host = from;
    const method = data && data.method;
    if (method === ${json(UI_NOTIFICATIONS_SANDBOX_RESOURCE_READY)}) show(data.params);
    else if (frame && !isOurs(method)) frame.contentWindow.postMessage(data, "*");
  } else if (frame && source === frame.contentWindow && from === origin) {
    if (!isOurs(data && data.method)) parent.postMessage(data, host);
  }
});
function isOurs(method) {
  return typeof method === "string" && method.startsWith("ui/notifications/sandbox-");
}
function show({ html, sandbox = ${json(APP_SANDBOX)}, csp, permissions = {} }) {
  if (frame) return;
  frame = document.createElement("iframe");
  frame.setAttribute("sandbox", sandbox);
  const granted = Object.keys(permissions).filter((name) => Object.hasOwn(features, name));
  frame.setAttribute("allow", granted.map((name) => features[name]).join("; "));
  origin = /\\ballow-same-origin\\b/.test(sandbox) ? location.origin : "null";
  // Without a base of its own, a link such as "#top" would lead to this page.
  const base = csp && csp.baseUriDomains && csp.baseUriDomains.length > 0 ? "" : '<!doctype html><base href="about:srcdoc">';
  frame.srcdoc = base + html;
  let documents = 0;
  frame.addEventListener("load", () => ++documents > 1 && location.replace("about:blank"));
  document.body.append(frame);
}
parent.postMessage({ jsonrpc: "2.0", method: ${json(UI_NOTIFICATIONS_SANDBOX_PROXY_READY)}, params: {} }, "*");
</script>`;
}
