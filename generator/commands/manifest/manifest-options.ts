import type { ServerVariable } from "../../shared/command/server-variables.js";
import type { Diagnostic } from "../../shared/diagnostics/diagnostic.js";

/** A bundle that can be downloaded. */
export interface McpbRelease {
  readonly url: string;
  /** The file on this disk, whose digest the entry states. */
  readonly file: string;
}

interface FileOptions {
  /** The folder of the project. Default: `"."` */
  readonly folder?: string;
  /** The file. Default: `server.json` or `tools.json` in `folder` */
  readonly out?: string;
  readonly variables?: readonly ServerVariable[];
  /** Compares, and writes nothing. Default: `false` */
  readonly isCheck?: boolean;
  /** Writes nothing. Default: `false` */
  readonly isDryRun?: boolean;
}

export interface ManifestOptions extends FileOptions {
  /** The name in the registry. Default: `mcpName` of the `package.json`, or that of the existing file */
  readonly name?: string;
  /** Default: that of the existing file */
  readonly title?: string;
  /** At most 100 characters. Default: that of the `package.json` */
  readonly description?: string;
  /** The URL at which the package serves, once it is started. Default: it serves over stdio */
  readonly http?: string;
  readonly mcpb?: McpbRelease;
  /** URLs of the public server over Streamable HTTP. */
  readonly urls?: readonly string[];
}

export interface ToolsLockOptions extends FileOptions {
  /** The program and its arguments. Default: the server of the project */
  readonly command?: readonly string[];
  readonly url?: string;
  /** Whether resources are locked, too. Default: `true` */
  readonly hasResources?: boolean;
  /** Milliseconds to wait for each response of the server. Default: `60_000` */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface ManifestResult {
  readonly path: string;
  /** `"keep"` when the file is up to date. */
  readonly action: "add" | "change" | "keep";
  /** False with `isCheck` and `isDryRun`, and for `"keep"`. */
  readonly isWritten: boolean;
  /** What differs, for people; empty for `"keep"`. */
  readonly difference: string;
  readonly findings: readonly Diagnostic[];
}
