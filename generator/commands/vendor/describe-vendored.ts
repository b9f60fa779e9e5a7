import { join } from "node:path";
import type { VendorExtensionResult } from "./vendor-extension.js";
import type { VendorResult } from "./vendor.js";

export function revisionJson(result: VendorResult, revision: string, out: string): object {
  const { file, source, pinnedBy, sha256 } = result;
  return { revision, file, source, pinnedBy, sha256, out, ...written(result) };
}

export function extensionJson(result: VendorExtensionResult, out: string): object {
  const { extension, version, file, overlay, overlayFrom, source, pinnedBy, changes, sha256 } = result;
  const vendored = {
    extension,
    version,
    file,
    overlay,
    overlayFrom,
    source,
    pinnedBy,
    changes: changes ?? null,
    sha256,
  };
  return { ...vendored, out, ...written(result) };
}

function written({ report, findings }: VendorResult | VendorExtensionResult): object {
  const { added, changed, removed, unchanged } = report;
  return { added, changed, removed, unchanged, findings };
}

/** Reports which pin verified the file. A pin on first sight is only as trustworthy as its source. */
export function describeRevision({ pinnedBy, sha256, source }: VendorResult, revision: string, to: string): string {
  const file = join(to, revision, "schema.ts");
  const pins = join(to, "pins.json");
  switch (pinnedBy) {
    case "package":
      return `${file} is the official ${revision} (sha256 ${sha256})`;
    case "folder":
      return `${file} is the ${revision} that ${pins} pins (sha256 ${sha256})`;
    case "first sight":
      return `${file} was pinned on first sight in ${pins}: mcpwright has no pin for ${revision} and used the content of ${source} (sha256 ${sha256})`;
  }
}

/** Reports the same for an extension, and where its overlay comes from. */
export function describeExtension(result: VendorExtensionResult, to: string): string {
  return [pinning(result, join(to, "extensions", "pins.json")), ...changed(result), overlayOrigin(result)].join("\n");
}

function pinning({ pinnedBy, sha256, source, file, extension, version }: VendorExtensionResult, pins: string): string {
  const named = `${extension} ${version}`;
  switch (pinnedBy) {
    case "package":
      return `${file} is the official ${named} (sha256 ${sha256})`;
    case "folder":
      return `${file} is the ${named} that ${pins} pins (sha256 ${sha256})`;
    case "update":
      return `${file} was updated, and pinned again in ${pins}, with the content of ${source} (sha256 ${sha256})`;
    case "first sight":
      return `${file} was pinned on first sight in ${pins}: mcpwright has no pin for this file and used the content of ${source} (sha256 ${sha256})`;
  }
}

function changed({ changes }: VendorExtensionResult): readonly string[] {
  return changes === undefined ? [] : [`since the last time: ${changes}`];
}

function overlayOrigin({ overlay, overlayFrom, source }: VendorExtensionResult): string {
  switch (overlayFrom) {
    case "folder":
      return `${overlay} was kept`;
    case "beside":
      return `${overlay} is a copy of the one beside ${source}`;
    case "package":
      return `${overlay} is a copy of mcpwright's own`;
    case "schema":
      return `${overlay} was written from the schema; check the facts in it`;
  }
}
