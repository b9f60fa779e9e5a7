import type { ServerVariable } from "../../shared/command/server-variables.js";
import type { Diagnostic } from "../../shared/diagnostics/diagnostic.js";

export interface BundleOptions {
  /** The folder of the project. Default: `"."` */
  readonly folder?: string;
  /** The file to write, which ends in `.mcpb`. Default: `<name>-<version>.mcpb` in `folder` */
  readonly out?: string;
  /** The file that starts the server, JavaScript or TypeScript. Default: that of the `package.json` */
  readonly entry?: string;
  /**
   * Files and folders of the project that the server reads at run time, relative to `folder`. Packages in `node_modules` that are included
   * are not put into the one file: for native modules.
   */
  readonly include?: readonly string[];
  /** A PNG file of the project. */
  readonly icon?: string;
  readonly variables?: readonly ServerVariable[];
  /** Whether the server is started, to list its tools. Default: `true` */
  readonly isStarted?: boolean;
  /** Writes nothing. Default: `false` */
  readonly isDryRun?: boolean;
  /** Milliseconds to wait for each response of the server. Default: `60_000` */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** A file of the bundle. */
export interface BundledFile {
  readonly path: string;
  readonly bytes: number;
}

export interface BundleResult {
  readonly path: string;
  /** False with `isDryRun`. */
  readonly isWritten: boolean;
  readonly bytes: number;
  /** In hexadecimal digits, as the MCP registry wants it (`fileSha256`). */
  readonly sha256: string;
  readonly files: readonly BundledFile[];
  /** The content of `manifest.json`. */
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly findings: readonly Diagnostic[];
}
