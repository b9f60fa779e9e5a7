import { isAbsolute } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import type { Disk } from "../../shared/files/disk.js";
import type { Machine } from "../../shared/hosts/host-paths.js";
import { type HostId, hosts } from "../../shared/hosts/hosts.js";
import { changeFile } from "./change-file.js";
import { parseDocument } from "./documents/parse-document.js";
import type { Entry, ServerDocument } from "./documents/server-document.js";
import { entryDifference } from "./entry/entry-difference.js";
import { makeEntry, mergeEntry, type Server } from "./entry/make-entry.js";
import { hostFile, readHostFile, type Scope } from "./host-file.js";
import { InstallRecord } from "./install-record.js";

/** What an installation or removal would do. */
export interface InstallPlan {
  readonly host: HostId;
  readonly scope: Scope;
  /** The file of the host. */
  readonly path: string;
  /** The name of the server. */
  readonly name: string;
  /** `"keep"` when the file has the same entry, or none to remove: nothing is written. */
  readonly action: "add" | "change" | "remove" | "keep";
  /** The program that the host starts, with its arguments. */
  readonly starts: readonly string[] | undefined;
  readonly notes: readonly string[];
  /** A unified diff of the entry, without values that may be secrets. Empty for `"keep"`. */
  readonly difference: string;
  /** The entry now, and then. May contain secrets: never print it. */
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
}

export interface PlanOptions {
  readonly host: HostId;
  readonly scope: Scope;
  readonly name: string;
  /** The server to install; undefined to remove it. */
  readonly server: Server | undefined;
  readonly machine?: Machine;
}

/**
 * Decides what to do, and changes nothing.
 * @throws DiagnosticError install-scope-missing, install-config-unreadable, and those of `parseDocument`
 */
export function planInstall({ host, scope, name, server, machine = {} }: PlanOptions): InstallPlan {
  const path = hostFile(host, scope, machine);
  const document = readDocument(host, path, readHostFile(path).text);
  const before = document.entry(name);
  const made = server && makeEntry(host, server);
  const after = made && mergeEntry(before, made.entry);
  // Refuses an entry that cannot be changed before the user is asked.
  if (after) document.set(name, after);
  const isSame = isDeepStrictEqual(before, after);
  return {
    host,
    scope,
    path,
    name,
    action: isSame ? "keep" : !after ? "remove" : before ? "change" : "add",
    starts: made?.starts,
    notes: [...(made?.notes ?? []), ...pathNotes(scope, made?.starts)],
    difference: isSame ? "" : entryDifference(host, path, name, before, after),
    before,
    after,
  };
}

/** The permissions of new files, which may contain secrets. */
const ownerOnly = 0o600;

export interface ApplyOptions {
  readonly record?: InstallRecord;
  readonly disk?: Disk;
}

/**
 * Does what was planned. The rest of the file keeps its bytes.
 * @returns the path of the copy of the earlier file, if there was one
 * @throws DiagnosticError install-config-changed when the entry is no longer the planned one, and the errors of `changeFile`
 */
export async function applyPlan(
  { host, scope, path, name, action, before, after }: InstallPlan,
  { record = new InstallRecord(), disk }: ApplyOptions = {},
): Promise<string | undefined> {
  if (action === "keep") return undefined;
  let [earlier, present]: [string | undefined, readonly string[]] = [undefined, []];
  const backup = await changeFile(
    path,
    (text) => {
      const document = readDocument(host, path, text);
      [earlier, present] = [text, document.names];
      if (!isDeepStrictEqual(document.entry(name), before))
        fail("install-config-changed", { name: JSON.stringify(name), path });
      return after ? document.set(name, after) : textWithout(document, path, name, record);
    },
    { ...(disk && { disk }), newMode: scope === "user" ? ownerOnly : undefined },
  );
  if (action === "add") record.remember(path, name, earlier, present);
  if (action === "remove") record.forget(path, name);
  return backup;
}

function pathNotes(scope: Scope, starts: readonly string[] = []): readonly string[] {
  const isLocal = scope === "project" && starts.some((word) => isAbsolute(word));
  return isLocal ? ["The file of the project will contain a path of this machine, which others do not have."] : [];
}

function readDocument(host: HostId, path: string, text = ""): ServerDocument {
  return parseDocument(hosts[host], text, path);
}

/** The text of before the installation, if nothing else has changed since. */
function textWithout(document: ServerDocument, path: string, name: string, record: InstallRecord): string | undefined {
  const texts = document.without(name);
  if (texts.includes("") && record.isOriginal(path, name, undefined)) return undefined;
  return texts.find((text) => record.isOriginal(path, name, text)) ?? texts[0];
}
