import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readSchema } from "../../pipeline/read-model.js";
import { DiagnosticError } from "../../shared/diagnostics/diagnostic.js";
import { withLf } from "../../shared/files/content-hash.js";
import { isObject } from "../../shared/is-object.js";
import type { SourceModule } from "../../shared/model/source.js";
import { fetchText } from "../../shared/sources/fetch-text.js";
import { isDate, knownRevisions, readLocation, schemaFolder } from "../../shared/sources/schema-folder.js";
import { diff } from "../diff/diff.js";
import { declaredRevision, officialUrl } from "../vendor/official-file.js";
import {
  parseVendorPins,
  pinDifference,
  pinFor,
  pinOf,
  type VendorPin,
  type VendorPins,
} from "../vendor/vendor-pin.js";
import { type Answer, joined, type NewerItem, nothingNewer, openQuestion } from "./findings.js";

/** The list of the folders with published schemas. */
export const officialList =
  "https://api.github.com/repos/modelcontextprotocol/modelcontextprotocol/contents/schema?ref=main";

export interface PublishedOptions {
  /** The schema folder of `mcpwright vendor`. */
  readonly to: string;
  /** Whether to compare the draft with the newest revision. */
  readonly draft: boolean;
  readonly listUrl: string;
  readonly baseUrl: string | undefined;
  /** For requests to `listUrl` only. */
  readonly token: string | undefined;
}

const draftName = "draft";
const largestList = 1_000_000;

/**
 * Compares the published revisions with those of the package and of a schema folder.
 * @throws DiagnosticError pins-malformed
 */
export async function findPublished(options: PublishedOptions): Promise<Answer> {
  const vendored = pinsIn(options.to);
  const own = knownRevisions();
  const known = [...new Set([...own, ...Object.keys(vendored)])];
  const dates = known.filter(isDate).sort();
  const newest = dates.at(-1) ?? "";
  const ours = own.includes(newest) ? newest : join(options.to, newest, "schema.ts");
  const drafts = Object.keys(vendored).filter((id) => !isDate(id));
  const packagePins = parseVendorPins(readFileSync(join(schemaFolder(), "pins.json"), "utf8"), "schema/pins.json");
  const pinned = [...new Set([newest, ...Object.keys(vendored).filter(isDate)])];
  return joined(
    await Promise.all([
      newerRevisions(options, newest, ours),
      ...pinned.map((revision) =>
        changedFile(options, revision, pinFor(vendored, revision) ?? pinFor(packagePins, revision)),
      ),
      ...drafts.map((id) => changedDraft(options, id, pinFor(vendored, id), ours)),
      ...(options.draft && drafts.length === 0 ? [newDraft(options, ours)] : []),
    ]),
  );
}

function pinsIn(folder: string): VendorPins {
  const path = join(folder, "pins.json");
  return existsSync(path) ? parseVendorPins(readFileSync(path, "utf8"), path) : {};
}

async function newerRevisions(
  { listUrl, baseUrl, token, to }: PublishedOptions,
  newest: string,
  ours: string,
): Promise<Answer> {
  const question = "the published revisions";
  return answered(question, async () => {
    const folders = foldersIn(await fetchJson(listUrl, token));
    const found = folders.filter((name) => isDate(name) && name > newest).sort();
    return joined(
      await Promise.all(
        found.map((name) => {
          const url = officialUrl(name, undefined, baseUrl);
          return newerItem({ kind: "revision", name, ours, url, remedy: vendorCommand(name, to) });
        }),
      ),
    );
  });
}

function foldersIn(list: unknown): readonly string[] {
  if (!Array.isArray(list)) throw new NoAnswer("the response is not a list of folders");
  return list.flatMap((entry: unknown) =>
    isObject(entry) && entry["type"] === "dir" && typeof entry["name"] === "string" ? [entry["name"]] : [],
  );
}

type SchemaItem = NewerItem & { readonly kind: "revision" | "draft" };

