import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Repository } from "../check/check-links.js";
import type { Page } from "./page.js";
import { readPage } from "./read-page.js";

/** Pages of others, pages that are wrong on purpose, and shells of pages. */
const notChecked = /(?:^|\/)(?:fixtures|node_modules)\/|^templates\/|^docs\/\./;

/** The files of a repository that git tracks or would track, and the pages among them, read when they are needed. */
export class RepositoryPages implements Repository {
  readonly #root: string;
  readonly #files: ReadonlySet<string>;
  readonly #folders: ReadonlySet<string>;
  readonly #pages = new Map<string, Page>();

  constructor(root: string, files: readonly string[] = filesOf(root)) {
    this.#root = root;
    this.#files = new Set(files);
    this.#folders = new Set(files.flatMap(foldersOf));
  }

  /** The paths of all Markdown pages that are checked, sorted. */
  get pages(): readonly string[] {
    return [...this.#files].filter((file) => file.endsWith(".md") && !notChecked.test(file)).sort();
  }

  exists(path: string): boolean {
    return path === "" || path === "." || this.#files.has(path) || this.#folders.has(path);
  }

  page(path: string): Page | undefined {
    if (!path.endsWith(".md") || !this.#files.has(path)) return undefined;
    const page = this.#pages.get(path) ?? readPage(path, readFileSync(join(this.#root, path), "utf8"));
    this.#pages.set(path, page);
    return page;
  }
}

function filesOf(root: string): readonly string[] {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 64_000_000 }).split("\0");
  return files.filter((file) => file !== "" && existsSync(join(root, file)));
}

function foldersOf(file: string): readonly string[] {
  const parts = file.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}
