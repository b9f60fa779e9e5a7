import { isObject } from "../is-object.js";
import type { ProjectManifest } from "./read-project.js";

/** A person or an organization. */
export interface Author {
  readonly name: string;
  readonly email?: string;
  readonly url?: string;
}

export interface Repository {
  /** A URL with `https:`. */
  readonly url: string;
  /** The folder of the package in the repository. */
  readonly directory?: string;
}

/** What a `package.json` states, in one form. Members that are absent or of another form are absent. */
export interface PackageFacts {
  readonly name?: string;
  readonly version?: string;
  readonly description?: string;
  readonly author?: Author;
  readonly repository?: Repository;
  readonly homepage?: string;
  /** The page for bug reports. */
  readonly bugs?: string;
  readonly license?: string;
  readonly keywords: readonly string[];
  /** The range of versions of Node. */
  readonly node?: string;
  /** The values of `process.platform`; those with `!` in front are excluded. */
  readonly os: readonly string[];
  /** The name in the MCP registry. */
  readonly mcpName?: string;
}

export function packageFacts(content: ProjectManifest["content"]): PackageFacts {
  const { engines, bugs } = content;
  return {
    ...textsOf(content, ["name", "version", "description", "license", "mcpName"]),
    ...defined("author", authorOf(content["author"])),
    ...defined("repository", repositoryOf(content["repository"])),
    ...defined("homepage", webUrl(content["homepage"])),
    ...defined("bugs", webUrl(isObject(bugs) ? bugs["url"] : bugs)),
    ...defined("node", isObject(engines) ? textOf(engines["node"]) : undefined),
    keywords: listOf(content["keywords"]),
    os: listOf(content["os"]),
  };
}

type Text = "name" | "version" | "description" | "license" | "mcpName";

function textsOf(content: ProjectManifest["content"], keys: readonly Text[]): Partial<Record<Text, string>> {
  return Object.assign({}, ...keys.map((key) => defined(key, textOf(content[key])))) as Partial<Record<Text, string>>;
}

function defined<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, V>);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** npm accepts an object, or `name <email> (url)`. */
function authorOf(value: unknown): Author | undefined {
  const parts = isObject(value)
    ? value
    : (/^([^<(]*)(?:<([^>]*)>)?\s*(?:\(([^)]*)\))?/.exec(textOf(value) ?? "") ?? []);
  const [name, email, url] = Array.isArray(parts) ? parts.slice(1) : [parts["name"], parts["email"], parts["url"]];
  const title = textOf(name);
  if (title === undefined) return undefined;
  const address = textOf(email);
  return {
    name: title,
    ...defined("email", address !== undefined && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(address) ? address : undefined),
    ...defined("url", webUrl(url)),
  };
}

const forges: Readonly<Record<string, string>> = {
  github: "https://github.com/",
  gitlab: "https://gitlab.com/",
  bitbucket: "https://bitbucket.org/",
};

/** npm accepts an object with `url`, a URL, and `forge:owner/name`, where GitHub is the default. */
function repositoryOf(value: unknown): Repository | undefined {
  const text = textOf(isObject(value) ? value["url"] : value);
  if (text === undefined) return undefined;
  const [, forge = "github", path] = /^(?:(github|gitlab|bitbucket):)?([\w.-]+\/[\w.-]+)$/.exec(text) ?? [];
  const url = webUrl(
    path !== undefined
      ? `${forges[forge] ?? ""}${path}`
      : text
          .replace(/^git\+/, "")
          .replace(/^(?:ssh:\/\/)?git@([^/:]+)[/:]/, "https://$1/")
          .replace(/^git:\/\//, "https://")
          .replace(/\.git(#.*)?$/, ""),
  );
  if (url === undefined) return undefined;
  return { url, ...defined("directory", isObject(value) ? textOf(value["directory"]) : undefined) };
}

function webUrl(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : undefined;
}
