import type { McpUiResourceCsp, McpUiResourcePermissions } from "@mcpwright/protocol/extensions/apps";
import { SdkError } from "../../jsonrpc/errors.js";
import { isObject } from "../../jsonrpc/guards.js";
import { whyNoSource } from "../server/csp-source.js";

/** The feature of a Permissions Policy by permission (SEP-1865, UI resource format). */
export const permissionFeatures = {
  camera: "camera",
  microphone: "microphone",
  geolocation: "geolocation",
  clipboardWrite: "clipboard-write",
} as const satisfies Record<keyof McpUiResourcePermissions, string>;

/**
 * The Content Security Policy of an app: it loads nothing, and connects to nothing, but the declared origins. Inline scripts and styles
 * are allowed, because an app is one HTML text.
 * @param csp of the resource; undefined for the strictest policy
 * @throws SdkError `INVALID_CONFIGURATION` for an entry that is not an origin
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#sandbox-proxy
 */
export function contentPolicy(csp: McpUiResourceCsp = {}): string {
  const { connectDomains, resourceDomains, frameDomains, baseUriDomains } = checkedCsp(csp);
  const resources = resourceDomains.map((origin) => ` ${origin}`).join("");
  return [
    "default-src 'none'",
    `script-src 'unsafe-inline'${resources}`,
    `style-src 'unsafe-inline'${resources}`,
    `img-src data:${resources}`,
    `media-src data:${resources}`,
    `font-src ${resourceDomains.join(" ") || "'none'"}`,
    `connect-src ${connectDomains.join(" ") || "'none'"}`,
    `frame-src ${frameDomains.join(" ") || "'none'"}`,
    // The base of the frame that the sandbox creates begins with "about:".
    `base-uri ${baseUriDomains.join(" ") || "'self' about:"}`,
    // The default does not cover these.
    "object-src 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** The four lists, each with all its entries checked. */
export function checkedCsp(csp: unknown): Required<McpUiResourceCsp> {
  if (!isObject(csp)) throw new SdkError("INVALID_CONFIGURATION", "csp must be an object");
  const origins = (name: keyof McpUiResourceCsp): string[] => {
    const list: unknown = csp[name] ?? [];
    if (!Array.isArray(list)) throw new SdkError("INVALID_CONFIGURATION", `csp.${name} must be an array of origins`);
    return list.map((entry: unknown, index) => {
      const problem = whyNoSource(entry, name === "connectDomains");
      if (problem === undefined) return String(entry);
      throw new SdkError("INVALID_CONFIGURATION", `csp.${name}[${index}] ${JSON.stringify(entry)} ${problem}`);
    });
  };
  return {
    connectDomains: origins("connectDomains"),
    resourceDomains: origins("resourceDomains"),
    frameDomains: origins("frameDomains"),
    baseUriDomains: origins("baseUriDomains"),
  };
}

/** The permissions that an app asks for and its host grants. */
export function grantedPermissions(
  asked: McpUiResourcePermissions | undefined,
  grants: McpUiResourcePermissions | undefined,
): McpUiResourcePermissions {
  const names = Object.keys(permissionFeatures) as (keyof McpUiResourcePermissions)[];
  return Object.fromEntries(names.filter((name) => asked?.[name] && grants?.[name]).map((name) => [name, {}]));
}

/** The `allow` attribute of a frame with these permissions. */
export function allowAttribute(permissions: McpUiResourcePermissions): string {
  const names = Object.keys(permissionFeatures) as (keyof McpUiResourcePermissions)[];
  return names.flatMap((name) => (permissions[name] ? [permissionFeatures[name]] : [])).join("; ");
}
