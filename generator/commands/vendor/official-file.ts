import { fail } from "../../shared/diagnostics/diagnostic.js";
import type { SourceModule } from "../../shared/model/source.js";
import { readSchema } from "../../pipeline/read-model.js";
import { officialBase } from "../../shared/sources/official-base.js";
import { isDate, isUrl, readLocation } from "../../shared/sources/schema-folder.js";
import { withLf } from "../../shared/files/content-hash.js";

/** A schema.ts as it was published. */
export interface OfficialFile {
  /** Path or URL, without credentials. */
  readonly source: string;
  /** With LF line ends. */
  readonly text: string;
  readonly module: SourceModule;
}

/** The URL at the pinned commit, or on the main branch without a pin. */
export function officialUrl(revision: string, commit: string | undefined, base = officialBase): string {
  return `${base.replace(/\/+$/, "")}/${commit ?? "main"}/schema/${revision}/schema.ts`;
}

/** @throws DiagnosticError when it cannot be read, is too large, is not TypeScript, or declares another revision */
export async function readOfficial(location: string, revision: string): Promise<OfficialFile> {
  const path = isUrl(location) ? new URL(location).pathname : location;
  if (!/\.[mc]?ts$/.test(path)) fail("vendor-not-typescript", { path, reason: "its name does not end in .ts" });
  const { file, text: read } = await readLocation(location);
  const text = withLf(read);
  // Some servers return an HTML page for every URL; one message is clearer than its syntax errors.
  if (/^\s*</.test(text)) fail("vendor-not-typescript", { path: file, reason: "it looks like a web page" });
  const module = await readSchema({ file, text });
  const declared = declaredRevision(module);
  // A draft may still state the date of the revision before it. Peers use the draft's own id.
  const mayDiffer = declared === undefined || (isDate(declared) && !isDate(revision));
  if (!mayDiffer && declared !== revision) fail("vendor-other-revision", { path: file, declared, revision });
  return { source: file, text, module };
}

/** The revision that a schema states. */
export function declaredRevision({ declarations }: SourceModule): string | undefined {
  const constant = declarations.find(({ name }) => name === "LATEST_PROTOCOL_VERSION");
  return constant?.kind === "constant" && typeof constant.value === "string" ? constant.value : undefined;
}
