import { open } from "node:fs/promises";
import { fail } from "../../../shared/diagnostics/diagnostic.js";
import { escapePointer } from "./openapi-document.js";
import { fetchText } from "../../../shared/sources/fetch-text.js";

/** The largest public descriptions have 50 MB. */
const maxBytes = 64_000_000;
const timeoutMs = 60_000;
/** The code that reads descriptions and prints schemas calls itself for each level. */
const maxDepth = 200;
/** YAML aliases repeat what they name; a few lines can stand for gigabytes. */
const maxAliasCount = 1_000;

export function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

/** The name of a source in messages: a URL without its query, which can contain secrets. */
export function shownSource(source: string): string {
  if (!isUrl(source) || !URL.canParse(source)) return source;
  const { origin, pathname } = new URL(source);
  return origin + pathname;
}

/** Reads and parses a description. @throws DiagnosticError openapi-not-found, openapi-too-large, openapi-syntax, openapi-too-deep */
export async function readDescription(source: string): Promise<unknown> {
  const text = isUrl(source) ? await download(source) : await readFileText(source);
  const path = shownSource(source);
  const value = await parse(text.replace(/^\ufeff/, ""), path);
  refuseDepth(value, path);
  return value;
}

/** A value of a description, and where it is. */
interface Nested {
  readonly value: unknown;
  readonly depth: number;
  readonly key: string;
  readonly inside: Nested | undefined;
}

function refuseDepth(root: unknown, path: string): void {
  const open: Nested[] = [{ value: root, depth: 0, key: "#", inside: undefined }];
  for (let one = open.pop(); one; one = open.pop()) {
    if (typeof one.value !== "object" || one.value === null) continue;
    if (one.depth > maxDepth) fail("openapi-too-deep", { path, limit: maxDepth, pointer: startOf(one) });
    for (const [key, value] of Object.entries(one.value)) open.push({ value, depth: one.depth + 1, key, inside: one });
  }
}

/** The first steps of a JSON pointer. */
function startOf(nested: Nested): string {
  const keys: string[] = [];
  for (let one: Nested | undefined = nested; one; one = one.inside) keys.unshift(one.key);
  return `${keys.slice(0, 8).map(escapePointer).join("/")}/…`;
}

async function parse(text: string, path: string): Promise<unknown> {
  if (/^\s*[{[]/.test(text)) {
    try {
      return JSON.parse(text) as unknown;
    } catch (error) {
      // YAML can begin like JSON; otherwise the error of JSON is the clearer one.
      return parseYaml(text).catch(() => syntaxError(path, error));
    }
  }
  return parseYaml(text).catch((error: unknown) => syntaxError(path, error));
}

/** Through JSON, so that dates, maps and shared objects become plain values. */
async function parseYaml(text: string): Promise<unknown> {
  const { parseDocument } = await import("yaml");
  const document = parseDocument(text, { schema: "core", uniqueKeys: true, logLevel: "silent" });
  const [error] = document.errors;
  if (error) throw error;
  return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount }) ?? null)) as unknown;
}

function syntaxError(path: string, error: unknown): never {
  const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return fail("openapi-syntax", { path, reason });
}

async function readFileText(path: string): Promise<string> {
  try {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      if (size > maxBytes) fail("openapi-too-large", { path, limit: maxBytes });
      return await file.readFile("utf8");
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof Error && "code" in error) fail("openapi-not-found", { path, reason: String(error.code) });
    throw error;
  }
}

async function download(source: string): Promise<string> {
  const path = shownSource(source);
  if (!URL.canParse(source)) return fail("openapi-not-found", { path, reason: "it is not a valid URL" });
  return fetchText(new URL(source), {
    maxBytes,
    timeoutMs,
    refusesDowngrades: true,
    notFound: (reason) => fail("openapi-not-found", { path, reason }),
    tooLarge: () => fail("openapi-too-large", { path, limit: maxBytes }),
  });
}
