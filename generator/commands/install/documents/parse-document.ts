import type { Host } from "../../../shared/hosts/hosts.js";
import { parseJsonDocument } from "./json-document.js";
import type { ServerDocument } from "./server-document.js";
import { parseTomlDocument } from "./toml-document.js";

/**
 * Reads the text of a host's file, which may be empty.
 * @param path names the file in messages
 * @throws DiagnosticError install-config-syntax, install-config-shape, install-config-repeated, with line and column
 */
export function parseDocument(
  { format, servers }: Pick<Host, "format" | "servers">,
  text: string,
  path: string,
): ServerDocument {
  return format === "json" ? parseJsonDocument(text, path, servers) : parseTomlDocument(text, path, servers);
}
