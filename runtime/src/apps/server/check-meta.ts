import type { McpUiResourceMeta, McpUiToolMeta } from "@mcpwright/protocol/extensions/apps";
import { SdkError } from "../../jsonrpc/errors.js";
import { isObject } from "../../jsonrpc/guards.js";
import { isAppUri } from "../tool-link.js";
import { whyNoSource } from "./csp-source.js";

const domainLists = ["connectDomains", "resourceDomains", "frameDomains", "baseUriDomains"] as const;

/** @throws SdkError `INVALID_CONFIGURATION` when the URI of a resource is not one of an app */
export function assertAppUri(where: string, uri: unknown): asserts uri is string {
  if (!isAppUri(uri)) throw invalid(`${where} ${quoted(uri)}: the URIs of apps begin with ui:// and a name`);
}

/** @throws SdkError `INVALID_CONFIGURATION` when `_meta.ui` of a resource is invalid */
export function assertResourceMeta(where: string, ui: unknown): asserts ui is McpUiResourceMeta | undefined {
  if (ui === undefined) return;
  const at = `${where}: _meta.ui`;
  assertObject(at, ui);
  const { csp, permissions, domain, prefersBorder } = ui;
  if (csp !== undefined) assertCsp(`${at}.csp`, csp);
  if (permissions !== undefined) {
    assertObject(`${at}.permissions`, permissions);
    for (const [name, value] of Object.entries(permissions)) assertObject(`${at}.permissions.${name}`, value);
  }
  if (domain !== undefined && (typeof domain !== "string" || domain === ""))
    throw invalid(`${at}.domain must be a non-empty string, not ${quoted(domain)}`);
  if (prefersBorder !== undefined && typeof prefersBorder !== "boolean")
    throw invalid(`${at}.prefersBorder must be a boolean, not ${quoted(prefersBorder)}`);
}

/** @throws SdkError `INVALID_CONFIGURATION` when `_meta.ui` of a tool is invalid */
export function assertToolMeta(where: string, ui: unknown): asserts ui is McpUiToolMeta {
  const at = `${where}: _meta.ui`;
  assertObject(at, ui);
  const { resourceUri, visibility } = ui;
  if (resourceUri !== undefined) assertAppUri(`${at}.resourceUri`, resourceUri);
  if (visibility !== undefined) {
    if (!Array.isArray(visibility) || visibility.length === 0)
      throw invalid(`${at}.visibility must be an array with "model", "app" or both, not ${quoted(visibility)}`);
    const other: unknown = visibility.find((who) => who !== "model" && who !== "app");
    if (other !== undefined) throw invalid(`${at}.visibility contains ${quoted(other)}; use "model" and "app"`);
  }
  if (resourceUri === undefined && visibility === undefined)
    throw invalid(`${at} has neither resourceUri nor visibility; a tool without both needs no app: use registerTool`);
  // Hosts ignore them here, so the app would lack what its author believes it has.
  for (const member of ["csp", "permissions"])
    if (member in ui) throw invalid(`${at}.${member} has no effect; pass it to registerAppResource`);
}

function assertCsp(at: string, csp: unknown): void {
  assertObject(at, csp);
  for (const list of domainLists) {
    const entries: unknown = csp[list];
    if (entries === undefined) continue;
    if (!Array.isArray(entries)) throw invalid(`${at}.${list} must be an array of origins, not ${quoted(entries)}`);
    entries.forEach((entry: unknown, index) => {
      const problem = whyNoSource(entry, list === "connectDomains");
      if (problem !== undefined) throw invalid(`${at}.${list}[${index}] ${quoted(entry)} ${problem}`);
    });
  }
  const unknown = Object.keys(csp).find((name) => !domainLists.some((list) => list === name));
  if (unknown !== undefined) throw invalid(`${at}.${unknown} is not a list of domains; use ${domainLists.join(", ")}`);
}

function assertObject(at: string, value: unknown): asserts value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw invalid(`${at} must be an object, not ${quoted(value)}`);
}

export function invalid(problem: string): SdkError {
  return new SdkError("INVALID_CONFIGURATION", problem);
}

/** A value in an error message. */
function quoted(value: unknown): string {
  return String(value === undefined ? value : JSON.stringify(value)).slice(0, 200);
}
