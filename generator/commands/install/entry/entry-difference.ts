import { unifiedDiff } from "../../../shared/files/unified-diff.js";
import { hosts, type HostId } from "../../../shared/hosts/hosts.js";
import { isObject } from "../../../shared/is-object.js";
import { printTable } from "../documents/print-toml.js";
import type { Entry } from "../documents/server-document.js";
import { mayBeSecret } from "./connection-fields.js";

/**
 * What changes in the entry of a server, as a unified diff. The rest of the file is not part of it, and neither are values that
 * may be secrets.
 */
export function entryDifference(
  host: HostId,
  path: string,
  name: string,
  before: Entry | undefined,
  after: Entry | undefined,
): string {
  const print = (entry: Entry | undefined, other: Entry | undefined): string =>
    entry ? printEntry(host, name, hideValues(entry, other)) : "";
  const file = path.replace(/^\//, "");
  return unifiedDiff([{ path: file, kind: "changed", before: print(before, undefined), after: print(after, before) }]);
}

function printEntry(id: HostId, name: string, entry: Entry): string {
  const { format, servers } = hosts[id];
  return format === "toml"
    ? printTable([servers, name], entry)
    : `${JSON.stringify(name)}: ${JSON.stringify(entry, undefined, 2)}\n`;
}

function hideValues(entry: Entry, other: Entry | undefined): Entry {
  const members = Object.entries(entry).map(
    ([name, value]) => [name, mayBeSecret(name) ? hide(value, other?.[name]) : value] as const,
  );
  return Object.fromEntries(members);
}

/** Hides the strings of a value. References to variables and inputs are shown. */
function hide(value: unknown, other: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => hide(item, item));
  if (isObject(value)) {
    const others = isObject(other) ? other : {};
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, hide(one, others[name])]));
  }
  if (typeof value !== "string" || /^\$(?:\{[\w:.-]+\}|\w+)$/.test(value)) return value;
  return other === undefined || other === value ? "(hidden)" : "(hidden, changed)";
}
