import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readSchema } from "../../pipeline/read-model.js";
import { DiagnosticError } from "../../shared/diagnostics/diagnostic.js";
import { withLf } from "../../shared/files/content-hash.js";
import { isObject } from "../../shared/is-object.js";
import { fetchText } from "../../shared/sources/fetch-text.js";
import { isDate, knownRevisions, readLocation, schemaFolder } from "../../shared/sources/schema-folder.js";
import { diff } from "../diff/diff.js";
import { officialUrl } from "../vendor/official-file.js";
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
      ...(options.draft && drafts.length === 0
        ? [newerItem("draft", draftName, officialUrl(draftName, undefined, options.baseUrl), ours)]
        : []),
    ]),
  );
}

function pinsIn(folder: string): VendorPins {
  const path = join(folder, "pins.json");
  return existsSync(path) ? parseVendorPins(readFileSync(path, "utf8"), path) : {};
}

async function newerRevisions(
  { listUrl, baseUrl, token }: PublishedOptions,
  newest: string,
  ours: string,
): Promise<Answer> {
  const question = "the published revisions";
  return answered(question, async () => {
    const folders = foldersIn(await fetchJson(listUrl, token));
    const found = folders.filter((name) => isDate(name) && name > newest).sort();
    return joined(
      await Promise.all(found.map((name) => newerItem("revision", name, officialUrl(name, undefined, baseUrl), ours))),
    );
  });
}

function foldersIn(list: unknown): readonly string[] {
  if (!Array.isArray(list)) throw new NoAnswer("the response is not a list of folders");
  return list.flatMap((entry: unknown) =>
    isObject(entry) && entry["type"] === "dir" && typeof entry["name"] === "string" ? [entry["name"]] : [],
  );
}

async function newerItem(kind: "revision" | "draft", name: string, url: string, ours: string): Promise<Answer> {
  const remedy =
    kind === "revision"
      ? `mcpwright vendor ${name}`
      : `mcpwright vendor draft --from ${url}, under the id that it states`;
  const item: Omit<NewerItem & { readonly kind: "revision" | "draft" }, "changes" | "problem"> = {
    kind,
    name,
    ours,
    url,
    remedy,
  };
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
    const difference = await differenceAt(url, pin);
    if (difference === undefined) return nothingNewer;
    const path = join(to, revision, "schema.ts");
    const remedy = existsSync(path)
      ? `delete ${path} and its entry in pins.json, and run: mcpwright vendor ${revision}`
      : "npm install mcpwright@latest";
    return { newer: [{ kind: "changed-file", name: revision, url, difference, remedy }], open: [] };
  });
}

async function changedDraft(
  { baseUrl, to }: PublishedOptions,
  id: string,
  pin: VendorPin | undefined,
  ours: string,
): Promise<Answer> {
  const url = officialUrl(draftName, undefined, baseUrl);
  return answered(`the draft ${id}`, async () => {
    if (!pin || (await differenceAt(url, pin)) === undefined) return nothingNewer;
    const { newer, open } = await newerItem("draft", id, url, ours);
    const remedy = `delete ${join(to, id)} and its entry in pins.json, and run: mcpwright vendor ${id} --from ${url}`;
    return { newer: newer.map((item) => ({ ...item, remedy })), open };
  });
}

async function differenceAt(url: string, pin: VendorPin): Promise<string | undefined> {
  const { file, text: read } = await readLocation(url);
  const text = withLf(read);
  return pinDifference(pin, pinOf(text, await readSchema({ file, text }), undefined));
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