async function newerItem(item: Omit<SchemaItem, "changes" | "problem">): Promise<Answer> {
  const { kind, ours, url } = item;
  try {
    const { counts } = await diff({ before: ours, after: url });
    const isSame = Object.values(counts).every((count) => count === 0);
    return kind === "draft" && isSame ? nothingNewer : { newer: [{ ...item, changes: counts }], open: [] };
  } catch (error) {
    const problem = reasonOf(error);
    // A draft that cannot be read says nothing about what is newer; a revision in the list is newer.
    if (kind === "draft") return openQuestion("the draft", problem);
    return { newer: [{ ...item, problem }], open: [] };
  }
}

/** Whether a published file still is the pinned one. */
async function changedFile(
  { baseUrl, to }: PublishedOptions,
  revision: string,
  pin: VendorPin | undefined,
): Promise<Answer> {
  if (!pin) return nothingNewer;
  const url = officialUrl(revision, undefined, baseUrl);
  return answered(`the published file of ${revision}`, async () => {
    const { text, module } = await readPublished(url);
    const difference = pinDifference(pin, pinOf(text, module, undefined));
    if (difference === undefined) return nothingNewer;
    const path = join(to, revision, "schema.ts");
    const remedy = existsSync(path)
      ? `delete ${path} and its entry in pins.json, and run: ${vendorCommand(revision, to)}`
      : "npm install mcpwright@latest";
    return { newer: [{ kind: "changed-file", name: revision, url, difference, remedy }], open: [] };
  });
}

/** The draft, which is not vendored. */
function newDraft({ baseUrl, to }: PublishedOptions, ours: string): Promise<Answer> {
  const url = officialUrl(draftName, undefined, baseUrl);
  return answered("the draft", async () => {
    const { module } = await readPublished(url);
    const remedy = vendorCommand(draftId(module, draftName), to, url);
    return newerItem({ kind: "draft", name: draftName, ours, url, remedy });
  });
}

async function changedDraft(
  { baseUrl, to }: PublishedOptions,
  id: string,
  pin: VendorPin | undefined,
  ours: string,
): Promise<Answer> {
  if (!pin) return nothingNewer;
  const url = officialUrl(draftName, undefined, baseUrl);
  return answered(`the draft ${id}`, async () => {
    const { text, module } = await readPublished(url);
    if (pinDifference(pin, pinOf(text, module, undefined)) === undefined) return nothingNewer;
    const next = draftId(module, id);
    const command = vendorCommand(next, to, url);
    const remedy = next === id ? `delete ${join(to, id)} and its entry in pins.json, and run: ${command}` : command;
    return newerItem({ kind: "draft", name: id, ours, url, remedy });
  });
}

/** The id under which `mcpwright vendor` accepts a draft. A draft that still states the date of a revision states none. */
function draftId(module: SourceModule, otherwise: string): string {
  const declared = declaredRevision(module);
  // It is printed in a command.
  return declared !== undefined && !isDate(declared) && /^[\w.-]+$/.test(declared) ? declared : otherwise;
}

function vendorCommand(id: string, to: string, from?: string): string {
  const options = [...(from === undefined ? [] : [`--from ${from}`]), ...(to === "schema" ? [] : [`--to ${to}`])];
  return ["mcpwright vendor", id, ...options].join(" ");
}

async function readPublished(url: string): Promise<{ readonly text: string; readonly module: SourceModule }> {
  const { file, text: read } = await readLocation(url);
  const text = withLf(read);
  return { text, module: await readSchema({ file, text }) };
}

async function fetchJson(url: string, token: string | undefined): Promise<unknown> {
  const text = await fetchText(new URL(url), {
    maxBytes: largestList,
    timeoutMs: 30_000,
    refusesDowngrades: true,
    ...(token !== undefined && token !== "" && { headers: { authorization: `Bearer ${token}` } }),
    notFound: (reason) => {
      throw new NoAnswer(`${url}: ${reason}`);
    },
    tooLarge: () => {
      throw new NoAnswer(`${url}: the response has more than ${largestList} bytes`);
    },
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new NoAnswer(`${url}: the response is not JSON`);
  }
}

/** A question has no answer, for a reason. */
class NoAnswer extends Error {}

async function answered(question: string, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    return openQuestion(question, reasonOf(error));
  }
}

/** @throws the error, unless it is a diagnostic or an unanswered question */
function reasonOf(error: unknown): string {
  if (error instanceof DiagnosticError) return error.diagnostics[0]?.message ?? error.message;
  if (error instanceof NoAnswer) return error.message;
  throw error;
}
