import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ignoreErrors } from "../../shared/files/disk.js";
import { replaceFile } from "../../shared/files/replace-file.js";
import type { Machine } from "../../shared/hosts/host-paths.js";
import { isObject } from "../../shared/is-object.js";
import { credentialsPath } from "../../shared/sessions/credentials-path.js";

/** How many files are remembered. */
const maxFiles = 200;

interface RecordedFile {
  /** That of the text before the first installation. */
  readonly digest: string;
  /** The installed servers. */
  readonly names: readonly string[];
}

/**
 * Remembers a digest of each host's file as it was before the first server was installed, so that the removal of the last one can
 * give the same bytes back. Without it, or when it cannot be read or written, the empty object of servers stays.
 */
export class InstallRecord {
  private readonly path: string;

  constructor({ env, platform, home }: Machine = {}) {
    this.path = join(dirname(credentialsPath(env, platform, home)), "installed.json");
  }

  /**
   * @param text the text of the file before the installation; undefined when there was none
   * @param present the servers that it had
   */
  remember(file: string, name: string, text: string | undefined, present: readonly string[]): void {
    const files = this.read();
    const known = files.get(file);
    const others = known?.names.filter((one) => one !== name && present.includes(one)) ?? [];
    const digest = known && others.length > 0 ? known.digest : digestOf(text);
    files.delete(file);
    this.write(files.set(file, { digest, names: [...others, name] }));
  }

  /** Whether a text, or no file, is what was there before the first installation, and `name` is the last installed server. */
  isOriginal(file: string, name: string, text: string | undefined): boolean {
    const known = this.read().get(file);
    return known?.digest === digestOf(text) && known.names.every((one) => one === name);
  }

  forget(file: string, name: string): void {
    const files = this.read();
    const known = files.get(file);
    if (!known) return;
    const names = known.names.filter((one) => one !== name);
    if (names.length === 0) files.delete(file);
    else files.set(file, { ...known, names });
    this.write(files);
  }

  private read(): Map<string, RecordedFile> {
    try {
      const content: unknown = JSON.parse(readFileSync(this.path, "utf8"));
      const entries = isObject(content) ? Object.entries(content) : [];
      return new Map(entries.flatMap(([file, known]) => (isRecordedFile(known) ? [[file, known]] : [])));
    } catch {
      return new Map();
    }
  }

  private write(files: ReadonlyMap<string, RecordedFile>): void {
    const text = `${JSON.stringify(Object.fromEntries([...files].slice(-maxFiles)), undefined, 2)}\n`;
    ignoreErrors(() => {
      mkdirSync(dirname(this.path), { recursive: true });
      replaceFile(this.path, text);
    });
  }
}

function isRecordedFile(value: unknown): value is RecordedFile {
  return isObject(value) && typeof value["digest"] === "string" && Array.isArray(value["names"]);
}

function digestOf(text: string | undefined): string {
  return text === undefined ? "absent" : createHash("sha256").update(text).digest("hex");
}
