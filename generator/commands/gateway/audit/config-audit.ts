import { dirname, resolve } from "node:path";
import { auditLog, type GatewayAudit } from "@mcpwright/runtime/gateway";
import { DiagnosticError } from "../../../shared/diagnostics/diagnostic.js";
import { notWritable } from "../../../shared/files/file-errors.js";
import type { GatewaySettings } from "../config/gateway-config.js";
import { type ReferenceContext, resolveText } from "../config/resolve-text.js";
import { AuditFile } from "./audit-file.js";

/** The audit log of a configuration. */
export interface ConfigAudit {
  readonly option: GatewayAudit;
  /** Opens the file anew, after it was renamed. @throws DiagnosticError output-not-writable */
  reopen(): void;
  close(): void;
}

/**
 * Opens the audit log that a configuration requires.
 * @returns undefined without the setting `audit`
 * @throws DiagnosticError output-not-writable, gateway-variable-missing
 */
export function auditOf({ audit }: GatewaySettings, context: ReferenceContext): ConfigAudit | undefined {
  if (!audit) return undefined;
  const { value, missing } = resolveText(audit.file, "gateway.audit.file", context);
  if (missing) throw new DiagnosticError(missing);
  const path = resolve(dirname(context.path), value);
  const opened = writable(path, () => new AuditFile(path));
  return {
    option: auditLog((line) => opened.write(line), {
      arguments: audit.arguments ?? false,
      redact: (audit.redact ?? []).map(redactionOf),
    }),
    reopen: () => writable(path, () => opened.reopen()),
    close: () => opened.close(),
  };
}

function writable<Value>(path: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw notWritable(path, error);
  }
}

/** Names with `*` are patterns; others, and JSON Pointers, are known to the log. */
function redactionOf(name: string): string | RegExp {
  if (name.startsWith("/") || !name.includes("*")) return name;
  const parts = name.split("*").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "is");
}
