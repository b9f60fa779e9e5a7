import { execFileSync } from "node:child_process";
import { put, sandbox } from "../../shared/files/sandbox.js";
import type { Tree } from "../../shared/files/tree.js";

/** Values of a tree that are not strings are printed as JSON. */
export type Files = Readonly<Record<string, unknown>>;

/** A folder with these files. */
export function folderOf(files: Files): string {
  const folder = sandbox();
  put(folder, treeFrom(files));
  return folder;
}

/** The same, committed to a new git repository. */
export function repositoryOf(files: Files): string {
  const folder = folderOf(files);
  git(folder, "init", "-q");
  commitAll(folder);
  return folder;
}

export function commitAll(folder: string): void {
  git(folder, "add", "-A");
  git(folder, "-c", "user.name=Test", "-c", "user.email=test@example.com", "commit", "-q", "-m", "Test");
}

export function treeFrom(files: Files): Tree {
  const texts = Object.entries(files).map(([path, content]) => {
    return [path, typeof content === "string" ? content : `${JSON.stringify(content, undefined, 2)}\n`] as const;
  });
  return Object.fromEntries(texts);
}

function git(folder: string, ...args: readonly string[]): void {
  execFileSync("git", ["-C", folder, ...args]);
}
